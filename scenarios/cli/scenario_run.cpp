#include "scenarios/cli/scenario_run.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include "profiler/capture/host_recorder.h"
#include "profiler/metrics/metric_catalog.h"
#include "profiler/trace/trace_reader.h"
#include "runtime/exec/scenario_session.h"
#include "runtime/host/host_device.h"
#include "runtime/model/nanos.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/policy/hazard_proof.h"
#include "scenarios/cli/interrupt_watch.h"
#include "scenarios/cli/progress_line.h"

namespace quintet {

namespace {

/// Steps of the unrecorded timing, and how many of them only warm up.
constexpr std::int64_t kProbeSteps = 48;
constexpr std::int64_t kProbeWarmUp = 8;

/// "renaissance (step = whole_step)" as part of a file name.
std::string file_part(const std::string& name) {
  std::string part;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    if (plain) {
      part += c;
    } else if (!part.empty() && part.back() != '-') {
      part += '-';
    }
  }
  while (!part.empty() && part.back() == '-')
    part.pop_back();
  return part;
}

std::string host_name() {
  utsname name{};
  return uname(&name) == 0 ? name.nodename : "unknown";
}

Provenance provenance_of(const Scenario& scenario, const StreamPolicy& policy,
                         const DatasetPair& data, const std::string& verdict) {
  const HostDevice host = describe_host();
  const std::int64_t realtime =
      std::chrono::duration_cast<Nanos>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  return {
      {"scenario", scenario.name},
      {"policy", policy.name},
      {"policy_toml", save_policy(policy)},
      {"executor", "host"},
      {"lowering", std::string(name_of(scenario.lowering))},
      {"step_mode", std::string(name_of(policy.step))},
      {"sync", std::string(name_of(policy.sync))},
      {"gradients", std::string(name_of(policy.gradients))},
      {"network", scenario.network},
      {"batch", std::to_string(scenario.batch)},
      {"seed", std::to_string(scenario.seed)},
      {"data", data.train.name},
      {"data_generated", data.train.generated ? "true" : "false"},
      {"started", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
      {"machine", host_name()},
      {"cpu", fmt::format("{}, {} cores", host.processor, host.cores)},
      {"onednn_version", host.library},
      {"quintet_version", QUINTET_VERSION},
      {"verdict", verdict},
      {"clock_realtime_offset_ns", std::to_string(realtime - monotonic_ns())},
  };
}

/// Median step time over full training steps without recording; nothing where the run is too short
/// for it.
std::optional<std::int64_t> time_unrecorded(TrainingSession& session, InterruptWatch& watch) {
  const RunSchedule& schedule = session.schedule();
  if (static_cast<std::int64_t>(schedule.size()) < 2 * kProbeSteps) return std::nullopt;
  std::vector<std::int64_t> lengths;
  std::int64_t last_end = 0;
  session.run(nullptr, [&](const StepRun& run) {
    const bool full = run.variant.shape == schedule.front().variant.shape;
    if (run.step >= kProbeWarmUp && full) lengths.push_back(run.end_ns - last_end);
    last_end = run.end_ns;
    return run.step + 1 < kProbeSteps && !watch.interrupted();
  });
  if (lengths.empty()) return std::nullopt;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

std::string progress_note(const StepRun& run) {
  if (run.variant.phase == StepPhase::evaluate) return "evaluating";
  return fmt::format("loss {:.3f}", run.loss.value_or(0));
}

/// Everything known after the last step goes into the recording.
void add_results(HostRecorder& recorder, const TrainingResult& result,
                 std::optional<std::int64_t> untraced_ns, bool interrupted) {
  recorder.set_provenance("weights_hash", result.weights_hash);
  if (result.test_accuracy) {
    recorder.set_provenance("test_accuracy", fmt::format("{}", *result.test_accuracy));
  }
  if (untraced_ns) recorder.set_provenance("untraced_step_ns", std::to_string(*untraced_ns));
  if (interrupted) {
    recorder.add_finding({Severity::notice, "interrupted",
                          fmt::format("stopped by a signal after {} steps", result.steps), 1});
  }
}

/// The recording as it lies on disk, with the recorded step time added to what it says of itself.
Result<Trace> read_back(const std::string& path) {
  Result<Trace> trace = read_trace(path);
  if (!trace) return trace;
  const std::vector<MetricValue> metrics = compute_metrics(*trace);
  const MetricValue* traced = find_metric(metrics, "step/time");
  if (traced != nullptr && traced->known()) {
    trace->provenance["traced_step_ns"] = fmt::format("{:.0f}", traced->value);
  }
  return trace;
}

}  // namespace

Result<RunOutcome> run_scenario(const RunOptions& options) {
  if (options.executor != "host") {
    return fail(fmt::format("this build has no executor '{}'", options.executor),
                "use --executor host; quintet devices lists what there is");
  }
  const Result<Scenario> scenario = find_scenario(options.scenario);
  if (!scenario) return tl::unexpected(scenario.error());
  const Result<StreamPolicy> policy = choose_policy(options.policy, *scenario);
  if (!policy) return tl::unexpected(policy.error());
  const auto data = open_data(*scenario);
  if (!data) return tl::unexpected(data.error());
  Result<TrainingSpec> spec = spec_of(*scenario, **data, options.steps);
  if (!spec) return tl::unexpected(spec.error());
  InterruptWatch watch;
  const auto session = TrainingSession::prepare(std::move(*spec), *data, *policy);
  if (!session) return tl::unexpected(session.error());
  const Result<ProofReport> proof = prove((*session)->plan());
  if (!proof) return tl::unexpected(proof.error());

  RunOutcome outcome;
  outcome.scenario = scenario->name;
  outcome.policy = policy->name;
  outcome.executor = options.executor;
  outcome.lowering = name_of(scenario->lowering);
  for (const Race& race : proof->races)
    outcome.races.push_back(race.text + "; cure: " + race.cure);
  if (!outcome.races.empty() && !options.allow_races) return outcome;

  outcome.recording = options.out.empty() ? fmt::format("{}-{}.qtrace", file_part(scenario->name),
                                                        file_part(policy->name))
                                          : options.out;
  auto writer = TraceWriter::create(outcome.recording);
  if (!writer) return tl::unexpected(writer.error());
  HostRecorderOptions recording;
  recording.provenance = provenance_of(
      *scenario, *policy, **data,
      outcome.races.empty() ? "race-free" : fmt::format("{} races", outcome.races.size()));
  HostRecorder recorder(std::move(*writer), recording);
  if (auto started = recorder.start((*session)->plan()); !started) {
    return tl::unexpected(started.error());
  }
  for (const std::string& race : outcome.races) {
    recorder.add_finding({Severity::error, "race", race, 1});
  }
  const std::optional<std::int64_t> untraced = time_unrecorded(**session, watch);
  {
    const auto total = static_cast<std::int64_t>((*session)->schedule().size());
    ProgressLine progress(fmt::format("{} under {}", scenario->name, policy->name), total);
    outcome.result = (*session)->run(&recorder, [&](const StepRun& run) {
      progress.update(run.step + 1, progress_note(run));
      return !watch.interrupted();
    });
    outcome.interrupted = watch.interrupted();
  }
  outcome.ran = true;
  add_results(recorder, outcome.result, untraced, outcome.interrupted);
  if (auto finished = recorder.finish(); !finished) return tl::unexpected(finished.error());
  Result<Trace> trace = read_back(outcome.recording);
  if (!trace) return tl::unexpected(trace.error());
  outcome.trace = std::move(*trace);
  outcome.metrics = compute_metrics(outcome.trace);
  return outcome;
}

}  // namespace quintet
