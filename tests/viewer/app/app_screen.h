/// The application on a windowless screen, worked as a person would.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "viewer/app/app.h"
#include "viewer/platform/windowless_screen.h"

namespace quintet::viewer {

/// Owns both. One at a time, one thread.
class AppScreen {
 public:
  explicit AppScreen(AppOptions options = {}, const WindowlessOptions& screen = {})
      : screen_(screen), app_(std::move(options)) {
    settle();
  }

  /// Draws and waits until nothing happens any more.
  void settle() {
    constexpr int kRounds = 4;
    for (int round = 0; round < kRounds; ++round) {
      screen_.frame(app_);
      app_.settle();
    }
    screen_.frame(app_, 2);
  }
  void place(Trace trace, Side side = Side::a, const std::string& file = "made-up.qtrace") {
    PlaceDocument placed;
    placed.side = side;
    placed.document.trace = std::make_shared<const Trace>(std::move(trace));
    placed.document.file = file;
    app_.emit({command_id::kPlace, placed});
    settle();
  }
  void send(std::string_view id, CommandArgument argument = {}) {
    app_.emit({id, std::move(argument)});
    settle();
  }
  void press(const KeyChord& chord) {
    screen_.press_key(app_, chord);
    screen_.frame(app_, 2);
  }
  void type(const std::string& text) {
    screen_.type(text);
    screen_.frame(app_, 2);
  }
  void click(float x, float y) { screen_.click(app_, x, y); }

  App& app() { return app_; }
  WindowlessScreen& screen() { return screen_; }
  [[nodiscard]] const Workbench& workbench() const { return app_.workbench(); }
  /// What the log complains of; empty = nothing.
  [[nodiscard]] std::string complaint() const {
    const LogLine* alert = app_.workbench().log.alert();
    return alert == nullptr ? std::string() : alert->text;
  }

 private:
  WindowlessScreen screen_;
  App app_;
};

}  // namespace quintet::viewer
