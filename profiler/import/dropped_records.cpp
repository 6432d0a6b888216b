#include "profiler/import/dropped_records.h"

#include <algorithm>
#include <array>
#include <string>

namespace quintet {

namespace {

template <std::size_t size>
bool mentions_one_of(std::string_view text, const std::array<std::string_view, size>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

bool is_count_digit(char c) {
  return c >= '0' && c <= '9';
}

/// True where a count of 0 belongs to what was lost: "0 events dropped", "dropped: 0", "lost=0"; or
/// where all numbers are 0.
bool counts_nothing(std::string_view text) {
  constexpr auto kCounted = std::to_array<std::string_view>(
      {" buffer", " event", " record", " activit", " sample", " cupti", " cuda", " packet", " drop",
       " lost", " missing", " missed", " discard"});
  bool zero = false;
  bool other = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_count_digit(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() && is_count_digit(text[end]))
      ++end;
    const std::string_view rest = text.substr(end);
    const bool counted =
        std::any_of(kCounted.begin(), kCounted.end(),
                    [&](std::string_view word) { return rest.starts_with(word); }) ||
        text.substr(0, at).ends_with(": ") || text.substr(0, at).ends_with("=") ||
        text.substr(0, at).ends_with("= ");
    const bool nothing = text.substr(at, end - at).find_first_not_of('0') == std::string_view::npos;
    if (nothing && counted) return true;
    (nothing ? zero : other) = true;
    at = end;
  }
  return zero && !other;
}

}  // namespace

bool reports_dropped_records(std::string_view text) {
  constexpr std::size_t kMostBytes = 4096;
  std::string lower(text.substr(0, kMostBytes));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  constexpr auto kLosses = std::to_array<std::string_view>(
      {"dropp", "lost", "missing", "missed", "discard", "overflow", "overrun", "out of buffers"});
  constexpr auto kRecords = std::to_array<std::string_view>(
      {"buffer", "event", "record", "activit", "sample", "trace data", "cupti", "packet"});
  constexpr auto kDenials = std::to_array<std::string_view>(
      {"no events were", "no event was", "no records were", "no record was", "no buffers were",
       "no buffer was", "no dropped", "no lost", "no missing", "none were", "none was",
       "nothing was", "not dropp", "not lost", "without dropping"});
  if (!mentions_one_of(lower, kRecords)) return false;
  if (lower.find("not all") != std::string::npos && lower.find("collected") != std::string::npos)
    return true;
  return mentions_one_of(lower, kLosses) && !mentions_one_of(lower, kDenials) &&
         !counts_nothing(lower);
}

}  // namespace quintet
