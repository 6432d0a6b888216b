/// What a screen, the window or its windowless twin, asks of the program that draws on it.
#pragma once

#include <string>
#include <vector>

#include "viewer/model/key.h"
#include "viewer/platform/image.h"
#include "viewer/widgets/fonts.h"

namespace quintet::viewer {

/// One frame's facts as the screen knows them.
struct ScreenFrame {
  double seconds = 0;  ///< since the screen opened
  float scale = 1;     ///< pixels a unit of 1/96 inch
  float width = 0;     ///< pixels
  float height = 0;
};

/// All calls come from the thread that draws.
class ScreenClient {
 public:
  ScreenClient() = default;
  ScreenClient(const ScreenClient&) = delete;
  ScreenClient& operator=(const ScreenClient&) = delete;
  virtual ~ScreenClient() = default;

  /// Between ImGui::NewFrame and ImGui::Render.
  virtual void draw(const Fonts& fonts, const ScreenFrame& frame) = 0;
  /// A key went down, or repeats. `typing`: a text field of ImGui has the keyboard.
  virtual void key(const KeyChord& chord, bool typing) = 0;
  /// Files were dropped onto the window.
  virtual void drop(const std::vector<std::string>& files) = 0;
  /// The title of the window.
  [[nodiscard]] virtual std::string title() const = 0;
  /// The user asked the window to close.
  virtual void close() = 0;
  [[nodiscard]] virtual bool closing() const = 0;
  /// True where the client wants the frame that was just drawn as a picture.
  [[nodiscard]] virtual bool wants_picture() const { return false; }
  virtual void take_picture(Image /*picture*/) {}
  /// How long nothing has to be drawn without input; less than 0 = for ever.
  [[nodiscard]] virtual double sleep_seconds() const = 0;
};

}  // namespace quintet::viewer
