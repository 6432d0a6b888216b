/// Pieces of JSON that more than one writer emits; keys always in the same order.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/report/report.h"
#include "profiler/trace/trace.h"

namespace quintet {

using OrderedJson = nlohmann::ordered_json;

/// {tag, name, description, formula, unit, hint, state, value, reason | p05 and p95}; value is null
/// unless known, and a whole number where its unit is ns, B or a count.
OrderedJson metric_json(const MetricValue& metric);
OrderedJson metrics_json(const std::vector<MetricValue>& metrics);
/// {median, p05, p95} of step/time in ns, or null where it is not known.
OrderedJson step_time_json(const std::vector<MetricValue>& metrics);
/// {severity, name, message, count}.
OrderedJson findings_json(const std::vector<Finding>& findings);
/// The loss of every training step in step order; null where it was not read or is not finite.
OrderedJson losses_json(std::vector<TraceStep> steps);
/// {lanes, values}: how much of the row's busy time the column's lane was busy as well, 0 to 1;
/// null where the row was never busy.
OrderedJson overlap_json(const Report& report);

/// A finite number, or null.
OrderedJson number_or_null(double value);
/// Text of a document: names with bytes that are no UTF-8 get replacement characters, and control
/// characters stand as \u001b, also those that JSON lets pass.
std::string dump_json(const OrderedJson& json, int indent);

}  // namespace quintet
