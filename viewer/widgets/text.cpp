#include "viewer/widgets/text.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "viewer/widgets/imgui_versions.h"
#include "viewer/widgets/theme.h"

namespace quintet::viewer {

namespace {

float width_of(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

/// Where a code point begins: texts are UTF-8 and must not be cut within one.
bool begins_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

std::string cut_to(std::string_view text, float width) {
  constexpr std::string_view kEllipsis = "...";
  const float room = width - width_of(kEllipsis);
  std::size_t low = 0;
  std::size_t high = text.size();
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (width_of(text.substr(0, middle)) <= room) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  while (low > 0 && low < text.size() && !begins_code_point(text[low]))
    --low;
  return std::string(text.substr(0, low)) + std::string(kEllipsis);
}

}  // namespace

void colored_text(const Color& color, std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, color.packed());
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopStyleColor();
}

std::string broken_at_spaces(std::string_view text, float width,
                             const std::function<float(std::string_view)>& width_of) {
  std::string broken(text);
  std::size_t line = 0;
  std::size_t fits = std::string::npos;  // the last space up to which the line fits
  for (std::size_t at = 0; at <= broken.size(); ++at) {
    const bool ends = at == broken.size() || broken[at] == '\n';
    if (!ends && broken[at] != ' ') continue;
    if (fits != std::string::npos &&
        width_of(std::string_view(broken).substr(line, at - line)) > width) {
      broken[fits] = '\n';
      line = fits + 1;
    }
    fits = ends ? std::string::npos : at;
    if (ends) line = at + 1;
  }
  return broken;
}

void wrapped_text(const Color& color, std::string_view text) {
  // Left alone, ImGui breaks after a point too: "3." and "0434 ms" in two lines.
  const std::string lines = broken_at_spaces(text, ImGui::GetContentRegionAvail().x, width_of);
  ImGui::PushTextWrapPos(0);
  colored_text(color, lines);
  ImGui::PopTextWrapPos();
}

void cut_text(const Color& color, std::string_view text, float width) {
  if (width_of(text) <= width) {
    colored_text(color, text);
    return;
  }
  colored_text(color, cut_to(text, std::max(width, 0.0F)));
  tooltip(text);
}

void right_text(const Color& color, std::string_view text) {
  const float room = ImGui::GetContentRegionAvail().x - width_of(text);
  if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  colored_text(color, text);
}

void tooltip(std::string_view text) {
  if (text.empty() || !ImGui::IsItemHovered()) return;
  constexpr float kEms = 32;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * kEms);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

bool link_text(const char* id, std::string_view text, const Palette& palette) {
  const ImVec2 size = {std::min(width_of(text), ImGui::GetContentRegionAvail().x),
                       ImGui::GetTextLineHeight()};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id, {std::max(size.x, 1.0F), std::max(size.y, 1.0F)});
  const bool hovered = ImGui::IsItemHovered();
  const std::string shown =
      width_of(text) <= size.x + 0.5F ? std::string(text) : cut_to(text, size.x);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddText(at, palette.accent.packed(), shown.c_str());
  if (hovered || ImGui::IsItemFocused()) {
    draw.AddLine({at.x, at.y + size.y}, {at.x + width_of(shown), at.y + size.y},
                 palette.accent.packed());
  }
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return pressed;
}

bool segment_button(const char* label, bool chosen, const Palette& palette) {
  if (chosen) {
    ImGui::PushStyleColor(ImGuiCol_Button, palette.accent.packed());
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, palette.accent.packed());
    ImGui::PushStyleColor(ImGuiCol_Text, palette.text_on(palette.accent).packed());
  }
  const bool pressed = ImGui::Button(label);
  if (chosen) ImGui::PopStyleColor(3);
  return pressed;
}

bool quiet_button(const char* label, const Palette& palette) {
  ImGui::PushStyleColor(ImGuiCol_Button, palette.panel.with_alpha(0).packed());
  const bool pressed = ImGui::Button(label);
  ImGui::PopStyleColor();
  return pressed;
}

void color_mark(const Color& color, float scale) {
  const float side = 9 * scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = at.y + (ImGui::GetTextLineHeight() - side) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, color.packed(),
                                            2 * scale);
  ImGui::Dummy({side, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, 6 * scale);
}

void section_title(std::string_view title, const Fonts& fonts, const Palette& palette) {
  ImGui::Dummy({0, ImGui::GetStyle().ItemSpacing.y * 0.5F});
  ImGui::PushFont(fonts.bold);
  colored_text(palette.text, title);
  ImGui::PopFont();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(at, {at.x + ImGui::GetContentRegionAvail().x, at.y},
                                      palette.border.packed());
  ImGui::Dummy({0, 1});
}

const char* glyph_or(const Fonts& fonts, unsigned int code, const char* glyph, const char* word) {
  return holds(fonts.body, static_cast<ImWchar>(code)) ? glyph : word;
}

bool text_field(const char* id, const char* hint, std::string& text, float width) {
  ImGui::SetNextItemWidth(width);
  return ImGui::InputTextWithHint(id, hint, &text);
}

}  // namespace quintet::viewer
