/// A trend as text, JSON and a page.
#pragma once

#include <string>

#include "profiler/compare/history_trend.h"
#include "profiler/report/json_parts.h"

namespace quintet {

std::string trend_text(const Trend& trend, bool unicode = true, std::size_t width = 100);

/// Schema "quintet.trend", version 1, documented in this folder's README.
OrderedJson trend_json(const Trend& trend);

/// One self-contained file: a plot as inline SVG, a line for each scenario, policy and
/// device, and the table. It needs no
/// script; names of the store are only ever text.
std::string trend_html(const Trend& trend);

}  // namespace quintet
