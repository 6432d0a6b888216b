#include "viewer/platform/window.h"

#include <GLFW/glfw3.h>
#include <algorithm>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "viewer/platform/font_loader.h"
#include "viewer/platform/key_table.h"
#include "viewer/platform/rasteriser.h"

namespace quintet::viewer {

namespace {

constexpr int kSettlingFrames = 3;

std::string glfw_error() {
  const char* said = nullptr;
  glfwGetError(&said);
  return said == nullptr ? "no reason given" : said;
}

constexpr const char* kNoDisplayCure =
    "start it on a desktop, with ssh -X, or under xvfb-run; quintet report RECORDING --html "
    "PAGE needs no display";

float monitor_scale(GLFWwindow* window) {
  float across = 1;
  float down = 1;
  glfwGetWindowContentScale(window, &across, &down);
  return std::clamp(across, 0.5F, 4.0F);
}

}  // namespace

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
  if (glfwInit() == GLFW_FALSE) {
    return fail("no display to open a window on (GLFW: " + glfw_error() + ")", kNoDisplayCure);
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  GLFWwindow* window = glfwCreateWindow(options.width, options.height, "Quintet", nullptr, nullptr);
  if (window == nullptr) {
    const std::string said = glfw_error();
    glfwTerminate();
    return fail("no window with OpenGL 3.3 (GLFW: " + said + ")",
                "install a driver with OpenGL 3.3 (libgl1-mesa-dri draws without a GPU)");
  }
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  return std::unique_ptr<Window>(new Window(window, options.scale));
}

Window::Window(GLFWwindow* window, float wanted_scale)
    : window_(window), wanted_scale_(wanted_scale) {
  IMGUI_CHECKVERSION();
  context_ = ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  set_callbacks();
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext(context_);
  glfwDestroyWindow(window_);
  glfwTerminate();
}

Window& Window::of(GLFWwindow* window) {
  return *static_cast<Window*>(glfwGetWindowUserPointer(window));
}

void Window::set_callbacks() {
  // Before ImGui's own, which call these first.
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int code, int scan, int action, int bits) {
    Window& self = of(window);
    self.frames_due_ = kSettlingFrames;
    if (action == GLFW_RELEASE || self.client_ == nullptr) return;
    const char* name = glfwGetKeyName(code, scan);
    const KeyChord chord = chord_of_glfw(code, name == nullptr ? "" : name, bits);
    if (chord.key != Key::none) self.client_->key(chord, ImGui::GetIO().WantTextInput);
  });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned int character) {
    Window& self = of(window);
    const Key key = key_of_typed(character);
    if (key != Key::none && self.client_ != nullptr) {
      self.client_->key({key}, ImGui::GetIO().WantTextInput);
    }
  });
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    Window& self = of(window);
    self.frames_due_ = kSettlingFrames;
    if (self.client_ != nullptr) self.client_->drop({paths, paths + count});
  });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) {
    Window& self = of(window);
    if (self.client_ != nullptr) self.draw(*self.client_);
  });
  glfwSetWindowCloseCallback(window_, [](GLFWwindow* window) {
    Window& self = of(window);
    if (self.client_ != nullptr) self.client_->close();
  });
}

void Window::load_scale() {
  const float wanted = wanted_scale_ > 0 ? wanted_scale_ : monitor_scale(window_);
  if (wanted == scale_) return;
  [[maybe_unused]] const bool had_texture = scale_ > 0;
  scale_ = wanted;
  fonts_ = load_fonts(*ImGui::GetIO().Fonts, scale_);
#if IMGUI_VERSION_NUM < 19200
  // From 1.92 on the backend sees by itself that faces have changed.
  if (had_texture) {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
#endif
}

void Window::draw(ScreenClient& client) {
  load_scale();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  client.draw(fonts_, {glfwGetTime(), scale_, size.x, size.y});
  ImGui::Render();
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window_);
  if (client.wants_picture()) client.take_picture(rasterise_frame());
  if (const std::string title = client.title(); title != title_) {
    title_ = title;
    glfwSetWindowTitle(window_, title.c_str());
  }
}

void Window::wait(const ScreenClient& client) {
  const double sleep = client.sleep_seconds();
  if (frames_due_ > 0 || sleep == 0) {
    glfwPollEvents();
  } else if (sleep < 0) {
    glfwWaitEvents();
    frames_due_ = kSettlingFrames;
  } else {
    glfwWaitEventsTimeout(sleep);
    // Windows that fit their content know its size after one frame.
    frames_due_ = std::max(frames_due_, 2);
  }
}

void Window::run(ScreenClient& client) {
  client_ = &client;
  frames_due_ = kSettlingFrames;
  while (!client.closing()) {
    wait(client);
    draw(client);
    frames_due_ = std::max(0, frames_due_ - 1);
  }
  client_ = nullptr;
}

void Window::wake() {
  glfwPostEmptyEvent();
}

}  // namespace quintet::viewer
