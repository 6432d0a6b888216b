/// Times and numbers of a text, exactly: never through a double.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace quintet {

/// A time as a text tells it. Missing: no number ("NaN", "inf", nothing).
struct DecimalTime {
  enum class State : std::uint8_t { missing, known, out_of_range };
  State state = State::missing;
  std::int64_t ns = 0;  ///< out of range: the nearest int64

  [[nodiscard]] bool told() const { return state != State::missing; }
};

/// Decimal microseconds as ns, rounded to the nearest one (halves away from 0):
/// "1672924881307000.123" is 1672924881307000123. Signs and exponents are understood.
DecimalTime nanos_from_micros(std::string_view text);

/// A whole number that fits; nothing for everything else, fractions included.
std::optional<std::int64_t> signed_from(std::string_view text);
std::optional<std::uint64_t> unsigned_from(std::string_view text);

}  // namespace quintet
