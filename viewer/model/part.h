/// A part of the workbench with state of its own: an index, a draft, a run. Views read parts;
/// commands and background results change them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "viewer/model/background.h"
#include "viewer/model/command.h"

namespace quintet::viewer {

class Parts;

/// What a part works with. Short-lived: never kept beyond the call.
struct PartContext {
  Workbench& workbench;
  Background& background;
  CommandQueue& commands;  ///< for what other parts or the catalog have to do
  const Parts& parts;      ///< to read what other parts made
};

/// All calls come from the thread that draws. Usage: one file set in viewer/model/, one line in
/// viewer/app/part_catalog.cpp.
class Part {
 public:
  Part() = default;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  virtual ~Part() = default;

  [[nodiscard]] virtual std::string_view id() const = 0;
  /// Once before each frame: starts jobs for what has changed; must take less than a millisecond.
  virtual void prepare(PartContext& /*context*/) {}
  /// After the catalog applied the command. True where it did something with it; a command that is
  /// not applied by the catalog and that no part takes is logged.
  virtual bool handle(const Command& /*command*/, PartContext& /*context*/) { return false; }
  /// Once, before the application ends: what must be saved is saved here, on this thread.
  virtual void finish(PartContext& /*context*/) {}
};

/// Owns the parts; they live as long as the application.
class Parts {
 public:
  void add(std::unique_ptr<Part> part) { parts_.push_back(std::move(part)); }
  /// The part of that type, or null where the application has none.
  template <class T>
  [[nodiscard]] const T* find() const {
    for (const std::unique_ptr<Part>& part : parts_) {
      if (const auto* found = dynamic_cast<const T*>(part.get())) return found;
    }
    return nullptr;
  }
  template <class T>
  [[nodiscard]] T* find() {
    return const_cast<T*>(static_cast<const Parts*>(this)->find<T>());
  }
  void prepare(PartContext& context) {
    for (const std::unique_ptr<Part>& part : parts_)
      part->prepare(context);
  }
  void finish(PartContext& context) {
    for (const std::unique_ptr<Part>& part : parts_)
      part->finish(context);
  }
  /// True where at least one took it.
  bool handle(const Command& command, PartContext& context) {
    bool taken = false;
    for (const std::unique_ptr<Part>& part : parts_)
      taken = part->handle(command, context) || taken;
    return taken;
  }

 private:
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace quintet::viewer
