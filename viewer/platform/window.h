/// A window on the desktop: GLFW and OpenGL 3.3. It draws on input or new data and sleeps
/// otherwise.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/model/result.h"
#include "viewer/platform/image.h"
#include "viewer/platform/screen_client.h"

struct GLFWwindow;
struct ImGuiContext;

namespace quintet::viewer {

struct WindowOptions {
  int width = 1600;  ///< units of 1/96 inch
  int height = 950;
  float scale = 0;  ///< pixels a unit; 0 = what the monitor asks for
};

/// Owns GLFW, the window and its ImGui context. One at a time; all calls come from the thread that
/// opened it, but for wake().
class Window {
 public:
  /// Errors: no display, no OpenGL 3.3.
  static Result<std::unique_ptr<Window>> open(const WindowOptions& options);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  /// Draws until the client closes.
  void run(ScreenClient& client);
  /// Makes a sleeping window draw. Any thread.
  static void wake();

 private:
  Window(GLFWwindow* window, float wanted_scale);

  void set_callbacks();
  void draw(ScreenClient& client);
  void load_scale();
  void wait(const ScreenClient& client);
  static Window& of(GLFWwindow* window);

  GLFWwindow* window_ = nullptr;
  ImGuiContext* context_ = nullptr;
  ScreenClient* client_ = nullptr;
  Fonts fonts_;
  float wanted_scale_ = 0;
  float scale_ = 0;
  std::string title_;
  int frames_due_ = 0;  ///< ImGui settles over a few frames after each input
};

}  // namespace quintet::viewer
