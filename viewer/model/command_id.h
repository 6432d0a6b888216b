/// The names of all commands: what views emit and parts listen to.
#pragma once

#include <string_view>

namespace quintet::viewer::command_id {

// File: what is open.
inline constexpr std::string_view kOpen = "file.open";               ///< shows the open dialog
inline constexpr std::string_view kOpenBeside = "file.open_beside";  ///< the same, for side B
inline constexpr std::string_view kOpenFile = "file.open_file";      ///< argument OpenFile
inline constexpr std::string_view kBrowse =
    "file.browse";  ///< argument std::string: a folder to list
inline constexpr std::string_view kPlace = "file.place";  ///< argument PlaceDocument
inline constexpr std::string_view kClose = "file.close";  ///< argument Side, else what is shown
inline constexpr std::string_view kSwapSides = "file.swap_sides";
inline constexpr std::string_view kExport = "file.export";       ///< shows the export dialog
inline constexpr std::string_view kExportTo = "file.export_to";  ///< argument ExportTo
inline constexpr std::string_view kQuit = "file.quit";

// Selection, steps and search: shared by all views.
inline constexpr std::string_view kSelect = "go.select";  ///< argument Selection
inline constexpr std::string_view kDeselect = "go.deselect";
inline constexpr std::string_view kNextStep = "go.next_step";
inline constexpr std::string_view kPreviousStep = "go.previous_step";
inline constexpr std::string_view kGoToStep = "go.step";  ///< argument std::int64_t
inline constexpr std::string_view kSearch = "go.search";  ///< the search field takes the keyboard
inline constexpr std::string_view kSearchFor = "go.search_for";  ///< argument std::string
inline constexpr std::string_view kNextHit = "go.next_hit";
inline constexpr std::string_view kPreviousHit = "go.previous_hit";
inline constexpr std::string_view kNextSpan = "go.next_span";
inline constexpr std::string_view kPreviousSpan = "go.previous_span";
inline constexpr std::string_view kLaneAbove = "go.lane_above";
inline constexpr std::string_view kLaneBelow = "go.lane_below";
inline constexpr std::string_view kAddBookmark = "go.add_bookmark";
inline constexpr std::string_view kNextBookmark = "go.next_bookmark";
inline constexpr std::string_view kGoToBookmark =
    "go.bookmark";  ///< argument std::int64_t: its place
inline constexpr std::string_view kNoteBookmark =
    "go.note_bookmark";  ///< argument std::string, of the one gone to
inline constexpr std::string_view kRemoveBookmark =
    "go.remove_bookmark";  ///< argument std::int64_t: its place

// View: what of it is drawn, and how.
inline constexpr std::string_view kZoomIn = "view.zoom_in";
inline constexpr std::string_view kZoomOut = "view.zoom_out";
inline constexpr std::string_view kPanLeft = "view.pan_left";
inline constexpr std::string_view kPanRight = "view.pan_right";
inline constexpr std::string_view kFit = "view.fit";
inline constexpr std::string_view kZoomToSelection = "view.zoom_to_selection";
inline constexpr std::string_view kShowRange = "view.show_range";  ///< argument TimeRange
inline constexpr std::string_view kMeasure = "view.measure";
inline constexpr std::string_view kMeasureRange =
    "view.measure_range";  ///< argument TimeRange; empty = forget it
inline constexpr std::string_view kExpandLane =
    "view.expand_lane";  ///< argument std::string: lane_key()
inline constexpr std::string_view kCollapseLane =
    "view.collapse_lane";  ///< argument std::string: lane_key()
inline constexpr std::string_view kCriticalPath = "view.critical_path";
inline constexpr std::string_view kExecutorLanes = "view.executor_lanes";
inline constexpr std::string_view kGroupLanes = "view.group_lanes";  ///< argument LaneGrouping
inline constexpr std::string_view kFlip = "view.flip";
inline constexpr std::string_view kShow = "view.show";  ///< argument Shown
inline constexpr std::string_view kShowInGraph = "view.show_in_graph";
inline constexpr std::string_view kTab = "view.tab";  ///< argument std::string: a view's id
inline constexpr std::string_view kNextTab = "view.next_tab";
inline constexpr std::string_view kPreviousTab = "view.previous_tab";
inline constexpr std::string_view kTogglePane = "view.toggle_pane";  ///< argument Placement
inline constexpr std::string_view kTheme = "view.theme";
inline constexpr std::string_view kResizePanes = "view.resize_panes";  ///< argument PaneLayout
inline constexpr std::string_view kPaneKeys = "view.pane_keys";
inline constexpr std::string_view kPalette = "view.palette";
inline constexpr std::string_view kDismiss = "view.dismiss_alert";

// Graph: the captured graph that is drawn.
inline constexpr std::string_view kGraphShow = "graph.show";  ///< argument std::string: its name
inline constexpr std::string_view kGraphFold = "graph.fold";  ///< argument std::string: a group
inline constexpr std::string_view kGraphFoldAll = "graph.fold_all";
inline constexpr std::string_view kGraphUnfoldAll = "graph.unfold_all";
inline constexpr std::string_view kGraphEngine = "graph.engine";
inline constexpr std::string_view kGraphDraft = "graph.draft";

// Policy: the mapping under the hand.
inline constexpr std::string_view kMove = "policy.move";                 ///< argument StreamMove
inline constexpr std::string_view kPreviewMove = "policy.preview_move";  ///< argument StreamMove
inline constexpr std::string_view kDropPreview = "policy.drop_preview";
inline constexpr std::string_view kEditPolicy =
    "policy.edit";  ///< argument std::string: edit_text() of viewer/model/mapping
inline constexpr std::string_view kTryEdit = "policy.try_edit";  ///< the same, as a preview
inline constexpr std::string_view kUndo = "policy.undo";
inline constexpr std::string_view kRedo = "policy.redo";
inline constexpr std::string_view kSavePolicy = "policy.save";
inline constexpr std::string_view kSavePolicyAs =
    "policy.save_as";  ///< argument std::string: the file

// Tune: better mappings for what is open, searched and measured.
inline constexpr std::string_view kTune = "tune.start";
inline constexpr std::string_view kStopTuning = "tune.stop";      ///< with the best so far
inline constexpr std::string_view kChooseTuning = "tune.choose";  ///< argument TuneChoice
inline constexpr std::string_view kTryTuned =
    "tune.try";  ///< argument as of kApplyTuned, as a preview; nothing = no longer
inline constexpr std::string_view kApplyTuned =
    "tune.apply";  ///< argument std::int64_t: a place in Tuning::candidates; nothing = the best
inline constexpr std::string_view kMeasureTuned = "tune.measure";  ///< stops by kStopRun

// Run: the scenario that trains.
inline constexpr std::string_view kRun = "run.start";
inline constexpr std::string_view kStopRun = "run.stop";
inline constexpr std::string_view kChooseScenario = "run.scenario";  ///< argument std::string
inline constexpr std::string_view kChooseExecutor = "run.executor";  ///< argument std::string
inline constexpr std::string_view kChooseSteps =
    "run.steps";  ///< argument std::int64_t; 0 = as the scenario says
inline constexpr std::string_view kChoosePolicy = "run.policy";  ///< argument std::string

// History: what earlier runs measured.
inline constexpr std::string_view kHistoryOpen =
    "history.open";  ///< argument std::string: its file
inline constexpr std::string_view kHistoryMetric =
    "history.metric";                                           ///< argument std::string: a tag
inline constexpr std::string_view kHistoryAdd = "history.add";  ///< what is shown

// Background jobs.
inline constexpr std::string_view kCancelJob = "job.cancel";  ///< argument std::string: its key

// Help.
inline constexpr std::string_view kHelp = "help.keys";

}  // namespace quintet::viewer::command_id
