#include "scenarios/worker/request_options.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/policy/nearest_name.h"

namespace quintet {

namespace {

using Words = std::vector<std::string_view>;

template <class Values>
Words words_of(const Values& values) {
  Words words;
  for (const auto value : values)
    words.push_back(name_of(value));
  return words;
}

/// What is wrong with a word that must be one of some, or empty.
std::optional<Error> wrong_word(const char* what, const std::string& word, const Words& words) {
  if (word.empty() || std::find(words.begin(), words.end(), word) != words.end())
    return std::nullopt;
  return Error{
      std::string("there is no ") + what + " '" + word + "'", suggestion(word, words), {}, 0};
}

std::optional<Error> wrong_knobs(const PlanRequest& request) {
  constexpr std::array kSyncRules = {SyncRule::adjacent, SyncRule::adjacent_conflicts,
                                     SyncRule::dataflow, SyncRule::manual};
  constexpr std::array kGradients = {GradientMode::in_place, GradientMode::separate};
  constexpr std::array kSteps = {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step};
  for (const auto& error :
       {wrong_word("rule for waits", request.sync, words_of(kSyncRules)),
        wrong_word("place of gradients", request.gradients, words_of(kGradients)),
        wrong_word("step mode", request.step, words_of(kSteps)),
        wrong_word("search for plans", request.plan_search, Words{"first", "measured"})}) {
    if (error) return error;
  }
  return std::nullopt;
}

/// The mode of that name.
Result<DeviceRecording> recording_mode(const std::string& word) {
  std::vector<DeviceRecording> modes;
  for (std::size_t i = 0; i < kDeviceRecordingCount; ++i)
    modes.push_back(static_cast<DeviceRecording>(i));
  if (auto error = wrong_word("mode of recording", word, words_of(modes)))
    return tl::unexpected(std::move(*error));
  const auto named = [&](DeviceRecording mode) { return name_of(mode) == word; };
  const auto found = std::find_if(modes.begin(), modes.end(), named);
  return found == modes.end() ? DeviceRecording::sampled : *found;
}

}  // namespace

Result<RunOptions> options_of(const PlanRequest& request, const std::string& policy_toml) {
  if (auto error = wrong_knobs(request)) return tl::unexpected(std::move(*error));
  RunOptions options;
  options.scenario = {request.scenario,  request.batch,    request.epochs,        request.steps,
                      request.precision, request.lowering, request.resident_input};
  options.policy = {request.policy, request.sync, request.gradients, request.step,
                    request.policy_toml};
  if (request.policy.empty() && request.policy_toml.empty()) options.policy.toml = policy_toml;
  options.executor.name = request.executor;
  options.executor.plans = request.plans;
  if (!request.plan_search.empty()) options.executor.plan_search = request.plan_search;
  return options;
}

Result<RunOptions> options_of(const RunRequest& request, const std::string& policy_toml) {
  Result<RunOptions> options = options_of(request.plan, policy_toml);
  if (!options) return options;
  const Result<DeviceRecording> record = recording_mode(request.record);
  if (!record) return tl::unexpected(record.error());
  options->record = *record;
  options->executor.delays = request.delays;
  options->out = request.out;
  options->allow_races = request.allow_races;
  return options;
}

Result<TuneRunOptions> options_of(const TuneRequest& request) {
  const PlanRequest& plan = request.plan;
  if (!plan.policy.empty() || !plan.policy_toml.empty() || !plan.sync.empty() ||
      !plan.gradients.empty() || !plan.step.empty()) {
    return fail("a policy, or a knob of one, is named: they are what is searched",
                "leave out policy, policy_toml, sync, gradients and step");
  }
  const Result<RunOptions> run = options_of(plan, {});
  if (!run) return tl::unexpected(run.error());
  TuneRunOptions options;
  options.scenario = run->scenario;
  options.executor = run->executor;
  options.seconds = request.seconds;
  options.candidates = static_cast<std::uint64_t>(request.candidates.value_or(0));
  options.seed = static_cast<std::uint64_t>(request.seed.value_or(1));
  options.memory_limit_mib = request.most_memory_mib;
  options.measure = static_cast<int>(request.measure.value_or(0));
  return options;
}

}  // namespace quintet
