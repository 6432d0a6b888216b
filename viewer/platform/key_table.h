/// GLFW's keys as ours.
#pragma once

#include <string_view>

#include "viewer/model/key.h"

namespace quintet::viewer {

/// The key of a GLFW code. `name`: what glfwGetKeyName says it types, which for letters counts more
/// than where the key lies; may be empty. The characters '/', '?', '[', ']', '+' and '-' are none:
/// they come as characters, wherever a keyboard has them.
Key key_of_glfw(int code, std::string_view name);

/// The key of a character that a command may be bound to and key_of_glfw leaves out.
Key key_of_typed(char32_t character);

/// The chord of a GLFW code and GLFW's modifier bits.
KeyChord chord_of_glfw(int code, std::string_view name, int modifiers);

}  // namespace quintet::viewer
