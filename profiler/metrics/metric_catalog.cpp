#include "profiler/metrics/metric_catalog.h"

#include <array>

#include "profiler/metrics/bounds.h"
#include "profiler/metrics/concurrency.h"
#include "profiler/metrics/hidden_work.h"
#include "profiler/metrics/launch_overhead.h"
#include "profiler/metrics/logical_width_metric.h"
#include "profiler/metrics/memory.h"
#include "profiler/metrics/pair_overlap_metric.h"
#include "profiler/metrics/probe_effect.h"
#include "profiler/metrics/step_time.h"
#include "profiler/metrics/stream_gain.h"
#include "profiler/metrics/utilisation.h"
#include "profiler/metrics/wait_shares.h"

namespace quintet {

namespace {

constexpr auto kCatalog = std::to_array<MetricFamily>({
    {"Step", step_time_metrics},
    {"Gain", stream_gain_metrics},
    {"Utilisation", utilisation_metrics, true},
    {"Concurrency", concurrency_metrics, true},
    {"Hidden work", hidden_work_metrics, true},
    {"Pair overlap", pair_overlap_metrics, true},
    {"Bounds", bound_metrics, true},
    {"Logical width", logical_width_metrics},
    {"Waits", wait_share_metrics, true},
    {"Launches", launch_overhead_metrics},
    {"Memory", memory_metrics},
    {"Probe effect", probe_effect_metrics},
});

/// True where streams were given work and the recording holds none of it: not the same as idle
/// streams.
bool spans_are_missing(const MetricContext& context) {
  return context.used_lanes().empty() && !context.trace().launches.empty();
}

std::vector<MetricValue> all_unknown(std::vector<MetricValue> values) {
  for (MetricValue& value : values) {
    if (value.state == MetricState::unknown) continue;
    value = unknown_metric(std::move(value.definition),
                           "the recording holds no spans of the tasks on streams");
  }
  return values;
}

}  // namespace

std::span<const MetricFamily> metric_catalog() {
  return kCatalog;
}

std::vector<MetricGroup> compute_metric_groups(MetricContext& context) {
  std::vector<MetricGroup> groups;
  for (const MetricFamily& family : metric_catalog()) {
    std::vector<MetricValue> values = family.compute(context);
    if (family.from_spans && spans_are_missing(context)) values = all_unknown(std::move(values));
    groups.push_back({family.name, std::move(values)});
  }
  return groups;
}

std::vector<MetricValue> compute_metrics(const Trace& trace, const Trace* serial) {
  MetricContext context(trace, serial);
  std::vector<MetricValue> all;
  for (MetricGroup& group : compute_metric_groups(context)) {
    for (MetricValue& value : group.values)
      all.push_back(std::move(value));
  }
  return all;
}

}  // namespace quintet
