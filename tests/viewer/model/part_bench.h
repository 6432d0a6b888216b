/// A workbench for one part: what the application holds, without its views.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "viewer/model/part.h"

namespace quintet::viewer {

/// Owns a part of type T and all that it works with. One thread.
template <class T>
class PartBench {
 public:
  template <class... Arguments>
  explicit PartBench(Arguments&&... arguments) {
    auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    part_ = made.get();
    parts_.add(std::move(made));
  }

  T& part() { return *part_; }
  Workbench& workbench() { return workbench_; }
  Background& background() { return background_; }
  CommandQueue& commands() { return commands_; }
  Parts& parts() { return parts_; }

  void open(Trace trace, Side side = Side::a, const std::string& file = "run.qtrace") {
    PlaceDocument placed;
    placed.side = side;
    placed.document.trace = std::make_shared<const Trace>(std::move(trace));
    placed.document.file = file;
    apply_command({command_id::kPlace, placed}, workbench_);
  }
  /// As a frame does, then waits for what it started.
  void frame() {
    PartContext context{workbench_, background_, commands_, parts_};
    parts_.prepare(context);
    background_.finish();
  }
  /// As a command of a view; true where a part took it.
  bool send(std::string_view id, CommandArgument argument = {}) {
    const Command command{id, std::move(argument)};
    apply_command(command, workbench_);
    PartContext context{workbench_, background_, commands_, parts_};
    const bool taken = parts_.handle(command, context);
    background_.finish();
    return taken;
  }

 private:
  Workbench workbench_;
  CommandQueue commands_;
  Parts parts_;
  T* part_ = nullptr;
  Background background_;
};

}  // namespace quintet::viewer
