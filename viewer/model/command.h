/// Commands: the only way in which a view changes anything. One list of them feeds keys, menus, the
/// palette and the help window.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "viewer/model/command_id.h"
#include "viewer/model/key.h"
#include "viewer/model/workbench.h"

namespace quintet::viewer {

/// Opens a recording or a foreign trace in the background.
struct OpenFile {
  std::string path;
  Side side = Side::a;
};

/// A document that was read, or grew, takes its side. Its file's errors were logged before.
struct PlaceDocument {
  Side side = Side::a;
  Document document;
};

enum class ExportFormat : std::uint8_t {
  png,         ///< the whole window
  png_centre,  ///< the timeline
  png_tab,     ///< the tab below it
  html,
  perfetto,
  chrome,
  policy
};

constexpr bool is_picture(ExportFormat format) {
  return format == ExportFormat::png || format == ExportFormat::png_centre ||
         format == ExportFormat::png_tab;
}

struct ExportTo {
  ExportFormat format = ExportFormat::png;
  std::string path;
};

/// How much goes along when a task is moved to another stream.
enum class MoveScope : std::uint8_t {
  kind,             ///< every task of its kind
  layer,            ///< those of this layer
  layer_and_after,  ///< this layer's and those of all layers after it
};

/// A task to another stream of the policy.
struct StreamMove {
  std::optional<std::uint32_t> task;  ///< of the selection's document; nothing = what is selected
  std::uint32_t stream = 0;           ///< policy lane; 0 to 4 are the five streams
  MoveScope scope = MoveScope::kind;
};

using CommandArgument = std::variant<std::monostate, std::int64_t, double, std::string, Side, Shown,
                                     LaneGrouping, Placement, PaneLayout, TimeRange, Selection,
                                     OpenFile, PlaceDocument, ExportTo, StreamMove, TuneChoice>;

/// An order: which command, and what of. `id` is one of command_id.
struct Command {
  std::string_view id;
  CommandArgument argument;

  /// The argument of that type, or null.
  template <class T>
  [[nodiscard]] const T* get() const {
    return std::get_if<T>(&argument);
  }
};

/// Where menus and the help window list a command.
enum class CommandGroup : std::uint8_t { file, view, go, policy, run, help };

std::string_view name_of(CommandGroup group);

/// One line of the catalog. A command may stand in several lines, with keys and arguments of their
/// own.
struct CommandEntry {
  std::string_view id;
  std::string_view
      title;  ///< sentence case; "..." where more input follows. Empty = only views emit it
  CommandGroup group = CommandGroup::view;
  std::array<KeyChord, 2> keys = {};
  /// What keys and menus pass along.
  CommandArgument preset = {};
  /// Null = always.
  bool (*enabled)(const Workbench&) = nullptr;
  /// What it does to the workbench; null = a part (viewer/model/part.h) takes it.
  void (*apply)(Workbench&, const Command&) = nullptr;

  [[nodiscard]] bool enabled_in(const Workbench& workbench) const {
    return enabled == nullptr || enabled(workbench);
  }
  [[nodiscard]] Command command() const { return {id, preset}; }
};

/// Every command, in the order of menus and help.
std::span<const CommandEntry> command_catalog();

/// The first line of that id, or null.
const CommandEntry* find_command(std::string_view id);
/// The line that has the key and is enabled, else one that has it, else null.
const CommandEntry* command_for(const KeyChord& chord, const Workbench& workbench);

/// What became of an order.
enum class CommandOutcome : std::uint8_t {
  done,       ///< the workbench changed as the catalog says
  for_parts,  ///< a part has to take it
  disabled,   ///< not now
  unknown,    ///< no such command
};

/// Applies what the catalog knows about the command.
CommandOutcome apply_command(const Command& command, Workbench& workbench);

/// Orders in the sequence they were emitted; one thread.
class CommandQueue {
 public:
  void emit(std::string_view id, CommandArgument argument = {}) {
    commands_.push_back({id, std::move(argument)});
  }
  /// All of them; the queue is empty afterwards.
  [[nodiscard]] std::vector<Command> take() { return std::exchange(commands_, {}); }
  [[nodiscard]] bool empty() const { return commands_.empty(); }

 private:
  std::vector<Command> commands_;
};

}  // namespace quintet::viewer
