/// What is open, picked and shown: the one state that every view reads and only commands change.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viewer/model/document.h"
#include "viewer/model/pane_layout.h"
#include "viewer/model/selection.h"
#include "viewer/model/workbench_log.h"

namespace quintet::viewer {

/// Which sides the timeline draws: one of them, or both under each other.
enum class Shown : std::uint8_t { a, b, both };

/// What a row of the timeline stands for.
enum class LaneGrouping : std::uint8_t { policy_stream, executor_stream, op_kind, layer };

enum class ThemeName : std::uint8_t { dark, light };

/// Half-open, in ns of the clock of side A's trace, or of B's where A is empty. Where both are
/// open, B is drawn shifted so that the begins of the current steps meet.
struct TimeRange {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;

  [[nodiscard]] bool empty() const { return end_ns <= begin_ns; }
  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// A window over the panes that takes the keyboard; at most one at a time.
enum class Overlay : std::uint8_t {
  none,
  palette,      ///< commands by name
  help,         ///< keys
  open_dialog,  ///< choose a recording
  export_dialog,
};

/// What the next search for a better mapping may spend, and what it must keep to.
struct TuneChoice {
  std::int64_t candidates = 20'000;  ///< mappings to simulate; 0 = as many as the time allows
  std::int64_t seconds = 0;          ///< 0 = as long as the candidates take
  std::int64_t seed = 1;             ///< same seed and candidates, same answer
  std::int64_t most_memory_mib = 0;  ///< on the device; 0 = no limit
  std::int64_t measured = 3;         ///< policies that are run when the best are measured
  friend bool operator==(const TuneChoice&, const TuneChoice&) = default;
};

/// Plain data of the thread that draws; no ImGui, no I/O. Views get it const.
struct Workbench {
  std::array<std::optional<Document>, kSideCount> documents;
  std::uint64_t generations = 0;  ///< that documents had so far
  Shown shown = Shown::a;
  Selection selection;
  TimeRange visible;  ///< empty = everything, decided by the timeline when it first draws
  std::optional<std::int64_t> step;  ///< the current step's number (TraceStep::step), of side A
  LaneGrouping grouping = LaneGrouping::policy_stream;
  bool critical_path_shown = false;
  bool measuring = false;     ///< the next drag over the timeline measures
  std::string search;         ///< what spans and tasks are searched for; empty = nothing
  bool search_focus = false;  ///< the search field wants the keyboard at the next frame
  bool pane_keys = false;  ///< arrows, Space and Enter work what the panes hold, not the timeline

  ThemeName theme = ThemeName::dark;
  PaneLayout layout;
  std::string bottom_tab = "overlap";  ///< id of the view shown below
  Overlay overlay = Overlay::none;
  Side open_side = Side::a;  ///< where the open dialog puts what it opens
  bool closing = false;

  std::string chosen_scenario;  ///< for the next run; empty = the first of the catalog
  std::string chosen_executor = "host";
  std::string chosen_policy;                 ///< empty = the scenario's own
  std::optional<std::int64_t> chosen_steps;  ///< nothing = as the scenario says
  TuneChoice tuning;                         ///< of the next search
  std::string draft_toml;      ///< the policy under the hand, as a file; empty = nothing was edited
  bool policy_edited = false;  ///< the draft differs from what is saved

  WorkbenchLog log;

  [[nodiscard]] const Document* document(Side side) const;
  /// The side whose document views show that show one: the selection's where something is
  /// selected there, else the one that is shown, else the one that is open.
  [[nodiscard]] Side main_side() const;
  [[nodiscard]] const Document* main_document() const { return document(main_side()); }
  [[nodiscard]] bool anything_open() const { return documents[0] || documents[1]; }
  [[nodiscard]] bool both_open() const { return documents[0] && documents[1]; }
};

/// The step of that number, or null.
const TraceStep* find_step(const Trace& trace, std::int64_t number);
/// The number of the step `by` places after `from` in the trace, kept within it; the first where
/// `from` is none of its steps; nothing without steps.
std::optional<std::int64_t> neighbour_step(const Trace& trace, std::optional<std::int64_t> from,
                                           int by);

}  // namespace quintet::viewer
