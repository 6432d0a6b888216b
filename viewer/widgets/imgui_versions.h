/// What Dear ImGui calls otherwise in 1.86 and in later versions: here, and nowhere in a view. Keys
/// are in viewer/widgets/pressed_key.h.
#pragma once

#include <imgui.h>

namespace quintet::viewer {

/// Ask the members that a face has, which differ from version to version.
namespace face {

template <class Font>
float size_px(const Font& font) {
  if constexpr (requires { font.LegacySize; }) {
    return font.LegacySize;  // 1.92 and later
  } else {
    return font.FontSize;
  }
}

template <class Font>
bool holds(Font& font, ImWchar code) {
  if constexpr (requires { font.IsGlyphInFont(code); }) {
    return font.IsGlyphInFont(code);  // 1.92 and later
  } else {
    return font.FindGlyphNoFallback(code) != nullptr;
  }
}

}  // namespace face

/// The height that a face was loaded with, in pixels.
inline float size_px(const ImFont* font) {
  return face::size_px(*font);
}

/// Whether a face has a glyph for that character.
inline bool holds(ImFont* font, ImWchar code) {
  return face::holds(*font, code);
}

/// Of a row that is picked as a whole, and has buttons on it.
#if IMGUI_VERSION_NUM < 18970
inline constexpr ImGuiSelectableFlags kSelectableBelowItems = ImGuiSelectableFlags_AllowItemOverlap;
#else
inline constexpr ImGuiSelectableFlags kSelectableBelowItems = ImGuiSelectableFlags_AllowOverlap;
#endif

/// Begins a child window without a border, but with the padding of one. End it as any.
inline void begin_padded_child(const char* id, const ImVec2& size) {
#if IMGUI_VERSION_NUM < 19000
  ImGui::BeginChild(id, size, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
#else
  ImGui::BeginChild(id, size, ImGuiChildFlags_AlwaysUseWindowPadding);
#endif
}

}  // namespace quintet::viewer
