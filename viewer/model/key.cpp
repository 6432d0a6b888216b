#include "viewer/model/key.h"

#include <array>
#include <string_view>

namespace quintet::viewer {

namespace {

constexpr auto kFirstNamed = static_cast<std::size_t>(Key::space);
constexpr auto kNamed = std::to_array<std::string_view>(
    {"Space", "Enter", "Esc",     "Tab",       "Backspace", "Delete", "Left", "Right",
     "Up",    "Down",  "Page Up", "Page Down", "Home",      "End",    "/",    "?",
     "[",     "]",     "+",       "-",         "F1",        "F5",     "F11"});
static_assert(kFirstNamed + kNamed.size() == kKeyCount);

constexpr Key after(Key first, int offset) {
  return static_cast<Key>(static_cast<int>(first) + offset);
}

bool is_character(Key key) {
  return key >= Key::slash && key <= Key::minus;
}

}  // namespace

std::string name_of(Key key) {
  if (key == Key::none) return {};
  const auto index = static_cast<std::size_t>(key);
  if (key <= Key::z) return std::string(1, static_cast<char>('A' + (index - 1)));
  if (key <= Key::digit_9) {
    return std::string(1,
                       static_cast<char>('0' + (index - static_cast<std::size_t>(Key::digit_0))));
  }
  return std::string(kNamed[index - kFirstNamed]);
}

Key key_of_character(char32_t character) {
  if (character >= U'a' && character <= U'z') {
    return after(Key::a, static_cast<int>(character - U'a'));
  }
  if (character >= U'A' && character <= U'Z') {
    return after(Key::a, static_cast<int>(character - U'A'));
  }
  if (character >= U'0' && character <= U'9') {
    return after(Key::digit_0, static_cast<int>(character - U'0'));
  }
  switch (character) {
    case U' ':
      return Key::space;
    case U'/':
      return Key::slash;
    case U'?':
      return Key::question_mark;
    case U'[':
      return Key::left_bracket;
    case U']':
      return Key::right_bracket;
    case U'+':
      return Key::plus;
    case U'-':
      return Key::minus;
    default:
      return Key::none;
  }
}

std::string to_string(const KeyChord& chord) {
  if (chord.key == Key::none) return {};
  std::string text;
  if (chord.ctrl) text += "Ctrl+";
  if (chord.alt) text += "Alt+";
  if (chord.shift) text += "Shift+";
  return text + name_of(chord.key);
}

KeyChord canonical(KeyChord chord) {
  if (is_character(chord.key)) {
    chord.shift = false;
    chord.alt = false;
  }
  return chord;
}

}  // namespace quintet::viewer
