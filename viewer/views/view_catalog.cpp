#include "viewer/views/view_catalog.h"

#include <array>

#include "viewer/views/advice_view.h"
#include "viewer/views/bookmarks_view.h"
#include "viewer/views/compare_view.h"
#include "viewer/views/findings_view.h"
#include "viewer/views/graph_view.h"
#include "viewer/views/history_view.h"
#include "viewer/views/log_view.h"
#include "viewer/views/overlap_view.h"
#include "viewer/views/policy_view.h"
#include "viewer/views/range_view.h"
#include "viewer/views/run_view.h"
#include "viewer/views/search_view.h"
#include "viewer/views/selection_view.h"
#include "viewer/views/tasks_view.h"
#include "viewer/views/timeline_view.h"
#include "viewer/views/tune_view.h"

namespace quintet::viewer {

namespace {

template <class T>
std::unique_ptr<View> make() {
  return std::make_unique<T>();
}

}  // namespace

std::span<const ViewEntry> view_catalog() {
  static constexpr auto kViews = std::to_array<ViewEntry>({
      {"policy", Placement::left, 1, &make<PolicyView>},
      {"timeline", Placement::centre, 1, &make<TimelineView>},
      {"selection", Placement::right, 1, &make<SelectionView>},
      {"advice", Placement::right, 1, &make<AdviceView>},
      {"graph", Placement::bottom, 1, &make<GraphView>},
      {"overlap", Placement::bottom, 1, &make<OverlapView>},
      {"tasks", Placement::bottom, 1, &make<TasksView>},
      {"compare", Placement::bottom, 1, &make<CompareView>},
      {"tune", Placement::bottom, 1, &make<TuneView>},
      {"findings", Placement::bottom, 1, &make<FindingsView>},
      {"history", Placement::bottom, 1, &make<HistoryView>},
      {"run", Placement::bottom, 1, &make<RunView>},
      {"range", Placement::bottom, 1, &make<RangeView>},
      {"search", Placement::bottom, 1, &make<SearchView>},
      {"bookmarks", Placement::bottom, 1, &make<BookmarksView>},
      {"log", Placement::bottom, 1, &make<LogView>},
  });
  return kViews;
}

}  // namespace quintet::viewer
