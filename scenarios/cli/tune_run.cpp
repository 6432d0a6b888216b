#include "scenarios/cli/tune_run.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

#include "profiler/trace/trace_reader.h"
#include "runtime/cuda/device_connections.h"
#include "runtime/model/nanos.h"
#include "runtime/network/scenario_change.h"
#include "scenarios/cli/interrupt_watch.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/prepared_scenario.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/recorded_catalog.h"
#include "scenarios/cli/scenario_run.h"
#include "scenarios/cli/scratch_folder.h"
#include "scenarios/cli/step_timing.h"
#include "scenarios/cli/verify_recording.h"
#include "scenarios/lab/measurement_choice.h"
#include "scenarios/lab/predictor.h"

namespace quintet {

namespace {

constexpr double kDefaultSeconds = 20;

std::string said(const Provenance& provenance, const std::string& key) {
  const auto found = provenance.find(key);
  return found == provenance.end() ? std::string() : found->second;
}

/// What a tuning does beside searching: it tells how far it is, and hears that it shall end.
class TuneGuide {
 public:
  explicit TuneGuide(TuneListener* listener) : listener_(listener) {}

  bool must_stop() {
    const bool signalled = watch_.interrupted();
    if (signalled && listener_ != nullptr) listener_->on_signal();
    return signalled || (listener_ != nullptr && listener_->stop_asked());
  }
  void tell(const std::string& phase) {
    if (listener_ != nullptr) listener_->on_phase(phase);
  }
  void tell(const TuneProgress& progress, double seconds) {
    if (listener_ != nullptr) listener_->on_progress(progress, seconds);
  }

 private:
  TuneListener* listener_;
  InterruptWatch watch_;
};

/// The run that costs come from ends where the tuning shall.
class RecordingStop : public RunListener {
 public:
  explicit RecordingStop(const TuneListener& listener) : listener_(listener) {}
  [[nodiscard]] bool stop_asked() const override { return listener_.stop_asked(); }
  void on_plan(const Trace& /*plan*/) override {}
  void on_batch(TraceBatch /*batch*/) override {}

 private:
  const TuneListener& listener_;
};

/// What was recorded is what is searched: nothing of it can be another.
Result<void> check_changes(const ScenarioOptions& scenario) {
  const bool changed = scenario.batch || scenario.epochs || scenario.steps ||
                       !scenario.precision.empty() || !scenario.lowering.empty() ||
                       scenario.resident_input;
  if (!changed || !means_recording(scenario.scenario)) return {};
  return fail("a recording has a batch, a precision, a lowering and steps of its own",
              "leave the option out, or name the scenario instead", scenario.scenario);
}

/// The recording that costs are taken from: the one that is named, or one that is made.
Result<std::string> recording_of(const TuneRunOptions& options, TuneListener* listener) {
  if (means_recording(options.scenario.scenario)) return recording_path(options.scenario.scenario);
  RunOptions run;
  run.scenario = options.scenario;
  run.policy = {"serial", "", "", "whole_step"};
  run.executor = options.executor;
  run.record = DeviceRecording::node;
  run.out = std::filesystem::path(options.scenario.scenario).stem().string() + "-tune.qtrace";
  if (listener != nullptr) listener->on_phase("recording");
  std::optional<RecordingStop> stop;
  if (listener != nullptr) stop.emplace(*listener);
  const auto outcome = run_scenario(run, stop ? &*stop : nullptr);
  if (!outcome) return tl::unexpected(outcome.error());
  if (outcome->recording_error) return tl::unexpected(*outcome->recording_error);
  if (outcome->interrupted) {
    // What was not asked for is a signal, which the run has seen and nobody else will.
    if (listener != nullptr && !listener->stop_asked()) listener->on_signal();
    return fail("stopped before the recording was done", "run it again");
  }
  return outcome->recording;
}

/// Ends each part of the search in time.
class TuneClock {
 public:
  TuneClock(const TuneRunOptions& options, TuneGuide& guide)
      : guide_(guide), begin_ns_(monotonic_ns()), progress_("tuning", kShownParts, "parts") {
    if (options.candidates == 0 || options.seconds)
      limit_ns_ = options.seconds.value_or(kDefaultSeconds) * 1e9;
  }

  bool keep(const TuneProgress& progress) {
    const auto passed = static_cast<double>(monotonic_ns() - begin_ns_);
    progress_.update(progress.part, fmt::format("{}: {} mappings, {:.4f} ms", progress.what,
                                                progress.candidates, progress.best_ns / 1e6));
    guide_.tell(progress, passed / 1e9);
    if (guide_.must_stop()) return false;
    return !limit_ns_ || passed < *limit_ns_ * (progress.part + 1) / progress.parts;
  }
  [[nodiscard]] double seconds() const {
    return static_cast<double>(monotonic_ns() - begin_ns_) / 1e9;
  }

 private:
  static constexpr std::int64_t kShownParts = 2;

  TuneGuide& guide_;
  std::int64_t begin_ns_;
  std::optional<double> limit_ns_;
  ProgressLine progress_;
};

/// The scenario of a recording as the options of a run. `text`: where its file goes.
Result<ScenarioOptions> scenario_of(const TuneRunOptions& options, const Provenance& provenance,
                                    const std::string& text) {
  if (!means_recording(options.scenario.scenario)) return options.scenario;
  const ChangedName name = split_name(said(provenance, "scenario"));
  ScenarioOptions scenario;
  scenario.scenario = name.base;
  if (const std::string toml = said(provenance, "scenario_toml"); !toml.empty()) {
    if (auto written = write_file(text, toml, {}); !written) return tl::unexpected(written.error());
    scenario.scenario = text;
  }
  Scenario changed;
  if (auto made = apply_changes(changed, name.changes); !made) return tl::unexpected(made.error());
  if (name.changes.find("batch = ") != std::string::npos) scenario.batch = changed.batch;
  if (name.changes.find("precision = ") != std::string::npos)
    scenario.precision = name_of(changed.precision);
  if (name.changes.find("lowering = ") != std::string::npos)
    scenario.lowering = name_of(changed.lowering);
  scenario.resident_input = changed.resident_input;
  return scenario;
}

std::vector<RatedPolicy> to_measure(const TuneReport& report, int count) {
  std::vector<const RatedPolicy*> rated;
  for (const auto* some : {&report.front, &report.known}) {
    for (const RatedPolicy& policy : *some)
      rated.push_back(&policy);
  }
  std::vector<RatedPolicy> chosen;
  for (const std::size_t place : choose_to_measure(rated, static_cast<std::size_t>(count)))
    chosen.push_back(*rated[place]);
  return chosen;
}

/// Over how many connections a recording was made; 0 = what CUDA took.
int connections_of(const Provenance& provenance) {
  const std::string text = said(provenance, "connections");
  int count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return std::clamp(count, 0, kMostConnections);
}

/// Runs policies of one scenario, each for as many steps as are timed, however long its run is: what a
/// step takes does not depend on it.
class PolicyTimer {
 public:
  PolicyTimer(const ScenarioOptions& scenario, std::shared_ptr<Backend> backend, TuneGuide& guide)
      : scenario_(scenario), backend_(std::move(backend)), guide_(guide) {
    scenario_.steps = kTimedSteps;
    scenario_.epochs = kTimedSteps;
  }

  /// The median step in ns; nothing = it races, or all was stopped.
  Result<std::optional<std::int64_t>> time(const RatedPolicy& rated) {
    guide_.tell("measuring " + rated.policy.name);
    const auto folder = ScratchFolder::create();
    if (!folder) return tl::unexpected(folder.error());
    const std::string file = folder->file("policy.toml");
    if (auto written = write_policy(file, rated.policy, {}); !written)
      return tl::unexpected(written.error());
    const auto prepared = prepare_scenario(scenario_, {file, "", "", ""}, backend_);
    if (!prepared) return tl::unexpected(prepared.error());
    if (!prepared->proof.race_free()) return std::nullopt;
    const auto length = time_steps(*prepared->session, [this] { return guide_.must_stop(); });
    if (guide_.must_stop()) return std::nullopt;
    if (!length) {
      return fail(fmt::format("fewer than {} steps could be timed", kTimedSteps),
                  "use a smaller --batch: the training set holds no full one");
    }
    return length;
  }

 private:
  ScenarioOptions scenario_;
  std::shared_ptr<Backend> backend_;
  TuneGuide& guide_;
};

Result<void> measure_again(std::vector<MeasuredPolicy>& measured, PolicyTimer& timer,
                           TuneGuide& guide) {
  std::vector<std::int64_t> step_ns;
  for (const MeasuredPolicy& each : measured)
    step_ns.push_back(each.step_ns);
  const std::vector<std::size_t> close = choose_to_measure_again(step_ns);
  ProgressLine progress("measuring again", static_cast<std::int64_t>(close.size()), "policies");
  for (std::size_t done = 0; done < close.size() && !guide.must_stop(); ++done) {
    MeasuredPolicy& each = measured[close[done]];
    progress.update(static_cast<std::int64_t>(done), each.rated.policy.name);
    const auto again = timer.time(each.rated);
    if (!again) return tl::unexpected(again.error());
    if (!*again) continue;
    each.step_ns = (each.step_ns + **again) / 2;
    ++each.runs;
  }
  return {};
}

/// What the best are to be measured on; null = nothing is. Told before a search, not after it.
Result<std::shared_ptr<Backend>> open_to_measure(const TuneRunOptions& options,
                                                 const Provenance& provenance) {
  if (options.measure == 0) return std::shared_ptr<Backend>();
  if (!means_recording(options.scenario.scenario)) return open_backend(options.executor);
  ExecutorOptions executor = options.executor;
  executor.name = said(provenance, "executor");
  if (executor.connections == 0 && options.recorded_connections)
    executor.connections = connections_of(provenance);
  auto backend = open_backend(executor);
  if (backend) return backend;
  Error error = backend.error();
  error.cure = "leave out --measure, or measure on a machine like that of the recording";
  return tl::unexpected(std::move(error));
}

Result<std::vector<MeasuredPolicy>> measure(const TuneRunOptions& options, const Trace& trace,
                                            const TuneReport& report,
                                            const std::shared_ptr<Backend>& backend,
                                            TuneGuide& guide) {
  const auto folder = ScratchFolder::create();
  if (!folder) return tl::unexpected(folder.error());
  const auto scenario = scenario_of(options, trace.provenance, folder->file("scenario.toml"));
  if (!scenario) return tl::unexpected(scenario.error());
  PolicyTimer timer(*scenario, backend, guide);
  const std::vector<RatedPolicy> policies = to_measure(report, options.measure);
  std::vector<MeasuredPolicy> measured;
  {
    ProgressLine progress("measuring", static_cast<std::int64_t>(policies.size()), "policies");
    for (const RatedPolicy& rated : policies) {
      progress.update(static_cast<std::int64_t>(measured.size()), rated.policy.name);
      const auto length = timer.time(rated);
      if (!length) return tl::unexpected(length.error());
      if (*length) measured.push_back({rated, **length});
      if (guide.must_stop()) break;
    }
  }
  if (auto again = measure_again(measured, timer, guide); !again)
    return tl::unexpected(again.error());
  std::stable_sort(
      measured.begin(), measured.end(),
      [](const MeasuredPolicy& a, const MeasuredPolicy& b) { return a.step_ns < b.step_ns; });
  return measured;
}

/// Told before a search that may last minutes, not after it.
Result<void> check_folder_of(const std::string& out) {
  const std::filesystem::path folder = std::filesystem::path(out).parent_path();
  std::error_code none;
  if (folder.empty() || std::filesystem::is_directory(folder, none)) return {};
  return fail("cannot be created: there is no folder " + folder.string(),
              "make it, or name a file in a folder that exists", out);
}

/// What is read, and what may be replaced.
OutputRule rule_of(const TuneRunOptions& options) {
  OutputRule rule;
  rule.force = options.force;
  if (!means_recording(options.scenario.scenario)) return rule;
  if (auto path = recording_path(options.scenario.scenario)) rule.inputs = {std::move(*path)};
  return rule;
}

}  // namespace

Result<TuneOutcome> run_tuning(const TuneRunOptions& options, TuneListener* listener) {
  if (auto fine = check_changes(options.scenario); !fine) return tl::unexpected(fine.error());
  if (auto there = check_folder_of(options.out); !there) return tl::unexpected(there.error());
  const OutputRule rule = rule_of(options);
  if (auto free = check_output(options.out, "--out", rule); !free)
    return tl::unexpected(free.error());
  const auto recording = recording_of(options, listener);
  if (!recording) return tl::unexpected(recording.error());
  const auto trace = read_trace(*recording);
  if (!trace) return tl::unexpected(trace.error());
  const auto predictor = Predictor::of_trace(*trace);
  if (!predictor) return tl::unexpected(predictor.error());
  const auto backend = open_to_measure(options, trace->provenance);
  if (!backend) return tl::unexpected(backend.error());
  TuneOptions tuning;
  tuning.candidates = options.candidates;
  tuning.seed = options.seed;
  tuning.name = "tuned-" + split_name(predictor->replanner().scenario().name).base;
  if (options.memory_limit_mib)
    tuning.most_memory_bytes = static_cast<std::uint64_t>(*options.memory_limit_mib) << 20U;
  TuneGuide guide(listener);
  TuneClock clock(options, guide);
  auto report = tune(predictor->replanner(), predictor->model(), tuning,
                     [&](const TuneProgress& progress) { return clock.keep(progress); });
  if (!report) return tl::unexpected(report.error());
  TuneOutcome outcome;
  outcome.recording = *recording;
  outcome.recorded_under = predictor->replanner().policy().name;
  outcome.recorded_ns = predictor->recorded_ns();
  outcome.error_share = predictor->model().device.fit_error;
  outcome.worst_error_share = predictor->model().device.worst_error;
  outcome.report = std::move(*report);
  outcome.seconds = clock.seconds();
  outcome.interrupted = guide.must_stop();
  if (options.measure > 0 && !outcome.interrupted) {
    auto measured = measure(options, *trace, outcome.report, *backend, guide);
    if (!measured) return tl::unexpected(measured.error());
    outcome.measured = std::move(*measured);
    outcome.interrupted = guide.must_stop();
  }
  if (options.out.empty()) return outcome;
  if (auto written = write_policy(options.out, outcome.best().policy, rule); !written)
    return tl::unexpected(written.error());
  return outcome;
}

}  // namespace quintet
