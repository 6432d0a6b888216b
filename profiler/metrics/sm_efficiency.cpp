#include "profiler/metrics/sm_efficiency.h"

#include <algorithm>
#include <charconv>

#include "profiler/analysis/device_work.h"

namespace quintet {

namespace {

/// A change of how many multiprocessors the running kernels have blocks for.
struct Change {
  std::int64_t at = 0;
  std::int64_t multiprocessors = 0;
};

std::optional<std::int64_t> multiprocessors(const MetricContext& context) {
  const std::string text = context.provenance("multiprocessors");
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count <= 0) return std::nullopt;
  return count;
}

double blocks_of(const LaunchShape& launch) {
  return static_cast<double>(launch.grid[0]) * static_cast<double>(launch.grid[1]) *
         static_cast<double>(launch.grid[2]);
}

/// The kernel that a span of a step's window runs; null for what is no kernel on a stream.
const TraceActivity* kernel_of(const Trace& trace, std::uint32_t span) {
  const std::uint32_t activity = trace.spans.activity[span];
  if (activity_kind(trace, activity) != ActivityKind::kernel || !on_stream(trace, span)) {
    return nullptr;
  }
  return &trace.activities[activity];
}

/// In multiprocessors times ns; `all` at most at any instant.
double integral(std::vector<Change> changes, std::int64_t all) {
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.at < b.at; });
  double used = 0;
  std::int64_t now = 0;
  for (std::size_t index = 0; index + 1 < changes.size(); ++index) {
    now += changes[index].multiprocessors;
    used += static_cast<double>(std::min(now, all)) *
            static_cast<double>(changes[index + 1].at - changes[index].at);
  }
  return used;
}

/// The occupancy that a span's kernel says.
std::optional<double> occupancy_of_kernel(const Trace& trace, std::uint32_t span) {
  const TraceActivity* kernel = kernel_of(trace, span);
  return kernel == nullptr || !kernel->launch ? std::nullopt : kernel->launch->occupancy;
}

/// Per window, of the kernels that cover it from outside to outside: how many say their occupancy,
/// and the sum.
struct CoveringOccupancy {
  std::vector<std::int64_t> kernels;
  std::vector<long double> sum;
};

/// Theoretical occupancy of the kernels of a step, weighted with their time; nothing where none
/// says it.
std::optional<double> mean_occupancy(const Trace& trace, const MeasuredStep& step,
                                     const CoveringOccupancy& covering) {
  const std::size_t at = step.window->position;
  const auto kernels = static_cast<double>(covering.kernels[at]);
  double weighted = kernels > 0 ? static_cast<double>(covering.sum[at]) * step.length() : 0;
  double time = kernels * step.length();
  for (const std::uint32_t span : step.window->spans) {
    const std::optional<double> occupancy = occupancy_of_kernel(trace, span);
    if (!occupancy) continue;
    const auto part =
        static_cast<double>(intersect(interval_of(trace.spans, span), step.window->time).length());
    weighted += *occupancy * part;
    time += part;
  }
  if (time == 0) return std::nullopt;
  return weighted / time;
}

bool has_kernels(const MetricContext& context) {
  const Trace& trace = context.trace();
  return std::any_of(trace.activities.begin(), trace.activities.end(),
                     [](const TraceActivity& each) { return each.kind == ActivityKind::kernel; });
}

}  // namespace

std::vector<std::optional<double>> multiprocessor_times(
    const MetricContext& context, const std::vector<const MeasuredStep*>& steps) {
  std::vector<std::optional<double>> times(steps.size());
  const std::optional<std::int64_t> count = multiprocessors(context);
  if (!count) return times;
  const Trace& trace = context.trace();
  const auto used_by = [&](std::uint32_t span) -> std::int64_t {
    const TraceActivity* kernel = kernel_of(trace, span);
    if (kernel == nullptr || !kernel->launch) return 0;
    return static_cast<std::int64_t>(
        std::min(blocks_of(*kernel->launch), static_cast<double>(*count)));
  };
  const auto unsaid = [&](std::uint32_t span) {
    const TraceActivity* kernel = kernel_of(trace, span);
    return kernel != nullptr && !kernel->launch;
  };
  const auto covering = sum_over_covering<std::int64_t>(context.windows(), used_by);
  const std::vector<bool> any_unsaid = windows_with(context.windows(), unsaid);
  for (std::size_t index = 0; index < steps.size(); ++index) {
    const StepWindow& window = *steps[index]->window;
    if (any_unsaid[window.position]) continue;
    std::vector<Change> changes;
    if (const std::int64_t used = covering[window.position]; used > 0) {
      changes.push_back({window.time.begin, used});
      changes.push_back({window.time.end, -used});
    }
    for (const std::uint32_t span : window.spans) {
      if (kernel_of(trace, span) == nullptr) continue;
      const Interval part = intersect(interval_of(trace.spans, span), window.time);
      if (part.empty()) continue;
      const std::int64_t used = used_by(span);
      changes.push_back({part.begin, used});
      changes.push_back({part.end, -used});
    }
    if (changes.empty()) continue;
    times[index] = integral(std::move(changes), *count) / static_cast<double>(*count);
  }
  return times;
}

MetricValue without_multiprocessor_time(const MetricContext& context, MetricDefinition definition) {
  if (context.observed_steps().empty()) return context.without_work(std::move(definition));
  if (!has_kernels(context)) return absent_metric(std::move(definition), "no kernel was recorded");
  if (!multiprocessors(context)) {
    return unknown_metric(std::move(definition),
                          "the recording does not say how many multiprocessors the GPU has");
  }
  return unknown_metric(std::move(definition), "kernels of the timed steps do not say their grid");
}

std::vector<MetricValue> sm_efficiency_metrics(MetricContext& context) {
  std::vector<double> efficiency;
  std::vector<double> occupancy;
  const Trace& trace = context.trace();
  const std::vector<const MeasuredStep*>& steps = context.observed_steps();
  const std::vector<std::optional<double>> used = multiprocessor_times(context, steps);
  const CoveringOccupancy covering{
      sum_over_covering<std::int64_t>(context.windows(),
                                      [&trace](std::uint32_t span) {
                                        return std::int64_t{occupancy_of_kernel(trace, span) ? 1
                                                                                             : 0};
                                      }),
      sum_over_covering<long double>(context.windows(), [&trace](std::uint32_t span) {
        return static_cast<long double>(occupancy_of_kernel(trace, span).value_or(0));
      })};
  for (std::size_t index = 0; index < steps.size(); ++index) {
    if (used[index]) efficiency.push_back(*used[index] / steps[index]->length());
    if (const auto mean = mean_occupancy(trace, *steps[index], covering))
      occupancy.push_back(*mean);
  }
  MetricDefinition use{
      "sm/efficiency", "Multiprocessor use, at most",
      "Share of the multiprocessors that the running kernels have blocks for, over "
      "the whole step: an upper bound of what was used. Kernels that run at once "
      "add up, to all of them at most.",
      "integral of min(1, sum of min(1, blocks / SMs)) / T", MetricHint::percentage};
  MetricDefinition theoretical{"sm/occupancy", "Theoretical occupancy",
                               "Resident warps that the kernels' limits allow, of the most a "
                               "multiprocessor holds: mean over the time of kernels.",
                               "sum of occupancy * d / sum of d", MetricHint::percentage};
  std::vector<MetricValue> metrics;
  metrics.push_back(efficiency.empty()
                        ? without_multiprocessor_time(context, std::move(use))
                        : known_over_steps(std::move(use), std::move(efficiency), {}));
  if (!occupancy.empty()) {
    metrics.push_back(known_over_steps(std::move(theoretical), std::move(occupancy), {}));
  } else if (context.observed_steps().empty()) {
    metrics.push_back(context.without_work(std::move(theoretical)));
  } else if (!has_kernels(context)) {
    metrics.push_back(absent_metric(std::move(theoretical), "no kernel was recorded"));
  } else {
    metrics.push_back(unknown_metric(std::move(theoretical),
                                     "kernels of the timed steps do not say their occupancy"));
  }
  return metrics;
}

}  // namespace quintet
