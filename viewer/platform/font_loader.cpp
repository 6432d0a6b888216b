#include "viewer/platform/font_loader.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <imgui.h>
#include <initializer_list>

namespace quintet::viewer {

namespace {

namespace fs = std::filesystem;

/// Latin with accents, Greek, punctuation, arrows, mathematical signs, blocks and shapes.
constexpr auto kGlyphs =
    std::to_array<ImWchar>({0x0020, 0x017F, 0x0370, 0x03FF, 0x2010, 0x203A, 0x2070, 0x209F, 0x2190,
                            0x21FF, 0x2200, 0x22FF, 0x2500, 0x25FF, 0x2600, 0x26FF, 0});

constexpr float kBodyUnits = 13.5F;
constexpr float kSmallUnits = 11.5F;
constexpr float kMonoUnits = 12.5F;

Fonts built_in(ImFontAtlas& atlas, float scale) {
  ImFontConfig config;
  config.SizePixels = std::floor(13 * scale);
  ImFont* font = atlas.AddFontDefault(&config);
  return {font, font, font, font};
}

}  // namespace

std::string dejavu_folder() {
  for (const std::string_view folder :
       {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu", "/usr/share/fonts/TTF"}) {
    std::error_code error;
    if (fs::exists(fs::path(folder) / "DejaVuSans.ttf", error)) return std::string(folder);
  }
  return {};
}

Fonts load_fonts(ImFontAtlas& atlas, float scale) {
  atlas.Clear();
  const std::string folder = dejavu_folder();
  if (folder.empty()) return built_in(atlas, scale);
  const auto face = [&](const char* name, float units) -> ImFont* {
    const std::string path = folder + "/" + name;
    std::error_code error;
    if (!fs::exists(path, error)) return nullptr;
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.PixelSnapH = true;
    return atlas.AddFontFromFileTTF(path.c_str(), std::round(units * scale), &config,
                                    kGlyphs.data());
  };
  Fonts fonts;
  fonts.body = face("DejaVuSans.ttf", kBodyUnits);
  fonts.bold = face("DejaVuSans-Bold.ttf", kBodyUnits);
  fonts.small = face("DejaVuSans.ttf", kSmallUnits);
  fonts.mono = face("DejaVuSansMono.ttf", kMonoUnits);
  if (fonts.body == nullptr) return built_in(atlas, scale);
  for (ImFont** font : {&fonts.bold, &fonts.small, &fonts.mono}) {
    if (*font == nullptr) *font = fonts.body;
  }
  return fonts;
}

}  // namespace quintet::viewer
