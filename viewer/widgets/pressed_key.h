/// Keys inside ImGui's own windows: dialogs choose with arrows and Enter.
#pragma once

#include <imgui.h>

namespace quintet::viewer {

/// True in the frame in which the key goes down, and when it repeats.
inline bool pressed(ImGuiKey key) {
#if IMGUI_VERSION_NUM < 18700
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
#else
  return ImGui::IsKeyPressed(key);
#endif
}

}  // namespace quintet::viewer
