/// Colours with a meaning, for the dark and the light theme: the Okabe-Ito set, which colour-blind
/// people tell apart, and greys whose texts have a contrast of 4.5 : 1 or more.
#pragma once

#include <array>
#include <cstdint>

#include "profiler/analysis/wait_attribution.h"
#include "profiler/report/report.h"
#include "viewer/model/workbench.h"

namespace quintet::viewer {

/// sRGB, 8 bits a channel.
struct Color {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  std::uint8_t a = 255;

  /// As ImGui's draw lists take it: red in the lowest byte.
  [[nodiscard]] constexpr std::uint32_t packed() const {
    return static_cast<std::uint32_t>(r) | static_cast<std::uint32_t>(g) << 8U |
           static_cast<std::uint32_t>(b) << 16U | static_cast<std::uint32_t>(a) << 24U;
  }
  [[nodiscard]] constexpr Color with_alpha(std::uint8_t alpha) const { return {r, g, b, alpha}; }
  friend constexpr bool operator==(const Color&, const Color&) = default;
};

/// WCAG 2: between 1 and 21.
double contrast(const Color& one, const Color& other);
/// `share` of `over` on `under`, both opaque.
Color mixed(const Color& under, const Color& over, double share);

inline constexpr std::size_t kStreamColors = 8;

struct Palette {
  bool dark = true;

  Color background;  ///< between panes
  Color panel;       ///< of panes
  Color raised;      ///< fields, buttons, headers of tables
  Color hovered;     ///< of what is raised
  Color lane;        ///< every other row, the ground of a lane
  Color border;      ///< also grid lines
  Color text;
  Color dim;        ///< second-rank text
  Color accent;     ///< links, the current tab, focus
  Color selection;  ///< the outline of what is selected
  Color good;
  Color warn;
  Color bad;
  Color critical;  ///< the critical path
  Color ink;       ///< text on light boxes
  Color paper;     ///< text on dark boxes

  std::array<Color, kOpFamilyCount> families;
  std::array<Color, kStreamColors> streams;
  std::array<Color, kWaitCauseCount> waits;  ///< of hatches
  std::array<Color, 2> sides;                ///< A and B

  [[nodiscard]] const Color& of(OpFamily family) const {
    return families[static_cast<std::size_t>(family)];
  }
  /// Of a lane by its index; colours repeat after kStreamColors.
  [[nodiscard]] const Color& of_stream(std::size_t index) const {
    return streams[index % kStreamColors];
  }
  [[nodiscard]] const Color& of(WaitCause cause) const {
    return waits[static_cast<std::size_t>(cause)];
  }
  [[nodiscard]] const Color& of(Side side) const { return sides[index_of(side)]; }
  /// `ink` or `paper`, whichever reads better on the colour.
  [[nodiscard]] const Color& text_on(const Color& ground) const;
};

/// The palette of a theme.
const Palette& palette_of(ThemeName theme);

}  // namespace quintet::viewer
