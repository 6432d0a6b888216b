#include "viewer/platform/key_table.h"

#include <GLFW/glfw3.h>
#include <array>

namespace quintet::viewer {

namespace {

struct CodeOfKey {
  int code = GLFW_KEY_UNKNOWN;
  Key key = Key::none;
};

constexpr auto kCodes = std::to_array<CodeOfKey>({
    {GLFW_KEY_SPACE, Key::space},
    {GLFW_KEY_ENTER, Key::enter},
    {GLFW_KEY_KP_ENTER, Key::enter},
    {GLFW_KEY_ESCAPE, Key::escape},
    {GLFW_KEY_TAB, Key::tab},
    {GLFW_KEY_BACKSPACE, Key::backspace},
    {GLFW_KEY_DELETE, Key::del},
    {GLFW_KEY_LEFT, Key::left},
    {GLFW_KEY_RIGHT, Key::right},
    {GLFW_KEY_UP, Key::up},
    {GLFW_KEY_DOWN, Key::down},
    {GLFW_KEY_PAGE_UP, Key::page_up},
    {GLFW_KEY_PAGE_DOWN, Key::page_down},
    {GLFW_KEY_HOME, Key::home},
    {GLFW_KEY_END, Key::end},
    {GLFW_KEY_F1, Key::f1},
    {GLFW_KEY_F5, Key::f5},
    {GLFW_KEY_F11, Key::f11},
});

}  // namespace

Key key_of_glfw(int code, std::string_view name) {
  if (name.size() == 1) {
    const Key typed = key_of_character(static_cast<unsigned char>(name.front()));
    if (typed >= Key::a && typed <= Key::z) return typed;
  }
  if (code >= GLFW_KEY_A && code <= GLFW_KEY_Z) {
    // A layout whose key types no Latin letter: the place counts.
    return key_of_character(static_cast<char32_t>(U'A' + (code - GLFW_KEY_A)));
  }
  if (code >= GLFW_KEY_0 && code <= GLFW_KEY_9) {
    return key_of_character(static_cast<char32_t>(U'0' + (code - GLFW_KEY_0)));
  }
  if (code >= GLFW_KEY_KP_0 && code <= GLFW_KEY_KP_9) {
    return key_of_character(static_cast<char32_t>(U'0' + (code - GLFW_KEY_KP_0)));
  }
  for (const CodeOfKey& each : kCodes) {
    if (each.code == code) return each.key;
  }
  return Key::none;
}

Key key_of_typed(char32_t character) {
  const Key key = key_of_character(character);
  return key >= Key::slash && key <= Key::minus ? key : Key::none;
}

KeyChord chord_of_glfw(int code, std::string_view name, int modifiers) {
  return canonical({key_of_glfw(code, name), (modifiers & GLFW_MOD_CONTROL) != 0,
                    (modifiers & GLFW_MOD_SHIFT) != 0, (modifiers & GLFW_MOD_ALT) != 0});
}

}  // namespace quintet::viewer
