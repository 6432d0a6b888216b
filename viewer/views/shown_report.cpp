#include "viewer/views/shown_report.h"

#include "viewer/model/document_reports.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

const Report* shown_report(ViewContext& context) {
  const auto* reports = context.parts.find<DocumentReports>();
  const Report* report =
      reports == nullptr ? nullptr : reports->report(context.workbench.main_side());
  if (report == nullptr) {
    colored_text(context.palette.dim, context.workbench.anything_open()
                                          ? "The recording is being measured..."
                                          : "Nothing is open.");
  }
  return report;
}

}  // namespace quintet::viewer
