/// ImGui's own colours and sizes, set from a palette.
#pragma once

#include "viewer/widgets/palette.h"

struct ImVec4;

namespace quintet::viewer {

/// As ImGui's style takes it.
ImVec4 to_imgui(const Color& color);

/// Sets the style of the current ImGui context. `scale`: pixels a unit. Cheap: called when theme
/// or scale have changed.
void apply_theme(const Palette& palette, float scale);

}  // namespace quintet::viewer
