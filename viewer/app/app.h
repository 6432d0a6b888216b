/// The viewer put together: workbench, parts, views and what surrounds them, for any screen.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/app/pane_frame.h"
#include "viewer/app/part_catalog.h"
#include "viewer/platform/screen_client.h"
#include "viewer/views/view_catalog.h"

namespace quintet::viewer {

/// Owns all state. One thread, but for AppOptions::wake. Usage: App app(options);
/// Window::open(...)->run(app).
class App : public ScreenClient {
 public:
  explicit App(AppOptions options);
  ~App() override;

  void draw(const Fonts& fonts, const ScreenFrame& frame) override;
  void key(const KeyChord& chord, bool typing) override;
  void drop(const std::vector<std::string>& files) override;
  [[nodiscard]] std::string title() const override;
  void close() override { workbench_.closing = true; }
  [[nodiscard]] bool closing() const override { return workbench_.closing; }
  [[nodiscard]] double sleep_seconds() const override;

  /// Runs a command as if a view had emitted it; it takes effect before the next frame.
  void emit(const Command& command) { commands_.emit(command.id, command.argument); }
  /// Waits until nothing runs in the background and every command took effect.
  void settle();

  [[nodiscard]] const Workbench& workbench() const { return workbench_; }
  [[nodiscard]] const Parts& parts() const { return parts_; }

 private:
  void run_commands();
  void run(const Command& command);
  void step_tab(int by);

  AppOptions options_;
  Workbench workbench_;
  CommandQueue commands_;
  Parts parts_;
  PaneFrame panes_;
  std::uint64_t frames_ = 0;
  std::optional<std::pair<ThemeName, float>> styled_;  ///< what ImGui's style was set for
  // Last: its jobs deliver into everything above, so it goes first.
  std::unique_ptr<Background> background_;
};

}  // namespace quintet::viewer
