#include "scenarios/cli/option_checks.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace quintet {

namespace {

/// Nothing where the text holds anything else, or the type does not hold it.
template <class Number>
std::optional<Number> parsed(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

CLI::Validator above_zero() {
  return {[](std::string& text) {
            const auto value = parsed<double>(text);
            if (value && std::isfinite(*value) && *value > 0) return std::string();
            return fmt::format("'{}' is no number above 0", text);
          },
          "POSITIVE"};
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return {[least, most](std::string& text) {
            const auto value = parsed<std::int64_t>(text);
            if (value && *value >= least && *value <= most) return std::string();
            const bool open = most == std::numeric_limits<std::int64_t>::max();
            return fmt::format("'{}' is no whole number from {} {}", text, least,
                               open ? std::string("up") : fmt::format("to {}", most));
          },
          "COUNT"};
}

}  // namespace quintet
