#include "viewer/model/workbench_changes.h"

#include <algorithm>

#include "viewer/model/timeline/step_axis.h"

namespace quintet::viewer::change {

namespace {

/// The same overlay again closes it.
void toggle_overlay(Workbench& workbench, Overlay overlay) {
  workbench.overlay = workbench.overlay == overlay ? Overlay::none : overlay;
}

void move_step(Workbench& workbench, int by) {
  const Document* document = workbench.document(Side::a);
  if (document == nullptr) document = workbench.document(Side::b);
  if (document == nullptr) return;
  const auto moved = neighbour_step(*document->trace, workbench.step, by);
  if (!moved) return;
  const TraceStep* before = workbench.step ? find_step(*document->trace, *workbench.step) : nullptr;
  const TraceStep* after = find_step(*document->trace, *moved);
  workbench.step = moved;
  if (workbench.visible.empty() || before == nullptr || after == nullptr) return;
  // The view moves along, so that a step stays where the eye is.
  const Trace& trace = *document->trace;
  const std::int64_t shift = time_of_step(trace, *after).begin - time_of_step(trace, *before).begin;
  workbench.visible.begin_ns += shift;
  workbench.visible.end_ns += shift;
}

}  // namespace

void open_dialog(Workbench& workbench, const Command& /*command*/) {
  workbench.open_side = Side::a;
  toggle_overlay(workbench, Overlay::open_dialog);
}

void open_dialog_beside(Workbench& workbench, const Command& /*command*/) {
  workbench.open_side = Side::b;
  toggle_overlay(workbench, Overlay::open_dialog);
}

void place(Workbench& workbench, const Command& command) {
  const auto* placed = command.get<PlaceDocument>();
  if (placed == nullptr) return;
  std::optional<Document>& held = workbench.documents[index_of(placed->side)];
  const bool grew = held && held->live && held->file == placed->document.file;
  held = placed->document;
  held->generation = ++workbench.generations;
  if (grew) return;
  if (workbench.selection.side == placed->side) workbench.selection = {};
  if (placed->side == Side::a || !workbench.documents[index_of(Side::a)]) {
    workbench.visible = {};
    workbench.step.reset();
  }
  workbench.shown = workbench.both_open()     ? Shown::both
                    : placed->side == Side::b ? Shown::b
                                              : Shown::a;
}

void close(Workbench& workbench, const Command& command) {
  const auto* named = command.get<Side>();
  const Side side = named != nullptr ? *named : workbench.main_side();
  workbench.documents[index_of(side)].reset();
  if (workbench.selection.side == side) workbench.selection = {};
  workbench.shown = workbench.document(Side::a) == nullptr && workbench.document(Side::b) != nullptr
                        ? Shown::b
                        : Shown::a;
  workbench.visible = {};
  workbench.step.reset();
}

void swap_sides(Workbench& workbench, const Command& /*command*/) {
  std::swap(workbench.documents[0], workbench.documents[1]);
  workbench.selection = {};
  workbench.visible = {};
  workbench.step.reset();
  if (!workbench.both_open()) workbench.shown = workbench.documents[0] ? Shown::a : Shown::b;
}

void export_dialog(Workbench& workbench, const Command& /*command*/) {
  toggle_overlay(workbench, Overlay::export_dialog);
}

void quit(Workbench& workbench, const Command& /*command*/) {
  workbench.closing = true;
}

void select(Workbench& workbench, const Command& command) {
  if (const auto* selection = command.get<Selection>()) workbench.selection = *selection;
}

void escape(Workbench& workbench, const Command& /*command*/) {
  if (workbench.overlay != Overlay::none) {
    workbench.overlay = Overlay::none;
  } else if (workbench.pane_keys) {
    workbench.pane_keys = false;
  } else if (workbench.measuring) {
    workbench.measuring = false;
  } else if (!workbench.selection.empty()) {
    workbench.selection = {};
  } else {
    workbench.search.clear();
  }
}

void next_step(Workbench& workbench, const Command& /*command*/) {
  move_step(workbench, 1);
}

void previous_step(Workbench& workbench, const Command& /*command*/) {
  move_step(workbench, -1);
}

void go_to_step(Workbench& workbench, const Command& command) {
  if (const auto* step = command.get<std::int64_t>()) workbench.step = *step;
}

void focus_search(Workbench& workbench, const Command& /*command*/) {
  workbench.search_focus = true;
}

void search_for(Workbench& workbench, const Command& command) {
  workbench.search_focus = false;
  if (const auto* text = command.get<std::string>()) workbench.search = *text;
}

void show_range(Workbench& workbench, const Command& command) {
  if (const auto* range = command.get<TimeRange>()) workbench.visible = *range;
}

void measure(Workbench& workbench, const Command& /*command*/) {
  workbench.measuring = !workbench.measuring;
}

void critical_path(Workbench& workbench, const Command& /*command*/) {
  workbench.critical_path_shown = !workbench.critical_path_shown;
}

void executor_lanes(Workbench& workbench, const Command& /*command*/) {
  workbench.grouping = workbench.grouping == LaneGrouping::executor_stream
                           ? LaneGrouping::policy_stream
                           : LaneGrouping::executor_stream;
}

void group_lanes(Workbench& workbench, const Command& command) {
  if (const auto* grouping = command.get<LaneGrouping>()) workbench.grouping = *grouping;
}

void flip(Workbench& workbench, const Command& /*command*/) {
  switch (workbench.shown) {
    case Shown::a:
      workbench.shown = Shown::b;
      break;
    case Shown::b:
    case Shown::both:
      workbench.shown = Shown::a;
      break;
  }
}

void show(Workbench& workbench, const Command& command) {
  if (const auto* shown = command.get<Shown>()) workbench.shown = *shown;
}

void show_in_graph(Workbench& workbench, const Command& /*command*/) {
  workbench.bottom_tab = "graph";
  workbench.layout.bottom_shown = true;
}

void tab(Workbench& workbench, const Command& command) {
  const auto* id = command.get<std::string>();
  if (id == nullptr) return;
  workbench.bottom_tab = *id;
  workbench.layout.bottom_shown = true;
}

void toggle_pane(Workbench& workbench, const Command& command) {
  const auto* placement = command.get<Placement>();
  if (placement == nullptr) return;
  switch (*placement) {
    case Placement::left:
      workbench.layout.left_shown = !workbench.layout.left_shown;
      break;
    case Placement::right:
      workbench.layout.right_shown = !workbench.layout.right_shown;
      break;
    case Placement::bottom:
      workbench.layout.bottom_shown = !workbench.layout.bottom_shown;
      break;
    case Placement::centre:
      break;
  }
}

void theme(Workbench& workbench, const Command& /*command*/) {
  workbench.theme = workbench.theme == ThemeName::dark ? ThemeName::light : ThemeName::dark;
}

void resize_panes(Workbench& workbench, const Command& command) {
  if (const auto* layout = command.get<PaneLayout>()) workbench.layout = *layout;
}

void pane_keys(Workbench& workbench, const Command& /*command*/) {
  workbench.pane_keys = !workbench.pane_keys;
}

void palette(Workbench& workbench, const Command& /*command*/) {
  toggle_overlay(workbench, Overlay::palette);
}

void dismiss_alert(Workbench& workbench, const Command& /*command*/) {
  workbench.log.dismiss_alert();
}

void help(Workbench& workbench, const Command& /*command*/) {
  toggle_overlay(workbench, Overlay::help);
}

void choose_scenario(Workbench& workbench, const Command& command) {
  if (const auto* name = command.get<std::string>()) workbench.chosen_scenario = *name;
}

void choose_executor(Workbench& workbench, const Command& command) {
  if (const auto* name = command.get<std::string>()) workbench.chosen_executor = *name;
}

void choose_steps(Workbench& workbench, const Command& command) {
  const auto* steps = command.get<std::int64_t>();
  if (steps == nullptr) return;
  workbench.chosen_steps = *steps > 0 ? std::optional(*steps) : std::nullopt;
}

void choose_tuning(Workbench& workbench, const Command& command) {
  const auto* choice = command.get<TuneChoice>();
  if (choice == nullptr) return;
  constexpr std::int64_t kMostMeasured = 20;
  constexpr std::int64_t kMostMib = std::int64_t{1} << 40U;  // in bytes it still is a number
  workbench.tuning = *choice;
  for (std::int64_t* count : {&workbench.tuning.candidates, &workbench.tuning.seconds,
                              &workbench.tuning.seed, &workbench.tuning.most_memory_mib})
    *count = std::max(*count, std::int64_t{0});
  workbench.tuning.most_memory_mib = std::min(workbench.tuning.most_memory_mib, kMostMib);
  workbench.tuning.measured = std::clamp(workbench.tuning.measured, std::int64_t{1}, kMostMeasured);
}

void choose_policy(Workbench& workbench, const Command& command) {
  if (const auto* name = command.get<std::string>()) workbench.chosen_policy = *name;
}

}  // namespace quintet::viewer::change
