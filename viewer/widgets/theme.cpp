#include "viewer/widgets/theme.h"

#include <imgui.h>

namespace quintet::viewer {

static_assert(IM_COL32(1, 2, 3, 4) == Color{1, 2, 3, 4}.packed());

namespace {

void set_sizes(ImGuiStyle& style) {
  style.WindowPadding = {8, 6};
  style.FramePadding = {8, 3};
  style.CellPadding = {6, 2};
  style.ItemSpacing = {8, 4};
  style.ItemInnerSpacing = {5, 4};
  style.IndentSpacing = 14;
  style.ScrollbarSize = 11;
  style.GrabMinSize = 10;
  style.WindowRounding = 6;
  style.ChildRounding = 0;
  style.FrameRounding = 4;
  style.PopupRounding = 6;
  style.ScrollbarRounding = 6;
  style.GrabRounding = 4;
  style.TabRounding = 4;
  style.WindowBorderSize = 1;
  style.ChildBorderSize = 0;
  style.FrameBorderSize = 0;
  style.PopupBorderSize = 1;
  style.TabBorderSize = 0;
  style.WindowMenuButtonPosition = ImGuiDir_None;
}

void set_colors(ImGuiStyle& style, const Palette& palette) {
  const auto set = [&style](ImGuiCol slot, const Color& color) {
    style.Colors[slot] = to_imgui(color);
  };
  const Color none = palette.panel.with_alpha(0);
  const Color pressed = mixed(palette.hovered, palette.accent, 0.35);
  set(ImGuiCol_Text, palette.text);
  set(ImGuiCol_TextDisabled, palette.dim);
  set(ImGuiCol_WindowBg, palette.panel);
  set(ImGuiCol_ChildBg, none);
  set(ImGuiCol_PopupBg, mixed(palette.panel, palette.raised, 0.5));
  set(ImGuiCol_Border, palette.border);
  set(ImGuiCol_BorderShadow, none);
  set(ImGuiCol_FrameBg, palette.raised);
  set(ImGuiCol_FrameBgHovered, palette.hovered);
  set(ImGuiCol_FrameBgActive, palette.hovered);
  set(ImGuiCol_TitleBg, palette.raised);
  set(ImGuiCol_TitleBgActive, palette.raised);
  set(ImGuiCol_TitleBgCollapsed, palette.raised);
  set(ImGuiCol_MenuBarBg, palette.panel);
  set(ImGuiCol_ScrollbarBg, none);
  set(ImGuiCol_ScrollbarGrab, palette.border);
  set(ImGuiCol_ScrollbarGrabHovered, palette.dim);
  set(ImGuiCol_ScrollbarGrabActive, palette.accent);
  set(ImGuiCol_CheckMark, palette.accent);
  set(ImGuiCol_SliderGrab, palette.dim);
  set(ImGuiCol_SliderGrabActive, palette.accent);
  set(ImGuiCol_Button, palette.raised);
  set(ImGuiCol_ButtonHovered, palette.hovered);
  set(ImGuiCol_ButtonActive, pressed);
  set(ImGuiCol_Header, mixed(palette.panel, palette.accent, 0.22));
  set(ImGuiCol_HeaderHovered, palette.hovered);
  set(ImGuiCol_HeaderActive, pressed);
  set(ImGuiCol_Separator, palette.border);
  set(ImGuiCol_SeparatorHovered, palette.accent);
  set(ImGuiCol_SeparatorActive, palette.accent);
  set(ImGuiCol_ResizeGrip, none);
  set(ImGuiCol_ResizeGripHovered, palette.hovered);
  set(ImGuiCol_ResizeGripActive, palette.accent);
  set(ImGuiCol_Tab, none);
  set(ImGuiCol_TabHovered, palette.hovered);
  set(ImGuiCol_TabActive, palette.raised);
  set(ImGuiCol_TabUnfocused, none);
  set(ImGuiCol_TabUnfocusedActive, palette.raised);
  set(ImGuiCol_PlotLines, palette.accent);
  set(ImGuiCol_PlotHistogram, palette.accent);
  set(ImGuiCol_TableHeaderBg, palette.raised);
  set(ImGuiCol_TableBorderStrong, palette.border);
  set(ImGuiCol_TableBorderLight, mixed(palette.panel, palette.border, 0.6));
  set(ImGuiCol_TableRowBg, none);
  set(ImGuiCol_TableRowBgAlt, palette.lane);
  set(ImGuiCol_TextSelectedBg, mixed(palette.panel, palette.accent, 0.45));
  set(ImGuiCol_DragDropTarget, palette.accent);
  set(ImGuiCol_NavHighlight, palette.accent);
  set(ImGuiCol_NavWindowingHighlight, palette.accent);
  set(ImGuiCol_ModalWindowDimBg, palette.background.with_alpha(150));
}

}  // namespace

ImVec4 to_imgui(const Color& color) {
  constexpr float kFull = 255.0F;
  return {static_cast<float>(color.r) / kFull, static_cast<float>(color.g) / kFull,
          static_cast<float>(color.b) / kFull, static_cast<float>(color.a) / kFull};
}

void apply_theme(const Palette& palette, float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  set_sizes(style);
  set_colors(style, palette);
  style.ScaleAllSizes(scale);
}

}  // namespace quintet::viewer
