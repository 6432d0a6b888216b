#include "profiler/whatif/model_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "profiler/whatif/prediction.h"

namespace quintet {

namespace {

/// A constant that is searched: the first step, and the least value.
struct Searched {
  double* value;
  double step;
  double least;
};

std::vector<Searched> searched_constants(DeviceModel& device) {
  ContentionModel& contention = device.contention;
  return {
      {&device.edge_ns, 200, 0},
      {&device.fan_out_ns, 100, 0},
      {&device.fan_in_ns, 100, 0},
      {&device.fill_in_ns, 1000, 0},
      {&device.fill_out_ns, 1000, 0},
      {&device.graph_ns, 1000, 0},
      {&device.graph_stream_ns, 500, 0},
      {&contention.capacity, 0.04, 0.5},
      {&contention.mixed_gain, 0.1, 0},
      {&contention.least_rate, 0.05, 0},
      {&device.stream_wait_ns, 1000, 0},
      {&device.launch_call_ns, 1000, 0},
      {&device.launch_call_node_ns, 100, 0},
      {&device.host_wake_ns, 2000, 0},
      {&device.launch_latency_ns, 2000, 0},
  };
}

/// Mean square of the relative errors.
double badness(const std::vector<FittedPlan>& plans) {
  double sum = 0;
  for (const FittedPlan& plan : plans)
    sum += plan.error() * plan.error();
  return sum / static_cast<double>(std::max<std::size_t>(1, plans.size()));
}

void tell_errors(FitResult& result) {
  DeviceModel& device = result.device;
  device.worst_error = 0;
  device.host_sync_error = 0;
  std::vector<double> errors;
  for (const FittedPlan& plan : result.plans) {
    errors.push_back(std::abs(plan.error()));
    double& worst = plan.mode == StepMode::host_sync ? device.host_sync_error : device.worst_error;
    worst = std::max(worst, errors.back());
  }
  std::sort(errors.begin(), errors.end());
  if (!errors.empty()) device.fit_error = errors[errors.size() / 2];
}

/// What of a case does not change with the constants that are searched.
struct CaseCosts {
  TaskCosts costs;
  double step_ns = 0;
};

Result<std::vector<CaseCosts>> costs_of_cases(const DeviceModel& device,
                                              const std::vector<FitCase>& cases) {
  std::vector<CaseCosts> all;
  for (const FitCase& each : cases) {
    auto costs = costs_of(each.recording, device);
    if (!costs) return tl::unexpected(costs.error());
    all.push_back({std::move(*costs), recorded_step_ns(each.recording)});
  }
  return all;
}

Result<FitResult> judge(const DeviceModel& device, const std::vector<FitCase>& cases,
                        const std::vector<CaseCosts>& costs) {
  FitResult result;
  result.device = device;
  for (std::size_t index = 0; index < cases.size(); ++index) {
    const FitCase& each = cases[index];
    const auto model =
        cost_model_from(costs[index].costs, device, each.recorded, costs[index].step_ns);
    if (!model) return tl::unexpected(model.error());
    for (const MeasuredPlan& measured : each.measured) {
      const auto predicted = predict_step(measured.plan, *model);
      if (!predicted) return tl::unexpected(predicted.error());
      result.plans.push_back(
          {measured.name, predicted->step_ns, measured.step_ns, measured.plan.mode});
    }
  }
  if (result.plans.empty()) {
    return fail("no step was measured that constants could be fitted to",
                "measure the recorded network under other policies");
  }
  tell_errors(result);
  return result;
}

}  // namespace

Result<FitResult> judge_device_model(const DeviceModel& device, const std::vector<FitCase>& cases) {
  const auto costs = costs_of_cases(device, cases);
  if (!costs) return tl::unexpected(costs.error());
  return judge(device, cases, *costs);
}

Result<FitResult> fit_device_model(const DeviceModel& start, const std::vector<FitCase>& cases,
                                   int rounds) {
  const auto costs = costs_of_cases(start, cases);
  if (!costs) return tl::unexpected(costs.error());
  DeviceModel device = start;
  std::vector<Searched> constants = searched_constants(device);
  auto best = judge(device, cases, *costs);
  if (!best) return best;
  for (int round = 0; round < rounds; ++round) {
    bool better = false;
    for (Searched& constant : constants) {
      const double before = *constant.value;
      for (const double step : {constant.step, -constant.step}) {
        *constant.value = std::max(constant.least, before + step);
        if (*constant.value == before) continue;
        auto now = judge(device, cases, *costs);
        if (!now) return now;
        if (badness(now->plans) < badness(best->plans) * (1 - 1e-6)) {
          best = std::move(now);
          better = true;
          break;
        }
        *constant.value = before;
      }
    }
    if (better) continue;
    for (Searched& constant : constants)
      constant.step /= 2;
  }
  return best;
}

}  // namespace quintet
