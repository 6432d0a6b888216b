#include "viewer/views/findings_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/views/shown_report.h"
#include "viewer/widgets/table.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr auto kFindingColumns = std::to_array<TableColumn>({
    {"severity", 84, false, ""},
    {"finding", 210, false, "its name, as checks and exports call it"},
    {"count", 70, true, "how often"},
    {"what it means", 0, false, ""},
});

Color color_of(Severity severity, const Palette& palette) {
  switch (severity) {
    case Severity::info:
      return palette.dim;
    case Severity::notice:
      return palette.accent;
    case Severity::data_loss:
      return palette.warn;
    case Severity::error:
      return palette.bad;
  }
  return palette.text;
}

void draw_findings(const Report& report, ViewContext& context) {
  const std::string probe = report.probe_notice();
  if (!probe.empty()) wrapped_text(context.palette.warn, probe);
  if (report.findings.empty()) {
    colored_text(context.palette.good, "Nothing odd was found in this recording.");
    return;
  }
  Table table("findings", kFindingColumns, {}, context.frame.scale);
  if (!table) return;
  table.rows(report.findings.size(), [&](std::size_t row) {
    const Finding& finding = report.findings[row];
    Table::cell();
    std::string severity(name_of(finding.severity));
    if (severity == "data_loss") severity = "data loss";
    colored_text(color_of(finding.severity, context.palette), severity);
    Table::cell();
    cut_text(context.palette.text, finding.name, ImGui::GetContentRegionAvail().x);
    Table::cell();
    right_text(context.palette.text, fmt::format("{}", finding.count));
    Table::cell();
    cut_text(context.palette.text, finding.message, ImGui::GetContentRegionAvail().x);
  });
}

}  // namespace

void FindingsView::draw(ViewContext& context) {
  const Report* report = shown_report(context);
  if (report == nullptr) return;
  draw_findings(*report, context);
}

}  // namespace quintet::viewer
