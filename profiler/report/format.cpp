#include "profiler/report/format.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace quintet {

namespace {

/// Three significant digits without an exponent.
std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  if (size >= 0.9995) return fmt::format("{:.2f}", value);
  if (size >= 0.0001) return fmt::format("{:.3g}", value);
  return fmt::format("{:.2e}", value);
}

/// The same, but whole numbers stay whole: 7, not 7.00.
std::string small_number(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1000;
  return whole ? fmt::format("{:.0f}", value) : three_digits(value);
}

struct Scale {
  double factor;
  const char* unit;
};

template <std::size_t count>
std::string scaled(double value, const std::array<Scale, count>& scales) {
  const Scale* best = &scales.front();
  for (const Scale& scale : scales) {
    // 999.6 us is better called 1.00 ms than 1000 us.
    if (std::abs(value) >= scale.factor * 0.9995) best = &scale;
  }
  return (best->factor == 1 ? small_number(value) : three_digits(value / best->factor)) + " " +
         best->unit;
}

bool continues_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

std::string format_duration(double ns) {
  constexpr std::array<Scale, 4> kScales = {{{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}}};
  return scaled(ns, kScales);
}

std::string format_bytes(double bytes) {
  constexpr std::array<Scale, 4> kScales = {
      {{1, "B"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}}};
  return scaled(bytes, kScales);
}

std::string format_per_second(double value, const char* unit) {
  constexpr std::array<Scale, 5> kScales = {
      {{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}}};
  return scaled(value, kScales) + unit + "/s";
}

std::string format_percentage(double share) {
  const double percent = share * 100;
  if (percent > 0 && percent < 0.05) return "< 0.1 %";
  return fmt::format("{:.1f} %", percent);
}

std::string format_number(double value) {
  if (std::abs(value) < 1000) return small_number(value);
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t place = digits.size(); place > 3; place -= 3)
    digits.insert(place - 3, ",");
  return (value < 0 ? "-" : "") + digits;
}

std::string format_value(MetricHint hint, double value) {
  switch (hint) {
    case MetricHint::duration:
      return format_duration(value);
    case MetricHint::percentage:
      return format_percentage(value);
    case MetricHint::factor:
      return three_digits(value) + "x";
    case MetricHint::rate:
      return format_number(value) + "/s";
    case MetricHint::bandwidth:
      return format_per_second(value, "B");
    case MetricHint::flop_rate:
      return format_per_second(value, "FLOP");
    case MetricHint::bytes:
      return format_bytes(value);
    case MetricHint::count:
      return format_number(value);
  }
  return {};
}

std::string format_metric(const MetricValue& metric) {
  if (!metric.known()) return std::string(name_of(metric.state));
  return format_value(metric.definition.hint, metric.value);
}

std::string short_kernel_name(std::string_view name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  std::string text(name);
  for (std::size_t at = text.find(kAnonymous); at != std::string::npos;
       at = text.find(kAnonymous, at)) {
    text.erase(at, kAnonymous.size());
  }
  int depth = 0;
  std::size_t base = 0;  // where the last name begins
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '<') ++depth;
    if (text[at] == '>') --depth;
    if (depth != 0) continue;
    if (text[at] == '(' && at > base) {
      text.resize(at);
    } else if (text[at] == ' ' || (text[at] == ':' && at > 0 && text[at - 1] == ':')) {
      base = at + 1;
    }
  }
  return base < text.size() ? text.substr(base) : std::string(name);
}

std::string format_extent(const std::array<std::uint32_t, 3>& extent) {
  return fmt::format("{}x{}x{}", extent[0], extent[1], extent[2]);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char byte : text)
    width += continues_code_point(byte) ? 0 : 1;
  return width;
}

std::string shorten(std::string_view text, std::size_t width, bool unicode) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t end = 0;
  for (std::size_t columns = 0; end < text.size(); ++end) {
    if (!continues_code_point(text[end]) && columns++ == width - 1) break;
  }
  return std::string(text.substr(0, end)) + (unicode ? "\u2026" : "~");
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(text) + std::string(width > used ? width - used : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(width > used ? width - used : 0, ' ') + std::string(text);
}

}  // namespace quintet
