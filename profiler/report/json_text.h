/// Pieces of text for writers that stream: numbers, times and strings without a document in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quintet {

/// Appends a whole number.
void append_number(std::string& json, std::int64_t value);
void append_number(std::string& json, std::uint64_t value);
/// Appends the shortest text that reads back as the same double; null if it is not finite.
void append_number(std::string& json, double value);
/// Appends nanoseconds as microseconds with three decimals: 1234567 ns = 1234.567.
void append_microseconds(std::string& json, std::int64_t ns);
/// The string with its quotes; each byte that is no UTF-8 becomes U+FFFD.
std::string quoted_json(std::string_view text);

}  // namespace quintet
