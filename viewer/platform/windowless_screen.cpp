#include "viewer/platform/windowless_screen.h"

#include <array>
#include <imgui.h>

#include "viewer/platform/font_loader.h"

namespace quintet::viewer {

namespace {

constexpr double kFrameSeconds = 1.0 / 60;

struct DialogKey {
  Key key;
  ImGuiKey imgui;
};

/// What ImGui's own windows listen to.
constexpr auto kDialogKeys = std::to_array<DialogKey>({
    {Key::enter, ImGuiKey_Enter},
    {Key::escape, ImGuiKey_Escape},
    {Key::tab, ImGuiKey_Tab},
    {Key::backspace, ImGuiKey_Backspace},
    {Key::del, ImGuiKey_Delete},
    {Key::left, ImGuiKey_LeftArrow},
    {Key::right, ImGuiKey_RightArrow},
    {Key::up, ImGuiKey_UpArrow},
    {Key::down, ImGuiKey_DownArrow},
    {Key::page_up, ImGuiKey_PageUp},
    {Key::page_down, ImGuiKey_PageDown},
    {Key::home, ImGuiKey_Home},
    {Key::end, ImGuiKey_End},
    {Key::space, ImGuiKey_Space},
});

}  // namespace

WindowlessScreen::WindowlessScreen(const WindowlessOptions& options) : options_(options) {
  IMGUI_CHECKVERSION();
  context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.DisplaySize = {static_cast<float>(options.width), static_cast<float>(options.height)};
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.MousePos = {-1, -1};
#if IMGUI_VERSION_NUM < 18700
  // Before 1.87 the backend numbers its keys itself.
  for (const DialogKey& each : kDialogKeys)
    io.KeyMap[each.imgui] = each.imgui;
#endif
  fonts_ = load_fonts(*io.Fonts, options.scale);
  unsigned char* pixels = nullptr;
  int width = 0;
  int height = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
}

WindowlessScreen::~WindowlessScreen() {
  ImGui::DestroyContext(context_);
}

void WindowlessScreen::frame(ScreenClient& client, int count) {
  for (int each = 0; each < count; ++each) {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = static_cast<float>(kFrameSeconds);
    ++frames_;
    ImGui::NewFrame();
    client.draw(fonts_, {static_cast<double>(frames_) * kFrameSeconds, options_.scale,
                         io.DisplaySize.x, io.DisplaySize.y});
    ImGui::Render();
    if (client.wants_picture()) client.take_picture(rasterise_frame());
    io.MouseWheel = 0;
    if (held_) set_key(*held_, false);
    held_.reset();
  }
}

Image WindowlessScreen::picture() const {
  return rasterise_frame();
}

DrawCounts WindowlessScreen::counts() const {
  return count_draws(*ImGui::GetDrawData());
}

void WindowlessScreen::move_mouse(float x, float y) {
  ImGui::GetIO().MousePos = {x, y};
}

void WindowlessScreen::press_mouse(int button) {
  ImGui::GetIO().MouseDown[button] = true;
}

void WindowlessScreen::release_mouse(int button) {
  ImGui::GetIO().MouseDown[button] = false;
}

void WindowlessScreen::turn_wheel(float notches) {
  ImGui::GetIO().MouseWheel = notches;
}

void WindowlessScreen::hold(bool ctrl, bool shift, bool alt) {
  ImGuiIO& io = ImGui::GetIO();
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
  io.KeyAlt = alt;
}

void WindowlessScreen::type(const std::string& text) {
  ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
}

void WindowlessScreen::press_key(ScreenClient& client, const KeyChord& chord) {
  client.key(chord, ImGui::GetIO().WantTextInput);
  set_key(chord.key, true);
  held_ = chord.key;
}

void WindowlessScreen::set_key(Key key, bool down) {
  ImGuiIO& io = ImGui::GetIO();
  for (const DialogKey& each : kDialogKeys) {
    if (each.key != key) continue;
#if IMGUI_VERSION_NUM < 18700
    io.KeysDown[each.imgui] = down;
#else
    io.AddKeyEvent(each.imgui, down);
#endif
  }
}

void WindowlessScreen::click(ScreenClient& client, float x, float y, int button) {
  move_mouse(x, y);
  frame(client);
  press_mouse(button);
  frame(client);
  release_mouse(button);
  frame(client);
}

}  // namespace quintet::viewer
