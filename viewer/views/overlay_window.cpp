#include "viewer/views/overlay_window.h"

#include <algorithm>
#include <imgui.h>

#include "viewer/widgets/text.h"

namespace quintet::viewer {

OverlayWindow::OverlayWindow(const char* title, const PaneBox& screen, float width, float height,
                             ViewContext& context) {
  const float margin = context.px(24);
  const ImVec2 size = {std::min(context.px(width), screen.width - 2 * margin),
                       std::min(context.px(height), screen.height - 2 * margin)};
  ImGui::GetWindowDrawList()->AddRectFilled({screen.x, screen.y},
                                            {screen.x + screen.width, screen.y + screen.height},
                                            context.palette.background.with_alpha(120).packed());
  ImGui::SetNextWindowSize(size);
  ImGui::SetNextWindowPos(
      {screen.x + (screen.width - size.x) / 2, screen.y + (screen.height - size.y) * 0.35F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.px(16), context.px(12)});
  if (context.frame.number == 0) ImGui::SetNextWindowFocus();
  open_ = ImGui::Begin(
      title, nullptr,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
  const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                      !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                              ImGuiHoveredFlags_AllowWhenBlockedByPopup |
                                              ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (beside && !ImGui::IsWindowAppearing()) context.commands.emit(command_id::kDeselect);
  if (title[0] == '#') return;
  ImGui::PushFont(context.fonts.bold);
  colored_text(context.palette.text, title);
  ImGui::PopFont();
  ImGui::SameLine(ImGui::GetWindowWidth() - context.px(90));
  colored_text(context.palette.dim, "Esc closes");
  ImGui::Separator();
}

OverlayWindow::~OverlayWindow() {
  ImGui::End();
}

}  // namespace quintet::viewer
