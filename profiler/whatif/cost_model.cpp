#include "profiler/whatif/cost_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analysis/step_window.h"
#include "profiler/whatif/calibration.h"
#include "profiler/whatif/simulator.h"
#include "profiler/whatif/step_model.h"

namespace quintet {

namespace {

/// The gap between kernels that a fit may choose, in ns: more is no gap.
constexpr double kMostNodeGapNs = 1500;
/// The same between tasks of a host's thread.
constexpr double kMostTaskGapNs = 100'000;
constexpr int kFitRounds = 8;
constexpr int kCompanyRounds = 4;

std::string provenance(const Trace& trace, const std::string& key) {
  const auto found = trace.provenance.find(key);
  return found == trace.provenance.end() ? std::string() : found->second;
}

/// Longest step that is believed, in ns (104 days), and most multiprocessors.
constexpr double kMostOfANumber = 9e15;

/// One above 0; what is none is not known.
std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(value > 0) || value > kMostOfANumber) return std::nullopt;
  return value;
}

/// "Intel(R) Xeon(R) Processor, 2 cores" -> 2.
double cores_of(const std::string& cpu) {
  const std::size_t comma = cpu.rfind(", ");
  if (comma == std::string::npos) return 1;
  double cores = 1;
  std::from_chars(cpu.data() + comma + 2, cpu.data() + cpu.size(), cores);
  return std::max(1.0, cores);
}

bool uses_several_streams(const ExecutionPlan& plan) {
  std::set<StreamKind> streams;
  for (const auto& [key, graph] : plan.graphs) {
    for (const PlacedTask& placed : graph.tasks)
      streams.insert(placed.stream);
  }
  return streams.size() > 1;
}

/// How long each task took in the simulation, gaps between its kernels aside.
std::map<std::string, double> simulated_times(const ExecutionPlan& plan, const StepModel& step,
                                              const CostModel& model) {
  SimTimes times;
  Simulator(model.device.contention).run(step.graph, &times);
  std::map<std::string, double> by_key;
  for (SimIndex node = 0; node < step.labels.size(); ++node) {
    if (step.labels[node].kind != SimLabel::Kind::task) continue;
    const Task& task = plan.task(step.labels[node].task);
    const std::string key = cost_key(task.name, plan.shape(task.shape).name);
    const auto cost = model.costs.by_key.find(key);
    if (cost == model.costs.by_key.end()) continue;
    const double gaps = (cost->second.kernels - 1.0) * model.device.node_gap_ns;
    by_key[key] = std::max(1.0, times.end_ns[node] - times.begin_ns[node] - gaps);
  }
  return by_key;
}

/// Costs that, simulated under the recorded plan, take the recorded times. A task never costs more
/// alone than it took, nor less than half.
Result<void> without_company(const ExecutionPlan& plan, CostModel& model) {
  const TaskCosts recorded = model.costs;
  for (int round = 0; round < kCompanyRounds; ++round) {
    const auto step = step_model_of(plan, model.costs, model.device);
    if (!step) return tl::unexpected(step.error());
    for (const auto& [key, simulated] : simulated_times(plan, *step, model)) {
      TaskCost& cost = model.costs.by_key.at(key);
      const double took = recorded.by_key.at(key).alone_ns;
      cost.alone_ns = std::clamp(cost.alone_ns * took / simulated, took / 2, took);
    }
  }
  return {};
}

Result<double> simulated_step(const ExecutionPlan& plan, const CostModel& model) {
  const auto step = step_model_of(plan, model.costs, model.device);
  if (!step) return tl::unexpected(step.error());
  return Simulator(model.device.contention).run(step->graph).step_ns;
}

bool on_gpu(const DeviceModel& device) {
  return device.contention.sharing == Sharing::first_come;
}

/// Finds the gap between kernels with which the recorded plan takes the recorded time: a secant,
/// for the step grows with the gap almost in a straight line. What no gap explains is left to the
/// correction.
Result<void> fit_to_step(const ExecutionPlan& plan, double measured_ns, CostModel& model) {
  const double most = on_gpu(model.device) ? kMostNodeGapNs : kMostTaskGapNs;
  double low = 0;
  double high = most;
  double& gap = model.device.node_gap_ns;
  for (int round = 0; round < kFitRounds && high - low > 1; ++round) {
    gap = low;
    const auto least = simulated_step(plan, model);
    gap = high;
    const auto greatest = simulated_step(plan, model);
    if (!least || !greatest) return tl::unexpected(least ? greatest.error() : least.error());
    if (*least >= measured_ns || *greatest <= measured_ns) {
      gap = *least >= measured_ns ? low : high;
      break;
    }
    gap = low + (high - low) * (measured_ns - *least) / (*greatest - *least);
    const auto there = simulated_step(plan, model);
    if (!there) return tl::unexpected(there.error());
    if (std::abs(*there - measured_ns) < measured_ns * 1e-5) break;
    (*there < measured_ns ? low : high) = gap;
  }
  const auto predicted = simulated_step(plan, model);
  if (!predicted) return tl::unexpected(predicted.error());
  if (*predicted > 0) model.correction = measured_ns / *predicted;
  return {};
}

}  // namespace

std::string device_name_of(const Trace& trace) {
  const std::string gpu = provenance(trace, "gpu");
  return gpu.empty() ? provenance(trace, "cpu") : gpu;
}

Result<DeviceModel> device_model_of(const Trace& trace) {
  if (trace.provenance.count("source_file") != 0) {
    return fail("an import says what ran, not what a plan could change",
                "predict from a recording of this program");
  }
  if (provenance(trace, "predicted") == "true") {
    return fail("a prediction is no measurement", "predict from the recording that it was made of");
  }
  if (const std::string text = provenance(trace, std::string(kCalibrationKey)); !text.empty()) {
    auto calibrated = parse_calibration(text);
    const std::string made_on = device_name_of(trace);
    if (calibrated && !made_on.empty() && calibrated->device != made_on) {
      return fail(fmt::format("the calibration is of '{}', the recording was made on '{}'",
                              calibrated->device, made_on),
                  "calibrate on the machine that it was recorded on: quintet calibrate SCENARIO "
                  "--into RECORDING");
    }
    return calibrated;
  }
  if (provenance(trace, "executor") == "host") {
    const std::string cpu = provenance(trace, "cpu");
    return host_device_model(cpu, cores_of(cpu));
  }
  DeviceModel shipped = shipped_device_model();
  const std::string gpu = provenance(trace, "gpu");
  if (gpu != shipped.device) {
    return fail(fmt::format("nothing is known of the device '{}'", gpu),
                "calibrate it: quintet calibrate SCENARIO --into RECORDING");
  }
  if (const auto count = number(provenance(trace, "multiprocessors"))) {
    shipped.multiprocessors = *count;
  }
  return shipped;
}

double recorded_step_ns(const Trace& trace) {
  if (const auto untraced = number(provenance(trace, "untraced_step_ns"))) return *untraced;
  const std::vector<StepWindow> windows = step_windows(trace);
  const auto middle = median_window(windows);
  return middle ? static_cast<double>(windows[*middle].time.length()) : 0;
}

Result<CostModel> cost_model_from(TaskCosts costs, const DeviceModel& device,
                                  const ExecutionPlan& recorded, double step_ns) {
  CostModel model;
  model.device = device;
  model.costs = std::move(costs);
  if (on_gpu(model.device) && uses_several_streams(recorded)) {
    if (auto done = without_company(recorded, model); !done) return tl::unexpected(done.error());
  }
  if (step_ns <= 0) return model;
  if (auto done = fit_to_step(recorded, step_ns, model); !done) {
    return tl::unexpected(done.error());
  }
  return model;
}

Result<CostModel> cost_model_with(const DeviceModel& device, const Trace& trace,
                                  const ExecutionPlan& recorded) {
  auto costs = costs_of(trace, device);
  if (!costs) return tl::unexpected(costs.error());
  return cost_model_from(std::move(*costs), device, recorded, recorded_step_ns(trace));
}

Result<CostModel> cost_model_of(const Trace& trace, const ExecutionPlan& recorded) {
  const auto device = device_model_of(trace);
  if (!device) return tl::unexpected(device.error());
  return cost_model_with(*device, trace, recorded);
}

}  // namespace quintet
