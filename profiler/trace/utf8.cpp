#include "profiler/trace/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

namespace quintet {

namespace {

/// Length of the valid UTF-8 sequence at the front of `text`; 0 = none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  if (first >= 0xc2 && first <= 0xdf) length = 2;
  if (first >= 0xe0 && first <= 0xef) length = 3;
  if (first >= 0xf0 && first <= 0xf4) length = 4;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) > 0x9f) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) > 0x8f) return 0;
  return length;
}

/// Of a valid sequence.
char32_t code_point(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return byte(0);
  char32_t code = byte(0) & (0x7FU >> sequence.size());
  for (std::size_t i = 1; i < sequence.size(); ++i)
    code = code << 6 | (byte(i) & 0x3FU);
  return code;
}

/// What a terminal obeys, or an editor hides.
bool is_hidden(char32_t code) {
  if (code < 0x20 || (code >= 0x7F && code <= 0x9F)) return true;
  if (code == 0x061C || code == 0x200E || code == 0x200F) return true;  // marks of direction
  if (code >= 0x2028 && code <= 0x202E) return true;  // separators, embeddings, overrides
  return (code >= 0x2066 && code <= 0x2069) || code == 0xFFFE || code == 0xFFFF;
}

std::string visible_name(char32_t code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:  // over characters, not an enum
      return code < 0x80 ? fmt::format("\\x{:02x}", static_cast<std::uint32_t>(code))
                         : fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
  }
}

/// Replaces what `replacement` names, by code point; `bad_byte` names bytes that are no UTF-8.
template <class Replacement, class BadByte>
std::string replaced(std::string_view text, const Replacement& replacement,
                     const BadByte& bad_byte) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      result += bad_byte(static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    const std::string_view sequence = text.substr(0, length);
    const char32_t code = code_point(sequence);
    if (is_hidden(code)) {
      result += replacement(code, sequence);
    } else {
      result += sequence;
    }
    text.remove_prefix(length);
  }
  return result;
}

/// Nearly every name: nothing in it needs a closer look.
bool is_plain_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char each) { return each >= 0x20 && each < 0x7F; });
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    valid += length > 0 ? text.substr(0, length) : std::string_view("\xef\xbf\xbd");
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return valid;
}

std::string visible_text(std::string_view text, std::string_view kept) {
  if (is_plain_ascii(text)) return std::string(text);
  return replaced(
      text,
      [kept](char32_t code, std::string_view sequence) {
        const bool stays = sequence.size() == 1 && kept.find(sequence) != std::string_view::npos;
        return stays ? std::string(sequence) : visible_name(code);
      },
      [](unsigned char byte) { return fmt::format("\\x{:02x}", byte); });
}

std::string visible_json(std::string_view json) {
  return replaced(
      json,
      [](char32_t code, std::string_view sequence) {
        if (code < 0x20) return std::string(sequence);  // the line ends of the document itself
        return fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
      },
      [](unsigned char byte) { return std::string(1, static_cast<char>(byte)); });
}

}  // namespace quintet
