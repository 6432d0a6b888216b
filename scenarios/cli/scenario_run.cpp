#include "scenarios/cli/scenario_run.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <set>
#include <sys/utsname.h>

#include "profiler/capture/host_recorder.h"
#include "profiler/metrics/metric_catalog.h"
#include "profiler/trace/trace_reader.h"
#include "runtime/data/data_shape.h"
#include "runtime/host/host_device.h"
#include "runtime/model/nanos.h"
#include "runtime/observe/observer_list.h"
#include "scenarios/cli/gpu.h"
#include "scenarios/cli/interrupt_watch.h"
#include "scenarios/cli/prepared_scenario.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/step_timing.h"

namespace quintet {

namespace {

/// How often who watches a run is told what it did.
constexpr std::int64_t kWatchedFlushNs = 50'000'000;

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

std::string verdict_of(const ProofReport& proof) {
  return proof.race_free() ? "race-free" : fmt::format("{} races", proof.races.size());
}

Provenance provenance_of(const PreparedScenario& prepared, const std::string& executor) {
  const auto& [scenario, policy, data, session, proof] = prepared;
  const HostDevice host = describe_host();
  const std::int64_t realtime =
      std::chrono::duration_cast<Nanos>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  return {
      {"scenario", scenario.name},
      {"scenario_toml", scenario.text},
      {"policy", policy.name},
      {"policy_toml", save_policy(policy)},
      {"executor", executor},
      {"lowering", std::string(name_of(scenario.lowering))},
      {"step_mode", std::string(name_of(policy.step))},
      {"sync", std::string(name_of(policy.sync))},
      {"gradients", std::string(name_of(policy.gradients))},
      {"network", scenario.network},
      {"batch", std::to_string(scenario.batch)},
      {"seed", std::to_string(scenario.seed)},
      {"epochs", std::to_string(scenario.epochs)},
      {"steps", scenario.steps ? std::to_string(*scenario.steps) : ""},
      {"data_shape", text_of(shape_of(*data))},
      {"data", data->train.name},
      {"data_generated", data->train.generated ? "true" : "false"},
      {"started", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
      {"machine", host_name()},
      {"cpu", fmt::format("{}, {} cores", host.processor, host.cores)},
      {"onednn_version", host.library},
      {"quintet_version", QUINTET_VERSION},
      {"verdict", verdict_of(proof)},
      {"clock_realtime_offset_ns", std::to_string(realtime - monotonic_ns())},
  };
}

/// What a run does beside training: it tells how far it is, and hears that it shall end.
class RunGuide {
 public:
  explicit RunGuide(RunListener* listener) : listener_(listener) {}

  bool must_stop() {
    return watch_.interrupted() || (listener_ != nullptr && listener_->stop_asked());
  }
  void tell(RunPhase phase, std::int64_t steps) {
    if (listener_ != nullptr) listener_->on_phase(phase, steps);
  }
  void tell(const StepRun& run) {
    if (listener_ != nullptr) listener_->on_step(run);
  }
  void tell_untraced(std::optional<std::int64_t> step_ns) {
    if (listener_ != nullptr && step_ns) listener_->on_untraced_step(*step_ns);
  }

 private:
  RunListener* listener_;
  InterruptWatch watch_;
};

/// Nothing where the run is too short to spare the time.
std::optional<std::int64_t> time_unrecorded(TrainingSession& session, RunGuide& guide) {
  if (static_cast<std::int64_t>(session.schedule().size()) < 2 * kTimedSteps) return std::nullopt;
  return time_steps(session, [&guide] { return guide.must_stop(); });
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
                          fmt::format("stopped after {} training steps", result.losses.size()), 1});
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

/// What the recording could not say itself, for want of space.
void add_missing(std::vector<Finding>& findings, const std::vector<Finding>& known) {
  for (const Finding& finding : known) {
    const auto same = [&](const Finding& other) { return other.name == finding.name; };
    if (std::none_of(findings.begin(), findings.end(), same)) findings.push_back(finding);
  }
}

/// Ends the recording and reads what it holds. A run whose recording stopped early is still a run:
/// its numbers stand, and the outcome says so.
void finish_recording(HostRecorder& recorder, RunOutcome& outcome) {
  if (auto finished = recorder.finish(); !finished) outcome.recording_error = finished.error();
  Result<Trace> trace = read_back(outcome.recording);
  if (trace) {
    outcome.trace = std::move(*trace);
  } else if (!outcome.recording_error) {
    outcome.recording_error = trace.error();
  }
  if (outcome.recording_error) add_missing(outcome.trace.findings, recorder.findings());
  outcome.metrics = compute_metrics(outcome.trace);
}

/// A delay of a layer that is not there would find nothing.
Result<void> check_delays(const LayerDelays& delays, const ExecutionPlan& plan) {
  std::set<std::string> layers;
  for (const Task& task : plan.tasks)
    layers.insert(task.layer);
  for (const auto& [layer, nanoseconds] : delays) {
    if (!layers.contains(layer)) {
      return fail(fmt::format("--delay: there is no layer '{}'", layer),
                  fmt::format("name one of: {}", fmt::join(layers, ", ")));
    }
  }
  return {};
}

void tell_delays(HostRecorder& recorder, const LayerDelays& delays) {
  for (const auto& [layer, nanoseconds] : delays) {
    recorder.add_finding({Severity::notice, "planted_delay",
                          fmt::format("each task of {} was made {:.1f} us longer on purpose", layer,
                                      static_cast<double>(nanoseconds) / 1e3),
                          1});
  }
}

/// Better told now than by the system's out-of-memory killer in the middle of the run.
Result<void> check_memory(const PreparedScenario& prepared, const std::string& executor) {
  const MemoryPlan& memory = prepared.session->plan().memory;
  const std::uint64_t needed = memory.bytes(MemorySpace::host) +
                               (executor == "host" ? memory.bytes(MemorySpace::device) : 0);
  const std::uint64_t there = describe_host().memory_bytes;
  if (needed <= there) return {};
  return fail(
      fmt::format("needs {:.1f} GiB of memory, this machine has {:.1f} GiB",
                  static_cast<double>(needed) / 0x1p30, static_cast<double>(there) / 0x1p30),
      "use a smaller batch or network", prepared.scenario.file);
}

RunOutcome outcome_of(const PreparedScenario& prepared, const RunOptions& options) {
  RunOutcome outcome;
  outcome.scenario = prepared.scenario.name;
  outcome.policy = prepared.policy.name;
  outcome.executor = options.executor.name;
  outcome.lowering = name_of(prepared.scenario.lowering);
  for (const Race& race : prepared.proof.races)
    outcome.races.push_back(race.text + "; cure: " + race.cure);
  outcome.recording = options.out;
  if (options.out.empty()) {
    outcome.recording =
        fmt::format("{}-{}.qtrace", file_part(outcome.scenario), file_part(outcome.policy));
  }
  return outcome;
}

/// Times, then trains and records.
void train(TrainingSession& session, HostRecorder& recorder, Observer& observer, RunGuide& guide,
           RunOutcome& outcome) {
  const auto total = static_cast<std::int64_t>(session.schedule().size());
  const DeviceFailures before = device_failures();
  guide.tell(RunPhase::timing, total);
  outcome.untraced_step_ns = time_unrecorded(session, guide);
  guide.tell_untraced(outcome.untraced_step_ns);
  guide.tell(RunPhase::training, total);
  {
    ProgressLine progress(fmt::format("{} under {}", outcome.scenario, outcome.policy), total);
    outcome.result = session.run(&observer, [&](const StepRun& run) {
      progress.update(run.step + 1, progress_note(run));
      guide.tell(run);
      return !guide.must_stop();
    });
  }
  outcome.interrupted = guide.must_stop() && outcome.result.steps < total;
  outcome.ran = true;
  add_results(recorder, outcome.result, outcome.untraced_step_ns, outcome.interrupted);
  if (const auto failed = finding_of(failures_since(before, device_failures())))
    recorder.add_finding(*failed);
}

}  // namespace

Result<RunOutcome> run_scenario(const RunOptions& options, RunListener* listener) {
  if (listener != nullptr) listener->on_phase(RunPhase::preparing, 0);
  const auto backend = open_backend(options.executor);
  if (!backend) return tl::unexpected(backend.error());
  const auto prepared = prepare_scenario(options.scenario, options.policy, *backend);
  if (!prepared) return tl::unexpected(prepared.error());
  RunOutcome outcome = outcome_of(*prepared, options);
  if (!outcome.races.empty() && !options.allow_races) return outcome;
  if (auto fits = check_memory(*prepared, options.executor.name); !fits)
    return tl::unexpected(fits.error());

  const Result<LayerDelays> delays = delays_of(options.executor);
  if (!delays) return tl::unexpected(delays.error());
  if (auto known = check_delays(*delays, prepared->session->plan()); !known)
    return tl::unexpected(known.error());

  RunGuide guide(listener);  // before the recorder: its thread must not take the signals either
  auto writer = TraceWriter::create(outcome.recording);
  if (!writer) return tl::unexpected(writer.error());
  HostRecorderOptions recording;
  recording.provenance = provenance_of(*prepared, options.executor.name);
  if (!options.title.empty()) recording.provenance["title"] = options.title;
  if (!options.memo.empty()) recording.provenance["memo"] = options.memo;
  if (listener != nullptr) {
    recording.listener = listener;
    recording.flush_interval_ns = kWatchedFlushNs;
    listener->on_recording(outcome.recording);
  }
  HostRecorder recorder(std::move(*writer), recording);
  if (auto started = recorder.start(prepared->session->plan()); !started) {
    return tl::unexpected(started.error());
  }
  for (const std::string& race : outcome.races)
    recorder.add_finding({Severity::error, "race", race, 1});
  tell_delays(recorder, *delays);
  std::unique_ptr<Observer> device;
  if ((*backend)->name() != "host") {
    auto made = record_gpu(recorder, options.record);
    if (!made) return tl::unexpected(made.error());
    device = std::move(*made);
  }
  ObserverList observers;
  observers.add(device ? *device : recorder);
  const std::unique_ptr<Observer> annotation = annotate_run();
  if (annotation) observers.add(*annotation);
  train(*prepared->session, recorder, observers, guide, outcome);
  guide.tell(RunPhase::finishing, outcome.result.steps);
  finish_recording(recorder, outcome);
  return outcome;
}

}  // namespace quintet
