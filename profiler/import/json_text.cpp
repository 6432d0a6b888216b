#include "profiler/import/json_text.h"

#include <cstdint>
#include <optional>

namespace quintet {

namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

void append_utf8(std::string& text, std::uint32_t code) {
  const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0U | (code >> 6U));
    add(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    add(0xE0U | (code >> 12U));
    add(0x80U | ((code >> 6U) & 0x3FU));
    add(0x80U | (code & 0x3FU));
  } else {
    add(0xF0U | (code >> 18U));
    add(0x80U | ((code >> 12U) & 0x3FU));
    add(0x80U | ((code >> 6U) & 0x3FU));
    add(0x80U | (code & 0x3FU));
  }
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The code unit of the four digits at `at`; nothing where they are not digits.
std::optional<std::uint32_t> code_unit(std::string_view raw, std::size_t at) {
  if (at + 4 > raw.size()) return std::nullopt;
  std::uint32_t unit = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const int digit = hex_digit(raw[i]);
    if (digit < 0) return std::nullopt;
    unit = unit * 16 + static_cast<std::uint32_t>(digit);
  }
  return unit;
}

bool is_high_surrogate(std::uint32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low_surrogate(std::uint32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

/// What a backslash begins.
struct Escape {
  std::size_t length = 0;  ///< of its text
  std::uint32_t code = 0;  ///< the character; kReplacement where it is not one
  bool known = true;       ///< else its text stands for itself
};

/// The character of "\uXXXX", or of the pair that it begins.
Escape unicode_escape(std::string_view raw, std::size_t at) {
  const std::optional<std::uint32_t> unit = code_unit(raw, at + 2);
  if (!unit) return {2, 0, false};
  if (is_high_surrogate(*unit) && raw.substr(at + 6, 2) == "\\u") {
    const std::optional<std::uint32_t> low = code_unit(raw, at + 8);
    if (low && is_low_surrogate(*low))
      return {12, 0x10000 + ((*unit - 0xD800) << 10U) + (*low - 0xDC00)};
  }
  const bool alone = is_high_surrogate(*unit) || is_low_surrogate(*unit);
  return {6, alone || *unit == 0 ? kReplacement : *unit};
}

/// The escape whose backslash stands at `at`, in front of at least one letter.
Escape escape_at(std::string_view raw, std::size_t at) {
  switch (raw[at + 1]) {
    case '"':
    case '\\':
    case '/':
      return {2, static_cast<unsigned char>(raw[at + 1])};
    case 'b':
      return {2, '\b'};
    case 'f':
      return {2, '\f'};
    case 'n':
      return {2, '\n'};
    case 'r':
      return {2, '\r'};
    case 't':
      return {2, '\t'};
    case 'u':
      return unicode_escape(raw, at);
    default:
      return {2, 0, false};
  }
}

/// The length of the sequence that begins with this byte; 0 = none does.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

/// False for a second byte that makes a sequence overlong, a surrogate, or too high.
bool second_byte_fits(unsigned char first, unsigned char second) {
  switch (first) {
    case 0xE0:
      return second >= 0xA0;
    case 0xED:
      return second < 0xA0;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second < 0x90;
    default:
      return true;
  }
}

}  // namespace

std::string_view text_of(const JsonString& string, std::string& scratch) {
  if (!string.escaped && !string.control) return string.raw;
  scratch.clear();
  const std::string_view raw = string.raw;
  for (std::size_t at = 0; at < raw.size();) {
    if (raw[at] != '\\' || at + 1 == raw.size()) {
      if (raw[at] == '\0') {
        append_utf8(scratch, kReplacement);
      } else {
        scratch += raw[at];
      }
      ++at;
      continue;
    }
    const Escape escape = escape_at(raw, at);
    if (escape.known) {
      append_utf8(scratch, escape.code);
      at += escape.length;
    } else {
      scratch += raw[at++];  // the letter may be a raw NUL
      if (raw[at] != '\0') scratch += raw[at++];
    }
  }
  return scratch;
}

JsonEscapes escapes_of(const JsonString& string) {
  JsonEscapes escapes;
  const std::string_view raw = string.raw;
  if (raw.empty()) return escapes;
  for (std::size_t at = raw.find('\\'); at < raw.size() - 1; at = raw.find('\\', at)) {
    const Escape escape = escape_at(raw, at);
    escapes.unknown = escapes.unknown || !escape.known;
    // U+FFFD itself may stand escaped.
    const bool itself = escape.length == 6 && code_unit(raw, at + 2) == kReplacement;
    escapes.unpaired = escapes.unpaired || (escape.code == kReplacement && !itself);
    at += escape.length;
  }
  return escapes;
}

bool is_utf8(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(byte(at));
    if (length == 0 || at + length > text.size()) return false;
    if (length > 1 && !second_byte_fits(byte(at), byte(at + 1))) return false;
    for (std::size_t i = 1; i < length; ++i) {
      if ((byte(at + i) & 0xC0U) != 0x80) return false;
    }
    at += length;
  }
  return true;
}

}  // namespace quintet
