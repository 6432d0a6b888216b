#include "tests/support/random_sessions.h"

#include <fmt/format.h>
#include <utility>

#include "tests/support/random_policy.h"

namespace quintet::test {

namespace {

constexpr int kMostDraws = 1000;
/// One policy in so many lists its waits itself.
constexpr std::uint64_t kListsWaits = 5;

}  // namespace

RandomSessions::RandomSessions(const TinyRun& run, std::uint64_t seed,
                               std::shared_ptr<Backend> backend)
    : run_(run),
      backend_(std::move(backend)),
      seed_(seed),
      model_(prepare_tiny(
          run_,
          policy_with("serial", SyncRule::dataflow, GradientMode::separate, StepMode::host_sync),
          backend_)) {}

Result<std::unique_ptr<TrainingSession>> RandomSessions::draw() {
  const std::uint64_t seed = seed_++;
  policy_ = random_policy(seed, model_->plan().tasks);
  auto session = try_prepare_tiny(run_, policy_, backend_);
  if (!session || seed % kListsWaits != 0) return session;
  policy_ = with_listed_waits(policy_, (*session)->plan(), seed / kListsWaits);
  return try_prepare_tiny(run_, policy_, backend_);
}

std::unique_ptr<TrainingSession> RandomSessions::next() {
  return next_that_is(true);
}

std::unique_ptr<TrainingSession> RandomSessions::next_racing() {
  return next_that_is(false);
}

std::unique_ptr<TrainingSession> RandomSessions::next_that_is(bool race_free) {
  for (int drawn = 0; drawn < kMostDraws; ++drawn) {
    auto session = draw();
    if (!session) {
      ++counts_.refused;
      continue;
    }
    const auto proof = prove((*session)->plan());
    if (!proof) {
      ++counts_.refused;
      continue;
    }
    count(*proof);
    if (proof->race_free() == race_free) return std::move(*session);
  }
  return nullptr;
}

void RandomSessions::count(const ProofReport& proof) {
  if (!proof.race_free()) {
    ++counts_.racing;
    return;
  }
  ++counts_.accepted;
  for (const std::string_view knob :
       {name_of(policy_.sync), name_of(policy_.gradients), name_of(policy_.step)})
    ++counts_.accepted_by[std::string(knob)];
  if (!policy_.issue.empty()) ++counts_.accepted_by["issue"];
}

std::string RandomSessions::summary() const {
  std::string text = fmt::format("{} policies accepted, {} race, {} refused;", counts_.accepted,
                                 counts_.racing, counts_.refused);
  for (const auto& [knob, count] : counts_.accepted_by)
    text += fmt::format(" {} {}", knob, count);
  return text;
}

}  // namespace quintet::test
