/// Keys as commands know them, whatever the window system calls them.
#pragma once

#include <cstdint>
#include <string>

namespace quintet::viewer {

/// Letters and digits are what the key types in the user's keyboard layout, and so are the four
/// characters: '/', '?', '[' and ']' lie elsewhere on many keyboards.
enum class Key : std::uint8_t {
  none,
  // clang-format off
  a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z,
  digit_0, digit_1, digit_2, digit_3, digit_4, digit_5, digit_6, digit_7, digit_8, digit_9,
  // clang-format on
  space,
  enter,
  escape,
  tab,
  backspace,
  del,
  left,
  right,
  up,
  down,
  page_up,
  page_down,
  home,
  end,
  slash,
  question_mark,
  left_bracket,
  right_bracket,
  plus,
  minus,
  f1,
  f5,
  f11,
};

inline constexpr std::uint8_t kKeyCount = static_cast<std::uint8_t>(Key::f11) + 1;

/// "A", "5", "Space", "Left", "/", "F1"; empty for none.
std::string name_of(Key key);
/// The key that types the character: a letter of either case, a digit, one of "/?[]+- "; else none.
Key key_of_character(char32_t character);

/// A key with the modifiers held. For the characters '/', '?', '[', ']', '+' and '-' Shift and Alt
/// do not count, as some keyboards need them to type these.
struct KeyChord {
  Key key = Key::none;
  bool ctrl = false;
  bool shift = false;
  bool alt = false;
  friend constexpr bool operator==(const KeyChord&, const KeyChord&) = default;
};

/// "Ctrl+Shift+Z"; empty for no key.
std::string to_string(const KeyChord& chord);
/// The chord with the modifiers dropped that do not count.
KeyChord canonical(KeyChord chord);

}  // namespace quintet::viewer
