/// A comparison for programs: one JSON object, schema "quintet.comparison" version 1, and a check's
/// verdict around it, "quintet.check" version 1. Both are documented in this folder's README.
#pragma once

#include <string>

#include "profiler/compare/regression_check.h"
#include "profiler/report/json_parts.h"

namespace quintet {

inline constexpr int kComparisonSchemaVersion = 1;

OrderedJson comparison_json(const Comparison& comparison);
OrderedJson check_json(const RegressionCheck& check);
/// As text with a final line break.
std::string json_document(const OrderedJson& json);

}  // namespace quintet
