#include "profiler/metrics/device_counts.h"

#include <array>

#include "profiler/analysis/device_work.h"

namespace quintet {

namespace {

struct Counted {
  ActivityKind kind;
  const char* tag;
  const char* name;
  const char* things;
};

constexpr auto kCounted = std::to_array<Counted>(
    {{ActivityKind::kernel, "device/kernels", "Kernels", "Kernels"},
     {ActivityKind::memcpy, "device/memcpys", "Device copies", "Copies by a device"},
     {ActivityKind::memset, "device/memsets", "Device fills", "Fills by a device"}});

}  // namespace

std::vector<MetricValue> device_count_metrics(MetricContext& context) {
  const Trace& trace = context.trace();
  std::array<std::vector<double>, kCounted.size()> counts;
  const std::vector<bool> at_work = windows_with(context.windows(), [&trace](std::uint32_t span) {
    return is_device_activity(trace, trace.spans.activity[span]) && on_stream(trace, span);
  });
  bool any = false;
  for (const MeasuredStep* step : context.observed_steps()) {
    std::array<double, kActivityKindCount> in_step{};
    any = any || at_work[step->window->position];
    for (const std::uint32_t span : step->window->spans) {
      const std::uint32_t activity = trace.spans.activity[span];
      if (!is_device_activity(trace, activity) || !on_stream(trace, span)) continue;
      // One that crosses the border counts where it begins.
      if (!step->window->time.contains(trace.spans.begin_ns[span])) continue;
      ++in_step[static_cast<std::size_t>(trace.activities[activity].kind)];
    }
    for (std::size_t index = 0; index < kCounted.size(); ++index)
      counts[index].push_back(in_step[static_cast<std::size_t>(kCounted[index].kind)]);
  }
  std::vector<MetricValue> metrics;
  for (std::size_t index = 0; index < kCounted.size(); ++index) {
    const Counted& each = kCounted[index];
    MetricDefinition definition{each.tag, each.name,
                                std::string(each.things) + " that begin in the step.",
                                "count of begins", MetricHint::count};
    if (!any) counts[index].clear();
    metrics.push_back(context.over_work(std::move(definition), std::move(counts[index]),
                                        "no device was at work in the timed steps"));
  }
  return metrics;
}

}  // namespace quintet
