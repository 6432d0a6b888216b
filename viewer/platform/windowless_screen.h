/// A screen without a window: the same frames, drawn into memory. For tests, screenshots and
/// machines without a display.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "viewer/platform/rasteriser.h"
#include "viewer/platform/screen_client.h"

struct ImGuiContext;

namespace quintet::viewer {

struct WindowlessOptions {
  int width = 1600;  ///< pixels
  int height = 900;
  float scale = 1;  ///< pixels a unit of 1/96 inch
};

/// Owns an ImGui context, which is the current one while the screen lives. Time is the number of
/// frames / 60 s, so equal inputs give equal frames. One thread, one screen at a time.
///
///   WindowlessScreen screen({.width = 1600, .height = 900});
///   screen.frame(app);
///   write_png(screen.picture(), "view.png");
class WindowlessScreen {
 public:
  explicit WindowlessScreen(const WindowlessOptions& options = {});
  WindowlessScreen(const WindowlessScreen&) = delete;
  WindowlessScreen& operator=(const WindowlessScreen&) = delete;
  ~WindowlessScreen();

  /// Draws `count` frames; ImGui needs two or three until sizes have settled.
  void frame(ScreenClient& client, int count = 1);
  /// The newest frame as pixels.
  [[nodiscard]] Image picture() const;
  /// What the newest frame asks of a GPU.
  [[nodiscard]] DrawCounts counts() const;

  // Input before the next frame, in pixels.
  void move_mouse(float x, float y);
  void press_mouse(int button = 0);
  void release_mouse(int button = 0);
  void turn_wheel(float notches);
  /// Modifiers held from now on, as drags see them.
  void hold(bool ctrl, bool shift, bool alt);
  void type(const std::string& text);
  /// Down for the next frame, up after it; the client hears of it at once.
  void press_key(ScreenClient& client, const KeyChord& chord);
  /// Moves there, presses, releases: three frames.
  void click(ScreenClient& client, float x, float y, int button = 0);

 private:
  void set_key(Key key, bool down);

  WindowlessOptions options_;
  ImGuiContext* context_ = nullptr;
  Fonts fonts_;
  std::uint64_t frames_ = 0;
  std::optional<Key> held_;  ///< until the next frame has seen it
};

}  // namespace quintet::viewer
