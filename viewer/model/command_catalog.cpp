#include <vector>

#include "viewer/model/command.h"
#include "viewer/model/workbench_changes.h"

namespace quintet::viewer {

namespace {

using namespace command_id;

bool open(const Workbench& workbench) {
  return workbench.anything_open();
}
bool both(const Workbench& workbench) {
  return workbench.both_open();
}
bool selected(const Workbench& workbench) {
  return !workbench.selection.empty();
}
bool task_selected(const Workbench& workbench) {
  return workbench.selection.task.has_value() && workbench.document(workbench.selection.side);
}
bool searching(const Workbench& workbench) {
  return open(workbench) && !workbench.search.empty();
}

constexpr KeyChord plain(Key key) {
  return {key};
}
constexpr KeyChord ctrl(Key key) {
  return {key, true};
}
constexpr KeyChord ctrl_shift(Key key) {
  return {key, true, true};
}
constexpr KeyChord shift(Key key) {
  return {key, false, true};
}
constexpr KeyChord alt(Key key) {
  return {key, false, false, true};
}

StreamMove to_stream(std::uint32_t stream, MoveScope scope) {
  return {std::nullopt, stream, scope};
}

const std::vector<CommandEntry>& entries() {
  using Group = CommandGroup;
  // clang-format off
  static const std::vector<CommandEntry> kEntries = {
      {kOpen, "Open...", Group::file, {ctrl(Key::o)}, {}, nullptr, change::open_dialog},
      {kOpenBeside, "Open beside as B...", Group::file, {ctrl_shift(Key::o)}, {}, open, change::open_dialog_beside},
      {kOpenFile, "", Group::file, {}, {}, nullptr, nullptr},
      {kBrowse, "", Group::file, {}, {}, nullptr, nullptr},
      {kPlace, "", Group::file, {}, {}, nullptr, change::place},
      {kSwapSides, "Swap A and B", Group::file, {}, {}, open, change::swap_sides},
      {kClose, "Close", Group::file, {ctrl(Key::w)}, {}, open, change::close},
      {kExport, "Export...", Group::file, {ctrl(Key::e)}, {}, open, change::export_dialog},
      {kExportTo, "", Group::file, {}, {}, open, nullptr},
      {kQuit, "Quit", Group::file, {ctrl(Key::q)}, {}, nullptr, change::quit},

      {kZoomIn, "Zoom in", Group::view, {plain(Key::w), plain(Key::plus)}, {}, open, nullptr},
      {kZoomOut, "Zoom out", Group::view, {plain(Key::s), plain(Key::minus)}, {}, open, nullptr},
      {kPanLeft, "Pan left", Group::view, {plain(Key::a), plain(Key::left)}, {}, open, nullptr},
      {kPanRight, "Pan right", Group::view, {plain(Key::d), plain(Key::right)}, {}, open, nullptr},
      {kFit, "Fit everything", Group::view, {plain(Key::f), plain(Key::home)}, {}, open, nullptr},
      {kZoomToSelection, "Zoom to selection", Group::view, {plain(Key::z)}, {}, selected, nullptr},
      {kShowRange, "", Group::view, {}, {}, open, change::show_range},
      {kMeasure, "Measure", Group::view, {plain(Key::m)}, {}, open, change::measure},
      {kMeasureRange, "", Group::view, {}, {}, nullptr, nullptr},
      {kExpandLane, "", Group::view, {}, {}, open, nullptr},
      {kCollapseLane, "", Group::view, {}, {}, open, nullptr},
      {kCriticalPath, "Show critical path", Group::view, {plain(Key::c)}, {}, open, change::critical_path},
      {kExecutorLanes, "Policy or executor lanes", Group::view, {plain(Key::v)}, {}, open, change::executor_lanes},
      {kGroupLanes, "Lanes by policy stream", Group::view, {}, LaneGrouping::policy_stream, open, change::group_lanes},
      {kGroupLanes, "Lanes by executor stream", Group::view, {}, LaneGrouping::executor_stream, open, change::group_lanes},
      {kGroupLanes, "Lanes by op kind", Group::view, {}, LaneGrouping::op_kind, open, change::group_lanes},
      {kGroupLanes, "Lanes by layer", Group::view, {}, LaneGrouping::layer, open, change::group_lanes},
      {kFlip, "Flip A and B", Group::view, {plain(Key::space)}, {}, both, change::flip},
      {kShow, "Show A", Group::view, {}, Shown::a, open, change::show},
      {kShow, "Show B", Group::view, {}, Shown::b, open, change::show},
      {kShow, "Show A over B", Group::view, {}, Shown::both, both, change::show},
      {kShowInGraph, "Show in graph", Group::view, {plain(Key::g)}, {}, task_selected, change::show_in_graph},
      {kTab, "Show graph", Group::view, {}, std::string("graph"), nullptr, change::tab},
      {kTab, "Show overlap and metrics", Group::view, {}, std::string("overlap"), nullptr, change::tab},
      {kTab, "Show tasks", Group::view, {}, std::string("tasks"), nullptr, change::tab},
      {kTab, "Show comparison", Group::view, {}, std::string("compare"), nullptr, change::tab},
      {kTab, "Show tuning", Group::view, {}, std::string("tune"), nullptr, change::tab},
      {kTab, "Show findings", Group::view, {}, std::string("findings"), nullptr, change::tab},
      {kTab, "Show history", Group::view, {}, std::string("history"), nullptr, change::tab},
      {kTab, "Show run", Group::view, {}, std::string("run"), nullptr, change::tab},
      {kTab, "Show log", Group::view, {}, std::string("log"), nullptr, change::tab},
      {kNextTab, "Next tab", Group::view, {ctrl(Key::page_down)}, {}, nullptr, nullptr},
      {kPreviousTab, "Previous tab", Group::view, {ctrl(Key::page_up)}, {}, nullptr, nullptr},
      {kTogglePane, "Show or hide policy pane", Group::view, {ctrl(Key::digit_1)}, Placement::left, nullptr, change::toggle_pane},
      {kTogglePane, "Show or hide selection pane", Group::view, {ctrl(Key::digit_2)}, Placement::right, nullptr, change::toggle_pane},
      {kTogglePane, "Show or hide tabs", Group::view, {ctrl(Key::digit_3)}, Placement::bottom, nullptr, change::toggle_pane},
      {kResizePanes, "", Group::view, {}, {}, nullptr, change::resize_panes},
      {kTheme, "Dark or light theme", Group::view, {ctrl(Key::t)}, {}, nullptr, change::theme},
      {kPaneKeys, "Keyboard in the panes", Group::view, {plain(Key::tab)}, {}, nullptr, change::pane_keys},
      {kPalette, "Find a command...", Group::view, {ctrl(Key::p)}, {}, nullptr, change::palette},
      {kDismiss, "Dismiss the message", Group::view, {}, {}, nullptr, change::dismiss_alert},

      {kSelect, "", Group::go, {}, {}, open, change::select},
      {kDeselect, "Close or deselect", Group::go, {plain(Key::escape)}, {}, nullptr, change::escape},
      {kNextStep, "Next step", Group::go, {plain(Key::n)}, {}, open, change::next_step},
      {kPreviousStep, "Previous step", Group::go, {plain(Key::p)}, {}, open, change::previous_step},
      {kGoToStep, "", Group::go, {}, {}, open, change::go_to_step},
      {kSearch, "Search...", Group::go, {plain(Key::slash), ctrl(Key::f)}, {}, open, change::focus_search},
      {kSearchFor, "", Group::go, {}, {}, nullptr, change::search_for},
      {kNextHit, "Next search hit", Group::go, {plain(Key::enter)}, {}, searching, nullptr},
      {kPreviousHit, "Previous search hit", Group::go, {shift(Key::enter)}, {}, searching, nullptr},
      {kNextSpan, "Next span in lane", Group::go, {plain(Key::right_bracket)}, {}, open, nullptr},
      {kPreviousSpan, "Previous span in lane", Group::go, {plain(Key::left_bracket)}, {}, open, nullptr},
      {kLaneAbove, "Lane above", Group::go, {plain(Key::up)}, {}, open, nullptr},
      {kLaneBelow, "Lane below", Group::go, {plain(Key::down)}, {}, open, nullptr},
      {kAddBookmark, "Bookmark", Group::go, {plain(Key::b)}, {}, open, nullptr},
      {kNextBookmark, "Next bookmark", Group::go, {shift(Key::b)}, {}, open, nullptr},
      {kGoToBookmark, "", Group::go, {}, {}, open, nullptr},
      {kNoteBookmark, "", Group::go, {}, {}, open, nullptr},
      {kRemoveBookmark, "", Group::go, {}, {}, open, nullptr},
      {kTab, "Show bookmarks", Group::view, {}, std::string("bookmarks"), nullptr, change::tab},
      {kTab, "Show the measured range", Group::view, {}, std::string("range"), nullptr, change::tab},
      {kTab, "Show search hits", Group::view, {}, std::string("search"), nullptr, change::tab},

      {kGraphShow, "", Group::view, {}, {}, open, nullptr},
      {kGraphFold, "", Group::view, {}, {}, open, nullptr},
      {kGraphFoldAll, "Fold the graph", Group::view, {}, {}, open, nullptr},
      {kGraphUnfoldAll, "Unfold the graph", Group::view, {}, {}, open, nullptr},
      {kGraphEngine, "Lay the graph out by lanes or by Graphviz", Group::view, {}, {}, open, nullptr},
      {kGraphDraft, "Show the graph as recorded or as edited", Group::view, {}, {}, open, nullptr},

      {kMove, "Move its kind to TRANS", Group::policy, {plain(Key::digit_1)}, to_stream(0, MoveScope::kind), task_selected, nullptr},
      {kMove, "Move its kind to COMP_1", Group::policy, {plain(Key::digit_2)}, to_stream(1, MoveScope::kind), task_selected, nullptr},
      {kMove, "Move its kind to COMP_2", Group::policy, {plain(Key::digit_3)}, to_stream(2, MoveScope::kind), task_selected, nullptr},
      {kMove, "Move its kind to COMP_3", Group::policy, {plain(Key::digit_4)}, to_stream(3, MoveScope::kind), task_selected, nullptr},
      {kMove, "Move its kind to UPDATE", Group::policy, {plain(Key::digit_5)}, to_stream(4, MoveScope::kind), task_selected, nullptr},
      {kMove, "Move this layer's to TRANS", Group::policy, {alt(Key::digit_1)}, to_stream(0, MoveScope::layer), task_selected, nullptr},
      {kMove, "Move this layer's to COMP_1", Group::policy, {alt(Key::digit_2)}, to_stream(1, MoveScope::layer), task_selected, nullptr},
      {kMove, "Move this layer's to COMP_2", Group::policy, {alt(Key::digit_3)}, to_stream(2, MoveScope::layer), task_selected, nullptr},
      {kMove, "Move this layer's to COMP_3", Group::policy, {alt(Key::digit_4)}, to_stream(3, MoveScope::layer), task_selected, nullptr},
      {kMove, "Move this layer's to UPDATE", Group::policy, {alt(Key::digit_5)}, to_stream(4, MoveScope::layer), task_selected, nullptr},
      {kMove, "Move this layer's and all after to TRANS", Group::policy, {shift(Key::digit_1)}, to_stream(0, MoveScope::layer_and_after), task_selected, nullptr},
      {kMove, "Move this layer's and all after to COMP_1", Group::policy, {shift(Key::digit_2)}, to_stream(1, MoveScope::layer_and_after), task_selected, nullptr},
      {kMove, "Move this layer's and all after to COMP_2", Group::policy, {shift(Key::digit_3)}, to_stream(2, MoveScope::layer_and_after), task_selected, nullptr},
      {kMove, "Move this layer's and all after to COMP_3", Group::policy, {shift(Key::digit_4)}, to_stream(3, MoveScope::layer_and_after), task_selected, nullptr},
      {kMove, "Move this layer's and all after to UPDATE", Group::policy, {shift(Key::digit_5)}, to_stream(4, MoveScope::layer_and_after), task_selected, nullptr},
      {kPreviewMove, "", Group::policy, {}, {}, open, nullptr},
      {kEditPolicy, "", Group::policy, {}, {}, open, nullptr},
      {kTryEdit, "", Group::policy, {}, {}, open, nullptr},
      {kDropPreview, "", Group::policy, {}, {}, nullptr, nullptr},
      {kUndo, "Undo", Group::policy, {ctrl(Key::z)}, {}, open, nullptr},
      {kRedo, "Redo", Group::policy, {ctrl_shift(Key::z), ctrl(Key::y)}, {}, open, nullptr},
      {kSavePolicy, "Save policy", Group::policy, {ctrl(Key::s)}, {}, open, nullptr},
      {kSavePolicyAs, "", Group::policy, {}, {}, open, nullptr},

      {kTune, "Tune the mapping", Group::policy, {ctrl(Key::u)}, {}, open, nullptr},
      {kStopTuning, "Stop tuning", Group::policy, {ctrl_shift(Key::u)}, {}, nullptr, nullptr},
      {kChooseTuning, "", Group::policy, {}, {}, nullptr, change::choose_tuning},
      {kTryTuned, "", Group::policy, {}, {}, open, nullptr},
      {kApplyTuned, "Take the best policy that tuning found", Group::policy, {}, {}, open, nullptr},
      {kMeasureTuned, "Measure the best policies that tuning found", Group::policy, {}, {}, open, nullptr},

      {kRun, "Run", Group::run, {ctrl(Key::r), plain(Key::f5)}, {}, nullptr, nullptr},
      {kStopRun, "Stop the run", Group::run, {ctrl_shift(Key::r)}, {}, nullptr, nullptr},
      {kChooseScenario, "", Group::run, {}, {}, nullptr, change::choose_scenario},
      {kChooseExecutor, "", Group::run, {}, {}, nullptr, change::choose_executor},
      {kChooseSteps, "", Group::run, {}, {}, nullptr, change::choose_steps},
      {kChoosePolicy, "", Group::run, {}, {}, nullptr, change::choose_policy},

      {kHistoryOpen, "", Group::run, {}, {}, nullptr, nullptr},
      {kHistoryMetric, "", Group::run, {}, {}, nullptr, nullptr},
      {kHistoryAdd, "Add to the history", Group::run, {}, {}, open, nullptr},

      {kCancelJob, "", Group::help, {}, {}, nullptr, nullptr},
      {kHelp, "Keys", Group::help, {plain(Key::question_mark), plain(Key::f1)}, {}, nullptr, change::help},
  };
  // clang-format on
  return kEntries;
}

}  // namespace

std::span<const CommandEntry> command_catalog() {
  return entries();
}

}  // namespace quintet::viewer
