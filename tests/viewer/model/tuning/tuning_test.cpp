// What a search lists, and that it keeps to its budget.
#include "viewer/model/tuning/tuning.h"

#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/viewer/model/tuning/tuned_world.h"

namespace quintet::viewer::test {
namespace {

TuneChoice budget(std::int64_t candidates) {
  TuneChoice choice;
  choice.candidates = candidates;
  return choice;
}

Tuning tuned(const TuneChoice& choice, const std::string& name = "mlp-b128-serial-whole_step") {
  TuneWatch watch;
  JobControl control;
  auto tuning = tune_recording(recorded(name), choice, watch, control);
  EXPECT_TRUE(tuning) << to_string(tuning.error());
  return tuning ? std::move(*tuning) : Tuning{};
}

TEST(TuneRecording, ListsTheFrontThenEveryKnownPolicyOnce) {
  const Tuning tuning = tuned(budget(2'000));
  std::set<std::string> names;
  std::size_t front = 0;
  while (front < tuning.candidates.size() && tuning.candidates[front].on_front)
    ++front;
  ASSERT_GE(front, 1U);
  for (std::size_t at = 0; at < tuning.candidates.size(); ++at) {
    const TuneCandidate& each = tuning.candidates[at];
    EXPECT_EQ(each.on_front, at < front);
    EXPECT_TRUE(each.rated.race_free) << each.rated.policy.name;
    EXPECT_GE(each.rated.step_ns, tuning.candidates.front().rated.step_ns);
    names.insert(each.rated.policy.name);
  }
  for (std::size_t at = 1; at < front; ++at)
    EXPECT_LT(tuning.candidates[at].rated.memory_bytes,
              tuning.candidates[at - 1].rated.memory_bytes);
  for (const BuiltinPolicy& builtin : policy_catalog())
    EXPECT_TRUE(names.contains(std::string(builtin.name))) << builtin.name;
  for (const ComputedPolicy& computed : computed_catalog())
    EXPECT_TRUE(names.contains(std::string(computed.name))) << computed.name;
  const TuneCandidate& recorded = tuning.candidates.at(tuning.recorded);
  EXPECT_EQ(recorded.rated.origin, PolicyOrigin::recording);
  EXPECT_EQ(recorded.changes, "as recorded");
  EXPECT_GT(tuning.bound.ns(), 0);
  EXPECT_LE(tuning.bound.path_ns, tuning.candidates.front().rated.step_ns * (1 + 1e-9));
  EXPECT_TRUE(tuning.searched);
  EXPECT_FALSE(tuning.stopped);
}

TEST(TuneRecording, GivesTheSameAnswerForTheSameSeedAndBudget) {
  const Tuning first = tuned(budget(3'000));
  const Tuning second = tuned(budget(3'000));
  ASSERT_EQ(first.candidates.size(), second.candidates.size());
  for (std::size_t at = 0; at < first.candidates.size(); ++at) {
    EXPECT_EQ(first.candidates[at].rated.policy, second.candidates[at].rated.policy);
    EXPECT_EQ(first.candidates[at].rated.step_ns, second.candidates[at].rated.step_ns);
  }
  EXPECT_EQ(first.tried, second.tried);
}

TEST(TuneRecording, KeepsTheFrontWithinTheLimitOfMemoryAndMarksTheRest) {
  TuneChoice choice = budget(2'000);
  choice.most_memory_mib = 3'440;
  const Tuning tuning = tuned(choice, "resnet18-b256-serial-whole_step");
  const auto limit = static_cast<std::uint64_t>(choice.most_memory_mib) << 20U;
  for (const TuneCandidate& each : tuning.candidates) {
    EXPECT_EQ(each.within, each.rated.memory_bytes <= limit);
    if (each.on_front) {
      EXPECT_TRUE(each.within);
    }
  }
  choice.most_memory_mib = 1;
  TuneWatch watch;
  JobControl control;
  const auto none = tune_recording(recorded("mlp-b128-serial-whole_step"), choice, watch, control);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("limit of memory"), std::string::npos);
}

TEST(TuneRecording, TellsItsProgressAndTheBestSoFar) {
  TuneWatch watch;
  JobControl control;
  const auto tuning =
      tune_recording(recorded("mlp-b128-serial-whole_step"), budget(4'000), watch, control);
  ASSERT_TRUE(tuning);
  const TuneStanding end = watch.standing();
  EXPECT_GT(end.candidates, 1'000U);
  EXPECT_GT(end.share, 0.2);
  EXPECT_LE(end.share, 1.0);
  ASSERT_FALSE(end.best.empty());
  for (std::size_t at = 1; at < end.best.size(); ++at) {
    EXPECT_LT(end.best[at].best_ns, end.best[at - 1].best_ns);
    EXPECT_GE(end.best[at].candidates, end.best[at - 1].candidates);
  }
}

TEST(TuneRecording, WithoutABudgetGoesOnUntilItIsStoppedAndKeepsTheBest) {
  const Trace trace = recorded("mlp-b128-serial-whole_step");
  TuneWatch watch;
  JobControl control;
  std::optional<Result<Tuning>> tuning;
  std::thread searching([&] { tuning = tune_recording(trace, budget(0), watch, control); });
  while (watch.standing().candidates < 2'000)
    std::this_thread::yield();
  EXPECT_LT(watch.standing().share, 0);
  watch.stop();
  searching.join();
  ASSERT_TRUE(*tuning) << to_string(tuning->error());
  EXPECT_TRUE((*tuning)->stopped);
  EXPECT_FALSE((*tuning)->candidates.empty());
  EXPECT_GE((*tuning)->tried, 2'000U);
}

TEST(TuneRecording, EndsByItselfWhenItsTimeIsSpent) {
  TuneChoice choice = budget(0);
  choice.seconds = 1;
  const Tuning tuning = tuned(choice);
  EXPECT_TRUE(tuning.stopped);
  EXPECT_FALSE(tuning.candidates.empty());
}

TEST(ChangesText, NamesTheTasksThatMovedAndTheKnobsThatDiffer) {
  const StreamPolicy recorded = *find_policy("renaissance");
  StreamPolicy other = recorded;
  EXPECT_EQ(changes_text(recorded, other, {}), "as recorded");
  other.step = StepMode::whole_step;
  other.issue.push_back({"fc1/FC_AMP_BWD/dW", "fc1/FC_AMP_BWD/dX", 0, ""});
  EXPECT_EQ(changes_text(recorded, other,
                         {{"FC_AMP_BWD/dW", StreamKind::COMP_1, StreamKind::COMP_2, 2},
                          {"FC_AMP_BWD/dX", StreamKind::COMP_1, StreamKind::COMP_3, 1},
                          {"RELU_BWD/dX", StreamKind::COMP_1, StreamKind::COMP_3, 1}}),
            "4 tasks on other streams (2 FC_AMP_BWD/dW COMP_1 -> COMP_2, 1 FC_AMP_BWD/dX COMP_1 -> "
            "COMP_3, ...), another order, step = whole_step");
}

}  // namespace
}  // namespace quintet::viewer::test
