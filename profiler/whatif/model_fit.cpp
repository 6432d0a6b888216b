#include "profiler/whatif/model_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "profiler/whatif/prediction.h"

namespace quintet {

namespace {

/// A constant that is searched.
struct Searched {
  double* value;
  double scale;  ///< a change that matters
  double least;
  double most = std::numeric_limits<double>::infinity();
};

/// All that recorded steps tell something of. Not `mixed_gain`: with it the shipped ones are
/// explained no better, and the bound of a search is 3 % looser.
std::vector<Searched> searched_constants(DeviceModel& device) {
  ContentionModel& contention = device.contention;
  return {
      {&device.edge_ns, 200, 0},
      {&device.fan_out_ns, 100, 0},
      {&device.fan_in_ns, 100, 0},
      {&device.fill_in_ns, 1000, 0},
      {&device.fill_out_ns, 1000, 0},
      {&device.root_join_ns, 500, 0},
      {&device.graph_ns, 1000, 0},
      {&device.graph_root_ns, 500, 0},
      {&device.graph_leaf_ns, 500, 0},
      {&contention.capacity, 0.04, 0.5},
      {&contention.least_rate, 0.05, 0, 1},
      {&device.stream_wait_ns, 2000, 0},
      {&device.leaf_wait_ns, 2000, 0},
      {&device.launch_call_ns, 1000, 0},
      {&device.launch_call_node_ns, 100, 0},
      {&device.host_wake_ns, 2000, 0},
      {&device.launch_latency_ns, 2000, 0},
  };
}

/// What a constant that lies one scale off its start costs, as a squared relative error: measured
/// steps that say nothing of a constant leave it where it was.
constexpr double kPrior = 2e-6;
constexpr double kFirstDamping = 1e-2;
constexpr double kMostDamping = 1e6;

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

/// Levenberg and Marquardt's method with slopes from differences, held to the start by a prior.
class ConstantFit {
 public:
  ConstantFit(const DeviceModel& start, const std::vector<FitCase>& cases,
              const std::vector<CaseCosts>& costs)
      : device_(start), cases_(cases), costs_(costs), constants_(searched_constants(device_)) {
    for (const Searched& constant : constants_)
      start_.push_back(*constant.value);
  }

  Result<FitResult> run(int rounds) {
    auto best = judge(device_, cases_, costs_);
    double damping = kFirstDamping;
    for (int round = 0; best && round < rounds && damping < kMostDamping; ++round) {
      const auto slopes = slopes_at(*best);
      if (!slopes) return tl::unexpected(slopes.error());
      while (damping < kMostDamping) {
        auto next = step_from(*best, *slopes, damping);
        if (!next) return next;
        const bool better = badness(*next) < badness(*best);
        damping *= better ? 0.3 : 4;
        if (!better) continue;
        best = std::move(next);
        break;
      }
      set(best->device);
    }
    return best;
  }

 private:
  using Matrix = std::vector<std::vector<double>>;

  /// In scales from the start.
  [[nodiscard]] double offset(std::size_t constant) const {
    return (*constants_[constant].value - start_[constant]) / constants_[constant].scale;
  }

  void set(const DeviceModel& device) {
    device_ = device;  // constants_ points into device_
  }

  /// Mean square of the relative errors, and of the offsets as the prior counts them.
  double badness(const FitResult& result) {
    set(result.device);
    double sum = 0;
    for (const FittedPlan& plan : result.plans)
      sum += plan.error() * plan.error();
    sum /= static_cast<double>(result.plans.size());
    for (std::size_t constant = 0; constant < constants_.size(); ++constant)
      sum += kPrior * offset(constant) * offset(constant);
    return sum;
  }

  /// [constant][plan]: how the error grows with a scale of the constant.
  Result<Matrix> slopes_at(const FitResult& at) {
    Matrix slopes;
    for (Searched& constant : constants_) {
      set(at.device);
      *constant.value += constant.scale / 4;
      const auto moved = judge(device_, cases_, costs_);
      if (!moved) return tl::unexpected(moved.error());
      std::vector<double>& row = slopes.emplace_back();
      for (std::size_t plan = 0; plan < at.plans.size(); ++plan)
        row.push_back((moved->plans[plan].error() - at.plans[plan].error()) * 4);
    }
    set(at.device);
    return slopes;
  }

  Result<FitResult> step_from(const FitResult& at, const Matrix& slopes, double damping) {
    set(at.device);
    const std::size_t count = constants_.size();
    const auto plans = static_cast<double>(at.plans.size());
    Matrix normal(count, std::vector<double>(count, 0));
    std::vector<double> change(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t plan = 0; plan < at.plans.size(); ++plan) {
        change[i] -= slopes[i][plan] * at.plans[plan].error() / plans;
        for (std::size_t j = 0; j < count; ++j)
          normal[i][j] += slopes[i][plan] * slopes[j][plan] / plans;
      }
      change[i] -= kPrior * offset(i);
      normal[i][i] = (normal[i][i] + kPrior) * (1 + damping);
    }
    solve(normal, change);
    for (std::size_t i = 0; i < count; ++i) {
      Searched& constant = constants_[i];
      *constant.value =
          std::clamp(*constant.value + change[i] * constant.scale, constant.least, constant.most);
    }
    return judge(device_, cases_, costs_);
  }

  /// Cholesky's method: `matrix` is symmetric and positive, `vector` becomes the solution.
  static void solve(Matrix& matrix, std::vector<double>& vector) {
    const std::size_t count = vector.size();
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = matrix[i][j];
        for (std::size_t k = 0; k < j; ++k)
          sum -= matrix[i][k] * matrix[j][k];
        matrix[i][j] = i == j ? std::sqrt(sum) : sum / matrix[j][j];
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < i; ++k)
        vector[i] -= matrix[i][k] * vector[k];
      vector[i] /= matrix[i][i];
    }
    for (std::size_t i = count; i-- > 0;) {
      for (std::size_t k = i + 1; k < count; ++k)
        vector[i] -= matrix[k][i] * vector[k];
      vector[i] /= matrix[i][i];
    }
  }

  DeviceModel device_;
  const std::vector<FitCase>& cases_;
  const std::vector<CaseCosts>& costs_;
  std::vector<Searched> constants_;  ///< of device_
  std::vector<double> start_;
};

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
  return ConstantFit(start, cases, *costs).run(rounds);
}

}  // namespace quintet
