#include "profiler/metrics/memory.h"

namespace quintet {

std::vector<MetricValue> memory_metrics(MetricContext& context) {
  const std::vector<Region>& regions = context.trace().regions;
  MetricDefinition device{"memory/device", "Device memory",
                          "Bytes of all regions in the executor's own memory.",
                          "sum over device regions", MetricHint::bytes};
  MetricDefinition host{"memory/host", "Pinned host memory",
                        "Bytes of all regions in pinned host memory.", "sum over host regions",
                        MetricHint::bytes};
  if (regions.empty()) {
    const std::string reason = "the recording holds no memory plan";
    return {unknown_metric(std::move(device), reason), unknown_metric(std::move(host), reason)};
  }
  double device_bytes = 0;
  double host_bytes = 0;
  std::vector<MetricValue> each;
  for (const Region& region : regions) {
    (region.space() == MemorySpace::host ? host_bytes : device_bytes) +=
        static_cast<double>(region.bytes);
    // The plan knows every kind of region; those that this network leaves empty say nothing.
    if (region.bytes == 0) continue;
    each.push_back(known_metric(
        {"memory/region/" + region.name(), region.name(),
         "Bytes of the region " + region.name() + ".", "bytes planned", MetricHint::bytes},
        static_cast<double>(region.bytes)));
  }
  std::vector<MetricValue> metrics{known_metric(std::move(device), device_bytes),
                                   known_metric(std::move(host), host_bytes)};
  for (MetricValue& metric : each)
    metrics.push_back(std::move(metric));
  return metrics;
}

}  // namespace quintet
