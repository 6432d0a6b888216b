#include "viewer/widgets/palette.h"

#include <algorithm>
#include <cmath>

namespace quintet::viewer {

namespace {

constexpr Color rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U & 255U),
          static_cast<std::uint8_t>(hex & 255U)};
}

// Okabe and Ito's colours.
constexpr Color kOrange = rgb(0xE69F00);
constexpr Color kSkyBlue = rgb(0x56B4E9);
constexpr Color kGreen = rgb(0x009E73);
constexpr Color kYellow = rgb(0xF0E442);
constexpr Color kBlue = rgb(0x0072B2);
constexpr Color kVermillion = rgb(0xD55E00);
constexpr Color kPurple = rgb(0xCC79A7);

double linear(std::uint8_t channel) {
  const double value = channel / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const Color& color) {
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

/// What both themes share: boxes are filled, so they carry their own contrast.
void set_data_colors(Palette& palette) {
  palette.ink = rgb(0x0B0D10);
  palette.paper = rgb(0xFFFFFF);
  palette.families = {kBlue,   kOrange,  kVermillion, rgb(0xF5D9A0), kGreen,       rgb(0x7FCFB5),
                      kPurple, kSkyBlue, kYellow,     rgb(0x8E99A6), rgb(0x6B7683)};
  palette.streams = {kSkyBlue, kBlue,       kGreen,  kOrange,
                     kPurple,  kVermillion, kYellow, rgb(0x8E99A6)};
}

Palette dark_palette() {
  Palette palette;
  palette.dark = true;
  palette.background = rgb(0x0B0D10);
  palette.panel = rgb(0x14181D);
  palette.raised = rgb(0x1F252C);
  palette.hovered = rgb(0x2B333C);
  palette.lane = rgb(0x191E24);
  palette.border = rgb(0x2E3640);
  palette.text = rgb(0xE6EAEF);
  palette.dim = rgb(0x9AA5B1);
  palette.accent = rgb(0x6CBCF0);
  palette.selection = rgb(0xFFFFFF);
  palette.good = rgb(0x3EC59A);
  palette.warn = rgb(0xE8AB3C);
  palette.bad = rgb(0xFF8650);
  palette.critical = rgb(0xFF5470);
  set_data_colors(palette);
  palette.waits = {rgb(0xFF8650), rgb(0xE8AB3C), rgb(0xCC79A7), rgb(0x6CBCF0), rgb(0x7A8694)};
  palette.sides = {rgb(0x6CBCF0), rgb(0xE8AB3C)};
  return palette;
}

Palette light_palette() {
  Palette palette;
  palette.dark = false;
  palette.background = rgb(0xDDE2E8);
  palette.panel = rgb(0xFFFFFF);
  palette.raised = rgb(0xEEF1F5);
  palette.hovered = rgb(0xE1E7EE);
  palette.lane = rgb(0xF5F7F9);
  palette.border = rgb(0xCBD2DA);
  palette.text = rgb(0x1A1F26);
  palette.dim = rgb(0x525C67);
  palette.accent = rgb(0x0060A0);
  palette.selection = rgb(0x0B0D10);
  palette.good = rgb(0x006B4A);
  palette.warn = rgb(0x855200);
  palette.bad = rgb(0xA83800);
  palette.critical = rgb(0xC4002F);
  set_data_colors(palette);
  palette.waits = {rgb(0xA83800), rgb(0x855200), rgb(0x8F3E69), rgb(0x0060A0), rgb(0x6B7683)};
  palette.sides = {rgb(0x0060A0), rgb(0x855200)};
  return palette;
}

}  // namespace

double contrast(const Color& one, const Color& other) {
  const auto [darker, lighter] = std::minmax({luminance(one), luminance(other)});
  return (lighter + 0.05) / (darker + 0.05);
}

Color mixed(const Color& under, const Color& over, double share) {
  const auto channel = [share](std::uint8_t below, std::uint8_t above) {
    return static_cast<std::uint8_t>(std::lround(below + (above - below) * share));
  };
  return {channel(under.r, over.r), channel(under.g, over.g), channel(under.b, over.b)};
}

const Color& Palette::text_on(const Color& ground) const {
  return contrast(ground, ink) >= contrast(ground, paper) ? ink : paper;
}

const Palette& palette_of(ThemeName theme) {
  static const Palette kDark = dark_palette();
  static const Palette kLight = light_palette();
  return theme == ThemeName::dark ? kDark : kLight;
}

}  // namespace quintet::viewer
