#include "viewer/model/document_reports.h"

#include <algorithm>
#include <fmt/format.h>

namespace quintet::viewer {

namespace {

std::string report_key(Side side) {
  return fmt::format("report {}", name_of(side));
}

}  // namespace

void DocumentReports::prepare(PartContext& context) {
  for (const Side side : {Side::a, Side::b}) {
    Held& held = held_[index_of(side)];
    const Document* document = context.workbench.document(side);
    if (document == nullptr) {
      if (held.asked != 0) context.background.cancel(report_key(side));
      held = {};
      continue;
    }
    if (held.asked == document->generation) continue;
    const bool same_run = document->live && held.file == document->file;
    if (same_run && context.background.busy(report_key(side))) continue;
    if (!same_run) held.report.reset();
    held.asked = document->generation;
    held.file = document->file;
    ask(side, *document, context);
  }
}

const ReportTask* DocumentReports::task(Side side, std::uint32_t index) const {
  const Report* all = report(side);
  if (all == nullptr) return nullptr;
  const auto found = std::find_if(all->tasks.begin(), all->tasks.end(),
                                  [&](const ReportTask& task) { return task.index == index; });
  return found == all->tasks.end() ? nullptr : &*found;
}

void DocumentReports::ask(Side side, const Document& document, PartContext& context) {
  WorkbenchLog* log = &context.workbench.log;
  context.background.start<std::shared_ptr<const Report>>(
      report_key(side), fmt::format("Measuring {}", name_of(side)),
      [trace = document.trace](JobControl&) {
        return std::make_shared<const Report>(build_report(*trace));
      },
      [this, side, generation = document.generation](std::shared_ptr<const Report> report) {
        Held& held = held_[index_of(side)];
        held.report = std::move(report);
        held.generation = generation;
      },
      [log](const std::string& said) {
        log->warn("The recording could not be measured: " + said);
      });
}

}  // namespace quintet::viewer
