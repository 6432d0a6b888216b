/// Numbers as people read them: scaled units, three significant digits.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "profiler/metrics/metric.h"
#include "runtime/model/lane.h"

namespace quintet {

/// "1.84 ms", "950 ns".
std::string format_duration(double ns);
/// "7.06 MiB", "64 B".
std::string format_bytes(double bytes);
/// "3.35 TB/s", "850 GFLOP/s": powers of ten, as makers of devices count.
std::string format_per_second(double value, const char* unit);
/// "48.3 %".
std::string format_percentage(double share);
/// Three significant digits, thousands unscaled: "34,800", "1.19", "0.0312".
std::string format_number(double value);
/// A value in the way its hint asks for.
std::string format_value(MetricHint hint, double value);
/// The value; "absent" or "unknown" without the reason.
std::string format_metric(const MetricValue& metric);

/// What tells kernels apart where there is little room: no result, namespaces or parameters.
/// "gemm<float, 4>" of "void blas::(anonymous namespace)::gemm<float, 4>(Args)".
std::string short_kernel_name(std::string_view name);

/// "132x2x1".
std::string format_extent(const std::array<std::uint32_t, 3>& extent);

/// Number of columns of a terminal that UTF-8 text takes, if each code point takes one.
std::size_t display_width(std::string_view text);
/// Shortens to `width` columns with an ellipsis ("~" in ASCII) where it is longer.
std::string shorten(std::string_view text, std::size_t width, bool unicode = true);
/// Pads with spaces to `width` columns: on the right, or on the left for numbers.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

}  // namespace quintet
