/// The viewer put together: workbench, parts, views and what surrounds them, for any screen.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/app/pane_frame.h"
#include "viewer/app/part_catalog.h"
#include "viewer/platform/screen_client.h"
#include "viewer/views/command_palette.h"
#include "viewer/views/export_dialog.h"
#include "viewer/views/open_dialog.h"
#include "viewer/views/status_line.h"
#include "viewer/views/top_bar.h"
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
  [[nodiscard]] bool wants_picture() const override;
  void take_picture(Image picture) override;

  /// Runs a command as if a view had emitted it; it takes effect before the next frame.
  void emit(const Command& command) { commands_.emit(command.id, command.argument); }
  /// Waits until nothing runs in the background and every command took effect.
  void settle();

  [[nodiscard]] const Workbench& workbench() const { return workbench_; }
  [[nodiscard]] const Parts& parts() const { return parts_; }

 private:
  void run_commands();
  void run(const Command& command);
  /// What the application does itself; true where it took the command.
  bool run_own(const Command& command);
  void step_tab(int by);
  /// What is wanted of a picture of the whole screen.
  [[nodiscard]] Image wanted_part(Image picture) const;
  void paint(const PaneBox& screen, ViewContext& context);
  void paint_overlay(const PaneBox& screen, ViewContext& context);

  AppOptions options_;
  Workbench workbench_;
  CommandQueue commands_;
  Parts parts_;
  PaneFrame panes_;
  TopBar top_bar_;
  StatusLine status_line_;
  CommandPalette palette_;
  OpenDialog open_dialog_;
  ExportDialog export_dialog_;
  Overlay overlay_ = Overlay::none;  ///< of the frame before
  std::string picture_path_;  ///< where the next frame is wanted as a picture; empty = nowhere
  ExportFormat picture_of_ = ExportFormat::png;
  PaneBox screen_;         ///< of the frame that was drawn last
  int picture_delay_ = 0;  ///< frames until dialogs are gone from it
  std::uint64_t frames_ = 0;
  std::optional<std::pair<ThemeName, float>> styled_;  ///< what ImGui's style was set for
  // Last: its jobs deliver into everything above, so it goes first.
  std::unique_ptr<Background> background_;
};

}  // namespace quintet::viewer
