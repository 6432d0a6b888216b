#include "profiler/import/decimal_time.h"

#include <array>
#include <charconv>
#include <limits>

namespace quintet {

namespace {

constexpr int kMostDigits = 19;  // what a uint64 holds of any number
constexpr int kMicroToNano = 3;  // powers of ten

constexpr std::array<std::uint64_t, kMostDigits + 1> kPowersOfTen = [] {
  std::array<std::uint64_t, kMostDigits + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i)
    powers[i] = powers[i - 1] * 10;
  return powers;
}();

constexpr auto kLast = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// mantissa * 10^exponent, the mantissa with up to kMostDigits digits.
struct Decimal {
  std::uint64_t mantissa = 0;
  int exponent = 0;
  bool negative = false;
};

/// The digits from `at` on, up to what is none; further ones than a mantissa holds only scale it.
std::size_t read_digits(std::string_view text, std::size_t at, Decimal& decimal, int& digits,
                        bool fraction) {
  for (; at < text.size() && is_digit(text[at]); ++at) {
    if (digits < kMostDigits) {
      decimal.mantissa = decimal.mantissa * 10 + static_cast<std::uint64_t>(text[at] - '0');
      digits += decimal.mantissa != 0 ? 1 : 0;
      decimal.exponent -= fraction ? 1 : 0;
    } else {
      decimal.exponent += fraction ? 0 : 1;
    }
  }
  return at;
}

/// 1234 of "e+1234"; clamped to what is far beyond every time.
std::optional<int> read_exponent(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return std::nullopt;
  int exponent = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    if (exponent < 100'000) exponent = exponent * 10 + (c - '0');
  }
  return negative ? -exponent : exponent;
}

std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal decimal;
  std::size_t at = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    decimal.negative = text[0] == '-';
    at = 1;
  }
  const std::size_t first = at;
  int digits = 0;
  at = read_digits(text, at, decimal, digits, false);
  std::size_t seen = at - first;
  if (at < text.size() && text[at] == '.') {
    const std::size_t point = at + 1;
    at = read_digits(text, point, decimal, digits, true);
    seen += at - point;
  }
  if (seen == 0) return std::nullopt;
  if (at == text.size()) return decimal;
  if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
  const std::optional<int> exponent = read_exponent(text.substr(at + 1));
  if (!exponent) return std::nullopt;
  decimal.exponent += *exponent;
  return decimal;
}

/// The number times 10^power as a whole number; nothing where it does not fit into an int64.
std::optional<std::uint64_t> scaled(const Decimal& decimal, int power) {
  const std::int64_t scale = std::int64_t{decimal.exponent} + power;
  std::uint64_t value = decimal.mantissa;
  if (value == 0 || scale < -kMostDigits) return 0;
  if (scale > kMostDigits) return std::nullopt;
  if (scale >= 0) {
    const std::uint64_t factor = kPowersOfTen[static_cast<std::size_t>(scale)];
    if (value > kLast / factor) return std::nullopt;
    return value * factor;
  }
  const std::uint64_t divisor = kPowersOfTen[static_cast<std::size_t>(-scale)];
  const std::uint64_t rest = value % divisor;
  value = value / divisor + (rest >= divisor - rest ? 1 : 0);
  if (value > kLast) return std::nullopt;
  return value;
}

template <class T>
std::optional<T> whole_from(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

DecimalTime nanos_from_micros(std::string_view text) {
  const std::optional<Decimal> decimal = read_decimal(text);
  if (!decimal) return {};
  const std::optional<std::uint64_t> ns = scaled(*decimal, kMicroToNano);
  const auto value = static_cast<std::int64_t>(ns.value_or(kLast));
  return {ns ? DecimalTime::State::known : DecimalTime::State::out_of_range,
          decimal->negative ? -value : value};
}

std::optional<std::int64_t> signed_from(std::string_view text) {
  return whole_from<std::int64_t>(text);
}

std::optional<std::uint64_t> unsigned_from(std::string_view text) {
  return whole_from<std::uint64_t>(text);
}

}  // namespace quintet
