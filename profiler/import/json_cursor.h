/// A lenient reader of JSON tokens in memory: raw control characters, bytes that are no UTF-8, NaN
/// and trailing commas pass; a structure that does not fit is told at once, so that its caller can
/// go on behind it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace quintet {

/// How reading a piece of JSON went. Incomplete: the text ends inside it.
enum class JsonStatus : std::uint8_t { ok, incomplete, malformed };

/// A string between its quotes, escapes as they stand.
struct JsonString {
  std::string_view raw;
  bool escaped = false;  ///< has backslashes
  bool control = false;  ///< has bytes below 0x20
  bool high = false;     ///< has bytes from 0x80 on
};

/// Walks over [begin, end). kPadding bytes behind `end` must be readable: eight are looked at in one
/// go. Every function leaves `at()` behind what it read, and somewhere inside where it returns
/// another status than ok.
class JsonCursor {
 public:
  static constexpr std::size_t kPadding = 16;
  /// Values nested deeper are malformed.
  static constexpr std::size_t kMostDepth = 128;

  JsonCursor(const char* begin, const char* end) : at_(begin), end_(end) {}

  [[nodiscard]] const char* at() const { return at_; }
  [[nodiscard]] char peek() const { return *at_; }
  void advance() { ++at_; }

  /// Skips blanks, and all other bytes up to a blank's code; false where the text ends.
  bool skip_space() {
    constexpr std::uint64_t kEightBlanks = 0x2020202020202020;
    while (at_ < end_ && static_cast<unsigned char>(*at_) <= ' ') {
      ++at_;
      while (end_ - at_ >= 8 && load(at_) == kEightBlanks)
        at_ += 8;
    }
    return at_ < end_;
  }

  /// The string that begins here.
  JsonStatus string(JsonString& into);
  /// A number or a word: a run of letters, digits, signs and points.
  JsonStatus token(std::string_view& into);
  /// Steps over a value of any kind.
  JsonStatus skip_value();

  /// Reads the object that begins here: `on_value(key)` is called in front of each value and reads
  /// it.
  template <class OnValue>
  JsonStatus object(OnValue on_value) {
    ++at_;
    for (;;) {
      if (!skip_space()) return JsonStatus::incomplete;
      if (*at_ == '}') break;
      JsonString key;
      if (const JsonStatus status = string(key); status != JsonStatus::ok) return status;
      if (const JsonStatus status = colon(); status != JsonStatus::ok) return status;
      if (const JsonStatus status = on_value(key.raw); status != JsonStatus::ok) return status;
      if (!skip_space()) return JsonStatus::incomplete;
      if (*at_ == '}') break;
      if (*at_ != ',') return JsonStatus::malformed;
      ++at_;
    }
    ++at_;
    return JsonStatus::ok;
  }

  /// Reads the array that begins here: `on_value()` is called in front of each value and reads it.
  template <class OnValue>
  JsonStatus array(OnValue on_value) {
    ++at_;
    for (;;) {
      if (!skip_space()) return JsonStatus::incomplete;
      if (*at_ == ']') break;
      if (const JsonStatus status = on_value(); status != JsonStatus::ok) return status;
      if (!skip_space()) return JsonStatus::incomplete;
      if (*at_ == ']') break;
      if (*at_ != ',') return JsonStatus::malformed;
      ++at_;
    }
    ++at_;
    return JsonStatus::ok;
  }

  /// The colon behind a key, and the blanks around it.
  JsonStatus colon() {
    if (!skip_space()) return JsonStatus::incomplete;
    if (*at_ != ':') return JsonStatus::malformed;
    ++at_;
    return skip_space() ? JsonStatus::ok : JsonStatus::incomplete;
  }

 private:
  static std::uint64_t load(const char* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return word;
  }

  class Nesting;
  JsonStatus skip_scalar();

  const char* at_;
  const char* end_;
};

inline JsonStatus JsonCursor::string(JsonString& into) {
  static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighs = kOnes * 0x80;
  // The high bit of the lowest byte that is zero, and of none below it.
  const auto zero_bytes = [](std::uint64_t word) { return (word - kOnes) & ~word & kHighs; };
  if (*at_ != '"') return JsonStatus::malformed;
  const char* from = at_ + 1;
  std::uint64_t control = 0;
  std::uint64_t high = 0;
  bool escaped = false;
  for (const char* p = from; p < end_;) {
    const std::uint64_t word = load(p);
    const std::uint64_t stop = zero_bytes(word ^ (kOnes * '"')) | zero_bytes(word ^ (kOnes * '\\'));
    const std::uint64_t before = stop == 0 ? ~std::uint64_t{0} : (stop & (~stop + 1)) - 1;
    control |= (word - kOnes * 0x20) & ~word & kHighs & before;
    high |= word & kHighs & before;
    if (stop == 0) {
      p += 8;
      continue;
    }
    p += std::countr_zero(stop) / 8;
    if (p >= end_) break;
    if (*p == '"') {
      into = {{from, static_cast<std::size_t>(p - from)}, escaped, control != 0, high != 0};
      at_ = p + 1;
      return JsonStatus::ok;
    }
    escaped = true;
    p += 2;
  }
  return JsonStatus::incomplete;
}

inline JsonStatus JsonCursor::token(std::string_view& into) {
  static constexpr std::array<bool, 256> kInside = [] {
    std::array<bool, 256> inside{};
    for (std::size_t c = 0; c < inside.size(); ++c) {
      inside[c] = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  c == '+' || c == '-' || c == '.' || c == '_';
    }
    return inside;
  }();
  const char* from = at_;
  while (at_ < end_ && kInside[static_cast<unsigned char>(*at_)])
    ++at_;
  if (at_ == end_) return JsonStatus::incomplete;
  into = {from, static_cast<std::size_t>(at_ - from)};
  return into.empty() ? JsonStatus::malformed : JsonStatus::ok;
}

}  // namespace quintet
