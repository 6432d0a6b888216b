#include "profiler/report/json_text.h"

#include <array>
#include <charconv>
#include <cmath>

#include "profiler/report/json_parts.h"

namespace quintet {

namespace {

template <class Number>
void append_digits(std::string& json, Number value) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  json.append(digits.data(), end);
}

}  // namespace

void append_number(std::string& json, std::int64_t value) {
  append_digits(json, value);
}

void append_number(std::string& json, std::uint64_t value) {
  append_digits(json, value);
}

void append_number(std::string& json, double value) {
  if (std::isfinite(value)) {
    append_digits(json, value);
  } else {
    json += "null";
  }
}

void append_microseconds(std::string& json, std::int64_t ns) {
  // Negated as an unsigned number, so that the lowest one has its opposite.
  auto size = static_cast<std::uint64_t>(ns);
  if (ns < 0) {
    json += '-';
    size = 0 - size;
  }
  append_digits(json, size / 1000);
  const auto rest = static_cast<unsigned>(size % 1000);
  json += '.';
  json += static_cast<char>('0' + rest / 100);
  json += static_cast<char>('0' + rest / 10 % 10);
  json += static_cast<char>('0' + rest % 10);
}

std::string quoted_json(std::string_view text) {
  return dump_json(OrderedJson(std::string(text)), -1);
}

}  // namespace quintet
