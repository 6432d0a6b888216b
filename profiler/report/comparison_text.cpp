#include "profiler/report/comparison_text.h"

#include <array>
#include <fmt/format.h>

#include "profiler/report/format.h"
#include "profiler/report/text_table.h"

namespace quintet {

namespace {

/// Tags that are compared, or their beginnings where they end in '/'.
constexpr auto kCompared = std::to_array<std::string_view>(
    {"step/time", "step/throughput", "utilisation/any", "lane/", "concurrency/mean",
     "concurrency/cpu", "hidden/", "overlap/", "bound/critical_path", "bound/efficiency", "wait/",
     "host_sync/count", "memory/device"});

bool compared(std::string_view tag) {
  for (const std::string_view each : kCompared) {
    if (each.ends_with('/') ? tag.starts_with(each) : tag == each) {
      // The busy time of a lane says the same as its utilisation.
      return !tag.ends_with("/busy");
    }
  }
  return false;
}

std::string value_and_spread(const MetricValue* metric) {
  if (metric == nullptr) return "-";
  std::string text = format_metric(*metric);
  if (metric->spread) {
    text += " [" + format_value(metric->definition.hint, metric->spread->p05) + ", " +
            format_value(metric->definition.hint, metric->spread->p95) + "]";
  }
  return text;
}

/// Shares change by points, everything else by a factor.
std::string change(const MetricValue& a, const MetricValue& b) {
  if (!a.known() || !b.known()) return "";
  switch (a.definition.hint) {
    case MetricHint::percentage:
      return fmt::format("{:+.1f} points", (b.value - a.value) * 100);
    case MetricHint::duration:
    case MetricHint::factor:
    case MetricHint::rate:
    case MetricHint::bytes:
    case MetricHint::count:
      if (a.value == 0) return b.value == 0 ? "same" : "";
      return fmt::format("{:+.1f} %", (b.value / a.value - 1) * 100);
  }
  return {};
}

std::string title_of(const Report& report, const char* otherwise) {
  const std::string policy = report.said("policy");
  return policy.empty() ? otherwise : policy;
}

}  // namespace

std::string comparison_text(const Report& a, const Report& b, const TextOptions& options) {
  std::vector<std::vector<std::string>> rows;
  for (const MetricGroup& group : a.metrics) {
    for (const MetricValue& metric : group.values) {
      if (!compared(metric.tag())) continue;
      const MetricValue* other = b.metric(metric.tag());
      // What neither run has (a stream both leave idle) would only be noise here.
      const bool neither =
          metric.state == MetricState::absent && (other == nullptr || !other->known());
      if (neither) continue;
      rows.push_back({metric.definition.name, value_and_spread(&metric), value_and_spread(other),
                      other == nullptr ? "" : change(metric, *other)});
    }
  }
  return text_table({{"metric: median [p05, p95]", ColumnAlign::left},
                     {title_of(a, "first"), ColumnAlign::right},
                     {title_of(b, "second"), ColumnAlign::right},
                     {"change", ColumnAlign::right}},
                    rows, options.unicode);
}

}  // namespace quintet
