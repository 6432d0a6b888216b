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

/// Theoretical occupancy of the kernels of a step, weighted with their time; nothing where none
/// says it.
std::optional<double> mean_occupancy(const Trace& trace, const MeasuredStep& step) {
  double weighted = 0;
  double time = 0;
  for (const std::uint32_t span : step.window->spans) {
    const TraceActivity* kernel = kernel_of(trace, span);
    if (kernel == nullptr || !kernel->launch || !kernel->launch->occupancy) continue;
    const auto part =
        static_cast<double>(intersect(interval_of(trace.spans, span), step.window->time).length());
    weighted += *kernel->launch->occupancy * part;
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

std::optional<double> multiprocessor_time(const MetricContext& context, const MeasuredStep& step) {
  const std::optional<std::int64_t> count = multiprocessors(context);
  if (!count) return std::nullopt;
  std::vector<Change> changes;
  for (const std::uint32_t span : step.window->spans) {
    const TraceActivity* kernel = kernel_of(context.trace(), span);
    if (kernel == nullptr) continue;
    if (!kernel->launch) return std::nullopt;
    const Interval part = intersect(interval_of(context.trace().spans, span), step.window->time);
    if (part.empty()) continue;
    const auto used = static_cast<std::int64_t>(
        std::min(blocks_of(*kernel->launch), static_cast<double>(*count)));
    changes.push_back({part.begin, used});
    changes.push_back({part.end, -used});
  }
  if (changes.empty()) return std::nullopt;
  return integral(std::move(changes), *count) / static_cast<double>(*count);
}

MetricValue without_multiprocessor_time(const MetricContext& context, MetricDefinition definition) {
  if (context.observed_steps().empty()) {
    return unknown_metric(std::move(definition), context.not_observed_reason());
  }
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
  for (const MeasuredStep* step : context.observed_steps()) {
    if (const auto used = multiprocessor_time(context, *step)) {
      efficiency.push_back(*used / step->length());
    }
    if (const auto mean = mean_occupancy(context.trace(), *step)) occupancy.push_back(*mean);
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
  } else if (!context.observed_steps().empty() && !has_kernels(context)) {
    metrics.push_back(absent_metric(std::move(theoretical), "no kernel was recorded"));
  } else {
    metrics.push_back(unknown_metric(
        std::move(theoretical), context.observed_steps().empty()
                                    ? context.not_observed_reason()
                                    : "kernels of the timed steps do not say their occupancy"));
  }
  return metrics;
}

}  // namespace quintet
