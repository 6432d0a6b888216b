#include "profiler/metrics/record_quality.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "profiler/analysis/device_work.h"

namespace quintet {

namespace {

std::optional<double> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && value >= 0;
  return whole ? std::optional(static_cast<double>(value)) : std::nullopt;
}

/// A counter that could not be read is unknown; 0 would claim that all is there.
MetricValue dropped(const MetricContext& context) {
  MetricDefinition definition{"record/dropped", "Dropped records",
                              "Spans that happened and were not recorded, for want of the driver's "
                              "buffers or of a place to write.",
                              "count of drops", MetricHint::count};
  double by_driver = 0;
  std::string reported;
  for (const Finding& finding : context.trace().findings) {
    if (finding.name == "dropped_records") {
      by_driver += static_cast<double>(finding.count);
      reported = finding.message;
    }
    if (finding.name == "dropped_records_unknown")
      return unknown_metric(std::move(definition), finding.message);
  }
  const std::string told = context.provenance("dropped_spans");
  if (const auto count = whole_number(told))
    return known_metric(std::move(definition), *count + by_driver);
  if (told.empty() && !reported.empty()) return unknown_metric(std::move(definition), reported);
  return unknown_metric(std::move(definition),
                        told.empty() ? "the recording does not say what was dropped"
                                     : "what was dropped could not be counted: " + told);
}

std::optional<double> unattributed_spans(const Trace& trace) {
  double count = 0;
  bool device = false;
  const auto look = [&](std::uint32_t task, std::uint32_t activity) {
    if (!is_device_activity(trace, activity)) return;
    device = true;
    if (task < trace.tasks.size() && trace.tasks[task].op_kind == "UNATTRIBUTED") ++count;
  };
  for (std::size_t span = 0; span < trace.spans.size(); ++span)
    look(trace.spans.task[span], trace.spans.activity[span]);
  for (const TraceUntimed& each : trace.untimed)
    look(each.task, each.activity);
  return device ? std::optional(count) : std::nullopt;
}

}  // namespace

std::vector<MetricValue> record_quality_metrics(MetricContext& context) {
  const Trace& trace = context.trace();
  std::vector<MetricValue> metrics{dropped(context)};
  metrics.push_back(
      known_metric({"record/untimed", "Untimed records",
                    "Activities of the whole recording whose times the device could not tell.",
                    "count of untimed", MetricHint::count},
                   static_cast<double>(trace.untimed.size())));
  MetricDefinition definition{"record/unattributed", "Unattributed work",
                              "Kernels, copies and fills of the whole recording that belong to no "
                              "known task.",
                              "count of spans of UNATTRIBUTED", MetricHint::count};
  const auto unattributed = unattributed_spans(trace);
  if (!unattributed && context.work_record() != DeviceWorkRecord::absent) {
    metrics.push_back(unknown_metric(std::move(definition), reason_of(context.work_record())));
  } else if (!unattributed) {
    metrics.push_back(absent_metric(std::move(definition), "no device was at work"));
  } else if (context.provenance("executor") == "imported") {
    metrics.push_back(absent_metric(std::move(definition), "an imported trace has no tasks"));
  } else {
    metrics.push_back(known_metric(std::move(definition), *unattributed));
  }
  return metrics;
}

}  // namespace quintet
