#include "viewer/app/part_catalog.h"

#include <array>

#include "viewer/model/comparison_keeper.h"
#include "viewer/model/dag/dag_keeper.h"
#include "viewer/model/document_loader.h"
#include "viewer/model/document_reports.h"
#include "viewer/model/exporter.h"
#include "viewer/model/folder_browser.h"
#include "viewer/model/history_keeper.h"
#include "viewer/model/mapping/advice_keeper.h"
#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/model/run_keeper.h"
#include "viewer/model/selection_details.h"
#include "viewer/model/start_list.h"
#include "viewer/model/state_keeper.h"
#include "viewer/model/timeline_part.h"
#include "viewer/model/tuning/measure_keeper.h"
#include "viewer/model/tuning/tune_keeper.h"

namespace quintet::viewer {

namespace {

template <class T>
std::unique_ptr<Part> make(const AppOptions& /*options*/) {
  return std::make_unique<T>();
}

std::unique_ptr<Part> make_state(const AppOptions& options) {
  return std::make_unique<StateKeeper>(options.state_folder,
                                       options.reopen && options.files.empty());
}

std::unique_ptr<Part> make_start(const AppOptions& options) {
  return std::make_unique<StartList>(options.recorded_folder);
}

std::unique_ptr<Part> make_mapping(const AppOptions& options) {
  return std::make_unique<MappingKeeper>(options.state_folder);
}

std::unique_ptr<Part> make_measure(const AppOptions& options) {
  return std::make_unique<MeasureKeeper>(options.run_source, options.why_no_runs);
}

std::unique_ptr<Part> make_run(const AppOptions& options) {
  return std::make_unique<RunKeeper>(options.run_source, options.why_no_runs);
}

}  // namespace

std::span<const MakePart> part_catalog() {
  static constexpr auto kParts = std::to_array<MakePart>({
      &make_state,
      &make<DocumentLoader>,
      &make_start,
      &make<FolderBrowser>,
      &make<DocumentReports>,
      &make<SelectionDetails>,
      &make<ComparisonKeeper>,
      &make<HistoryKeeper>,
      &make_mapping,
      &make<DagKeeper>,
      &make_run,
      &make<Exporter>,
      &make<TimelinePart>,
      &make<AdviceKeeper>,
      &make<TuneKeeper>,
      &make_measure,
  });
  return kParts;
}

}  // namespace quintet::viewer
