#include "profiler/metrics/metric_catalog.h"

#include <array>

#include "profiler/metrics/achieved_rates.h"
#include "profiler/metrics/bounds.h"
#include "profiler/metrics/concurrency.h"
#include "profiler/metrics/device_counts.h"
#include "profiler/metrics/hidden_work.h"
#include "profiler/metrics/launch_overhead.h"
#include "profiler/metrics/logical_width_metric.h"
#include "profiler/metrics/memory.h"
#include "profiler/metrics/pair_overlap_metric.h"
#include "profiler/metrics/probe_effect.h"
#include "profiler/metrics/record_quality.h"
#include "profiler/metrics/sm_efficiency.h"
#include "profiler/metrics/step_time.h"
#include "profiler/metrics/stream_gain.h"
#include "profiler/metrics/transfer_bandwidth.h"
#include "profiler/metrics/utilisation.h"
#include "profiler/metrics/wait_shares.h"

namespace quintet {

namespace {

constexpr auto kCatalog = std::to_array<MetricFamily>({
    {"Step", step_time_metrics},
    {"Gain", stream_gain_metrics},
    {"Utilisation", utilisation_metrics},
    {"Multiprocessors", sm_efficiency_metrics},
    {"Concurrency", concurrency_metrics},
    {"Hidden work", hidden_work_metrics},
    {"Pair overlap", pair_overlap_metrics},
    {"Bounds", bound_metrics},
    {"Logical width", logical_width_metrics},
    {"Waits", wait_share_metrics},
    {"Launches", launch_overhead_metrics},
    {"Device work", device_count_metrics},
    {"Transfers", transfer_bandwidth_metrics},
    {"Rates", achieved_rate_metrics},
    {"Memory", memory_metrics},
    {"Probe effect", probe_effect_metrics},
    {"Recording", record_quality_metrics},
});

}  // namespace

std::span<const MetricFamily> metric_catalog() {
  return kCatalog;
}

std::vector<MetricGroup> compute_metric_groups(MetricContext& context) {
  std::vector<MetricGroup> groups;
  for (const MetricFamily& family : metric_catalog()) {
    groups.push_back({family.name, family.compute(context)});
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
