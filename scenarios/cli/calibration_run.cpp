#include "scenarios/cli/calibration_run.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <optional>

#include "profiler/trace/trace_file.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/whatif/calibration.h"
#include "profiler/whatif/cost_model.h"
#include "runtime/model/nanos.h"
#include "scenarios/cli/interrupt_watch.h"
#include "scenarios/cli/prepared_scenario.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/recorded_catalog.h"
#include "scenarios/cli/scenario_run.h"
#include "scenarios/cli/step_timing.h"
#include "scenarios/lab/recorded_cases.h"
#include "scenarios/lab/replanner.h"

namespace quintet {

namespace {

/// What is timed beside the recorded run, the most telling first.
const std::array<PolicyOptions, 12>& timed_policies() {
  static const std::array<PolicyOptions, 12> kPolicies = {{
      {"renaissance-dataflow", "", "separate", "whole_step"},
      {"renaissance-dataflow", "", "separate", "event_sync"},
      {"serial", "", "separate", "event_sync"},
      {"serial", "", "separate", "host_sync"},
      {"nimble", "", "", "whole_step"},
      {"critical-path", "", "", "whole_step"},
      {"nimble", "", "", "event_sync"},
      {"critical-path", "", "", "event_sync"},
      {"renaissance-dataflow", "", "separate", "host_sync"},
      {"renaissance", "", "in_place", "whole_step"},
      {"renaissance", "", "in_place", "event_sync"},
      {"renaissance-dataflow", "", "in_place", "whole_step"},
  }};
  return kPolicies;
}

/// Fewest runs that say anything about so many constants.
constexpr std::size_t kLeastRuns = 3;

/// The recording that costs are taken from.
Result<RunOutcome> record_serial(const CalibrationOptions& options) {
  RunOptions run;
  run.scenario = options.scenario;
  run.policy = {"serial", "", "", "whole_step"};
  run.executor = options.executor;
  run.record = DeviceRecording::node;
  run.out = options.out.empty() ? options.scenario.scenario + "-calibrated.qtrace" : options.out;
  auto outcome = run_scenario(run);
  if (!outcome) return outcome;
  if (outcome->recording_error) return tl::unexpected(*outcome->recording_error);
  if (outcome->interrupted) return fail("stopped by a signal", "run it again");
  return outcome;
}

Result<MeasuredPlan> time_policy(const CalibrationOptions& options, const PolicyOptions& policy,
                                 const std::shared_ptr<Backend>& backend, InterruptWatch& watch) {
  auto prepared = prepare_scenario(options.scenario, policy, backend);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto length = time_steps(*prepared->session, [&watch] { return watch.interrupted(); });
  if (!length || watch.interrupted()) {
    return fail(
        watch.interrupted() ? std::string("stopped by a signal")
                            : fmt::format("the scenario has fewer than {} steps", kTimedSteps),
        fmt::format("run it with --steps {} and with --epochs enough for them", 2 * kTimedSteps));
  }
  return MeasuredPlan{prepared->policy.name, prepared->session->plan(),
                      static_cast<double>(*length)};
}

/// Times one policy after the other until the time is up; how many were left out.
Result<std::size_t> time_policies(const CalibrationOptions& options, double end_ns,
                                  std::vector<MeasuredPlan>& measured) {
  const auto backend = open_backend(options.executor);
  if (!backend) return tl::unexpected(backend.error());
  InterruptWatch watch;
  const auto& policies = timed_policies();
  ProgressLine progress("calibrating", static_cast<std::int64_t>(policies.size()), "runs");
  for (std::size_t index = 0; index < policies.size(); ++index) {
    if (index >= kLeastRuns && static_cast<double>(monotonic_ns()) > end_ns)
      return policies.size() - index;
    progress.update(static_cast<std::int64_t>(index), policies[index].policy);
    auto run = time_policy(options, policies[index], *backend, watch);
    if (!run) return tl::unexpected(run.error());
    measured.push_back(std::move(*run));
  }
  return std::size_t{0};
}

/// What is known of the device, an earlier calibration aside, so that the same runs give the same
/// constants; of an unknown device those of another, under its name.
DeviceModel first_guess(const Trace& trace) {
  Trace uncalibrated;
  uncalibrated.provenance = trace.provenance;
  uncalibrated.provenance.erase(std::string(kCalibrationKey));
  if (auto known = device_model_of(uncalibrated)) return *known;
  DeviceModel guess = shipped_device_model();
  const auto gpu = trace.provenance.find("gpu");
  if (gpu != trace.provenance.end()) guess.device = gpu->second;
  return guess;
}

/// A recording that takes constants of that device; empty = it is not known yet.
Result<Trace> receiver_of(const std::string& path, const std::string& device) {
  auto trace = read_trace(path);
  if (!trace) return trace;
  const std::string made_on = device_name_of(*trace);
  if (device.empty() || made_on.empty() || made_on == device) return trace;
  return fail(fmt::format("was recorded on '{}', the constants are of '{}'", made_on, device),
              "calibrate on the machine that it was recorded on", path);
}

/// Before anything is measured: minutes of it would be lost.
Result<void> check_receivers(const std::vector<std::string>& paths, const std::string& device) {
  for (const std::string& path : paths) {
    if (const auto trace = receiver_of(path, device); !trace) return tl::unexpected(trace.error());
  }
  return {};
}

/// Puts the constants into a recording that lies on disk.
Result<void> store(const DeviceModel& device, const std::string& path) {
  auto trace = receiver_of(path, device.device);
  if (!trace) return tl::unexpected(trace.error());
  trace->provenance[std::string(kCalibrationKey)] = calibration_text(device);
  return write_trace(*trace, path, form_of(path));
}

/// What the constants are fitted to, and where they go.
struct Measurements {
  std::vector<FitCase> cases;
  std::string source;  ///< "12 runs of generated-mlp"
  std::vector<std::string> recordings;
  std::size_t left_out = 0;
};

std::size_t measured_runs(const std::vector<FitCase>& cases) {
  std::size_t runs = 0;
  for (const FitCase& each : cases)
    runs += each.measured.size();
  return runs;
}

Result<Measurements> measure_scenario(const CalibrationOptions& options) {
  const double end_ns = static_cast<double>(monotonic_ns()) + options.seconds * 1e9;
  const auto outcome = record_serial(options);
  if (!outcome) return tl::unexpected(outcome.error());
  if (auto same = check_receivers(options.into, device_name_of(outcome->trace)); !same)
    return tl::unexpected(same.error());
  const auto replanner = Replanner::of_trace(outcome->trace);
  if (!replanner) return tl::unexpected(replanner.error());
  auto recorded = replanner->plan(replanner->policy());
  if (!recorded) return tl::unexpected(recorded.error());
  FitCase fit_case{outcome->trace, std::move(*recorded), {}};
  const auto left_out = time_policies(options, end_ns, fit_case.measured);
  if (!left_out) return tl::unexpected(left_out.error());
  Measurements measured;
  measured.cases.push_back(std::move(fit_case));
  measured.source = fmt::format("{} runs of {}", measured_runs(measured.cases), outcome->scenario);
  // Its own recording first: should another not take them, they are not lost.
  measured.recordings.push_back(outcome->recording);
  measured.recordings.insert(measured.recordings.end(), options.into.begin(), options.into.end());
  measured.left_out = *left_out;
  return measured;
}

Result<Measurements> take_recordings(const CalibrationOptions& options) {
  std::vector<NamedTrace> traces;
  Measurements measured;
  for (const std::string& word : options.recordings) {
    const auto path = recording_path(word);
    if (!path) return tl::unexpected(path.error());
    auto trace = read_trace(*path);
    if (!trace) return tl::unexpected(trace.error());
    traces.push_back({word, std::move(*trace)});
    measured.recordings.push_back(*path);
  }
  const std::string device = traces.empty() ? "" : device_name_of(traces.front().trace);
  if (auto same = check_receivers(options.into, device); !same) return tl::unexpected(same.error());
  auto cases = fit_cases_of(std::move(traces));
  if (!cases) return tl::unexpected(cases.error());
  measured.cases = std::move(*cases);
  measured.source = fmt::format("{} recorded runs of {} scenarios", measured_runs(measured.cases),
                                measured.cases.size());
  if (!options.into.empty()) measured.recordings = options.into;
  return measured;
}

}  // namespace

Result<Calibration> run_calibration(const CalibrationOptions& options) {
  if (auto fit_to_take = check_receivers(options.into, ""); !fit_to_take)
    return tl::unexpected(fit_to_take.error());
  auto measured = options.recordings.empty() ? measure_scenario(options) : take_recordings(options);
  if (!measured) return tl::unexpected(measured.error());
  const DeviceModel start = first_guess(measured->cases.front().recording);
  const std::int64_t fit_begin_ns = monotonic_ns();
  auto fit = fit_device_model(start, measured->cases);
  if (!fit) return tl::unexpected(fit.error());
  fit->device.provenance = fmt::format("calibrated {:%Y-%m-%dT%H:%M:%SZ} with {}",
                                       fmt::gmtime(std::time(nullptr)), measured->source);
  Calibration calibration;
  calibration.fit_seconds = static_cast<double>(monotonic_ns() - fit_begin_ns) / 1e9;
  calibration.recordings = std::move(measured->recordings);
  calibration.left_out = measured->left_out;
  for (const std::string& path : calibration.recordings) {
    if (auto stored = store(fit->device, path); !stored) return tl::unexpected(stored.error());
  }
  calibration.fit = std::move(*fit);
  return calibration;
}

}  // namespace quintet
