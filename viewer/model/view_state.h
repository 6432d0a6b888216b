/// What the viewer remembers between two starts: sizes, theme, tab, recent and open files.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/model/workbench.h"

namespace quintet::viewer {

inline constexpr std::size_t kRecentFiles = 12;

struct ViewState {
  PaneLayout layout;
  ThemeName theme = ThemeName::dark;
  std::string bottom_tab;
  std::vector<std::string> recent;           ///< absolute paths, the newest first
  std::array<std::string, kSideCount> open;  ///< absolute paths; empty = nothing there
  friend bool operator==(const ViewState&, const ViewState&) = default;
};

/// $XDG_STATE_HOME/quintet, else ~/.local/state/quintet; empty where neither variable is set.
std::string default_state_folder();

/// Puts a file first in the list, once.
void remember_file(std::vector<std::string>& recent, const std::string& file);

/// What the workbench would have remembered of it. `recent` is taken over.
ViewState state_of(const Workbench& workbench, std::vector<std::string> recent);
/// Sizes, theme and tab onto the workbench; files are the caller's.
void restore_layout(const ViewState& state, Workbench& workbench);

std::string to_json(const ViewState& state);
/// Errors: no JSON. What is missing or makes no sense keeps its default.
Result<ViewState> view_state_from_json(std::string_view json, const std::string& file);

/// The state in the folder; the default where there is none. Errors: unreadable, no JSON.
Result<ViewState> load_view_state(const std::string& folder);
/// Makes the folder where it is missing and replaces the file in one rename. Errors: the system's.
Result<void> save_view_state(const std::string& folder, const ViewState& state);

}  // namespace quintet::viewer
