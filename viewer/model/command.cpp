#include "viewer/model/command.h"

#include <algorithm>

namespace quintet::viewer {

std::string_view name_of(CommandGroup group) {
  switch (group) {
    case CommandGroup::file:
      return "File";
    case CommandGroup::view:
      return "View";
    case CommandGroup::go:
      return "Go";
    case CommandGroup::policy:
      return "Policy";
    case CommandGroup::run:
      return "Run";
    case CommandGroup::help:
      return "Help";
  }
  return {};
}

const CommandEntry* find_command(std::string_view id) {
  const auto catalog = command_catalog();
  const auto found = std::find_if(catalog.begin(), catalog.end(),
                                  [&](const CommandEntry& entry) { return entry.id == id; });
  return found == catalog.end() ? nullptr : &*found;
}

const CommandEntry* command_for(const KeyChord& chord, const Workbench& workbench) {
  const KeyChord wanted = canonical(chord);
  if (wanted.key == Key::none) return nullptr;
  const CommandEntry* disabled = nullptr;
  for (const CommandEntry& entry : command_catalog()) {
    if (std::find(entry.keys.begin(), entry.keys.end(), wanted) == entry.keys.end()) continue;
    if (entry.enabled_in(workbench)) return &entry;
    if (disabled == nullptr) disabled = &entry;
  }
  return disabled;
}

CommandOutcome apply_command(const Command& command, Workbench& workbench) {
  const CommandEntry* entry = find_command(command.id);
  if (entry == nullptr) return CommandOutcome::unknown;
  if (!entry->enabled_in(workbench)) return CommandOutcome::disabled;
  if (entry->apply == nullptr) return CommandOutcome::for_parts;
  entry->apply(workbench, command);
  return CommandOutcome::done;
}

}  // namespace quintet::viewer
