/// Fills ImGui's font atlas: DejaVu where it is installed, else ImGui's built-in face.
#pragma once

#include <string>

#include "viewer/widgets/fonts.h"

struct ImFontAtlas;

namespace quintet::viewer {

/// The folder with DejaVuSans.ttf, or empty where it is not installed.
std::string dejavu_folder();

/// Replaces what the atlas holds. `scale`: pixels a unit.
Fonts load_fonts(ImFontAtlas& atlas, float scale);

}  // namespace quintet::viewer
