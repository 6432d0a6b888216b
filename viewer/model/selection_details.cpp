#include "viewer/model/selection_details.h"

#include <fmt/format.h>

#include "profiler/report/format.h"
#include "viewer/model/document_reports.h"
#include "viewer/model/span_facts.h"
#include "viewer/model/task_facts.h"
#include "viewer/model/timeline/step_axis.h"

namespace quintet::viewer {

namespace {

DetailSection step_section(const Trace& trace, const TraceStep& step) {
  DetailSection section{"Step", {}};
  add_fact(section, "step", fmt::format("{} ({}, {})", step.step, step.phase, step.shape));
  add_fact(section, "length",
           format_duration(static_cast<double>(time_of_step(trace, step).length())),
           "from the end of the step before it");
  add_fact(section, "batch", fmt::format("{} in slot {}", step.batch, step.slot));
  if (step.loss) {
    add_fact(section, "loss", format_number(*step.loss));
  } else {
    add_unknown(section, "loss", "not computed in this step");
  }
  if (step.recording != StepRecording::all) {
    add_unknown(section, "spans",
                step.recording == StepRecording::none ? "this step was not recorded, only timed"
                                                      : "the recorder held this step up");
  }
  return section;
}

DetailSection lane_section(const Lane& lane) {
  DetailSection section{"Lane", {}};
  add_fact(section, "name", lane.name);
  add_fact(section, "kind",
           lane.kind == LaneKind::stream ? "stream of a device"
           : lane.kind == LaneKind::host ? "host thread"
                                         : "where the driver ran graph work");
  add_fact(section, "device, rank", fmt::format("{}, {}", lane.device, lane.rank));
  add_fact(section, "priority", fmt::format("{}", lane.priority));
  return section;
}

}  // namespace

DetailList details_of(const Document& document, const Selection& selection, const Report* report) {
  DetailList list;
  if (!document.trace || selection.empty()) return list;
  const Trace& trace = *document.trace;
  if (selection.task && *selection.task < trace.tasks.size()) {
    const TraceTask& task = trace.tasks[*selection.task];
    list.title = task.name;
    list.subtitle = fmt::format("{} in {}", name_of(selection.side), document.label());
    list.sections.push_back(task_section(trace, task));
    if (selection.span && *selection.span < trace.spans.size()) {
      add_span_sections(trace, *selection.span, list);
    }
    list.sections.push_back(time_section(*selection.task, report));
    list.sections.push_back(work_section(task, *selection.task, report));
    list.sections.push_back(access_section(trace, task));
    add_neighbour_sections(trace, selection, list);
    return list;
  }
  if (selection.step) {
    const TraceStep* step = find_step(trace, *selection.step);
    if (step != nullptr) list.sections.push_back(step_section(trace, *step));
    list.title = fmt::format("Step {}", *selection.step);
  }
  if (selection.lane && *selection.lane < trace.lanes.size()) {
    list.sections.push_back(lane_section(trace.lanes[*selection.lane]));
    if (list.title.empty()) list.title = trace.lanes[*selection.lane].name;
  }
  return list;
}

void SelectionDetails::prepare(PartContext& context) {
  const Workbench& workbench = context.workbench;
  const Selection& selection = workbench.selection;
  const Document* document = workbench.document(selection.side);
  const auto* reports = context.parts.find<DocumentReports>();
  const std::uint64_t generation = document == nullptr ? 0 : document->generation;
  const std::uint64_t report_generation =
      reports == nullptr ? 0 : reports->generation(selection.side);
  if (selection == of_ && generation == generation_ && report_generation == report_generation_) {
    return;
  }
  of_ = selection;
  generation_ = generation;
  report_generation_ = report_generation;
  details_ = {};
  if (document == nullptr) return;
  details_ = details_of(*document, selection,
                        reports == nullptr ? nullptr : reports->report(selection.side));
}

}  // namespace quintet::viewer
