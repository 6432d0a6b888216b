#include "viewer/widgets/splitter.h"

#include <imgui.h>

namespace quintet::viewer {

float drag_splitter(const char* id, const PaneBox& box, bool upright, const Palette& palette) {
  if (box.width <= 0 || box.height <= 0) return 0;
  ImGui::SetCursorScreenPos({box.x, box.y});
  ImGui::InvisibleButton(id, {box.width, box.height});
  const bool held = ImGui::IsItemActive();
  if (held || ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    const Color color = held ? palette.accent : palette.border;
    ImGui::GetWindowDrawList()->AddRectFilled(
        {box.x, box.y}, {box.x + box.width, box.y + box.height}, color.packed());
  }
  if (!held) return 0;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  return upright ? moved.x : moved.y;
}

}  // namespace quintet::viewer
