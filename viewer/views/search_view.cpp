#include "viewer/views/search_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include "profiler/report/format.h"
#include "viewer/model/timeline_part.h"
#include "viewer/widgets/table.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr auto kHitColumns = std::to_array<TableColumn>({
    {"task", 0, false, "whose name, layer, op kind, part or kernel matches"},
    {"kernel", 0, false, "or copy, fill, range, call"},
    {"stream", 90, false, "where the policy put it"},
    {"step", 60, true, "that it serves"},
    {"begin", 96, true, "after the first span of the recording"},
    {"duration", 88, true, ""},
});

void draw_row(const Trace& trace, std::uint32_t span, Side side, ViewContext& context) {
  const Palette& palette = context.palette;
  const SpanColumns& spans = trace.spans;
  const Selection& selection = context.workbench.selection;
  Table::cell();
  if (Table::pick("##hit", selection.side == side && selection.span == span)) {
    const Document* document = context.workbench.document(side);
    if (document != nullptr) {
      context.commands.emit(command_id::kSelect, select_span(*document, side, span));
      context.commands.emit(command_id::kZoomToSelection);
    }
  }
  const std::uint32_t task = spans.task[span];
  cut_text(palette.text, task < trace.tasks.size() ? trace.tasks[task].name : "unknown",
           ImGui::GetContentRegionAvail().x);
  Table::cell();
  const std::uint32_t activity = spans.activity[span];
  if (activity < trace.activities.size()) {
    cut_text(palette.dim, short_kernel_name(trace.activities[activity].name),
             ImGui::GetContentRegionAvail().x);
  }
  Table::cell();
  const std::uint16_t lane = spans.lane[span];
  colored_text(palette.text, lane < trace.lanes.size() ? trace.lanes[lane].name : "unknown");
  Table::cell();
  right_text(palette.dim, spans.step[span] < 0 ? "none" : fmt::format("{}", spans.step[span]));
  Table::cell();
  right_text(palette.dim, format_duration(offset_ns(spans.begin_ns.front(), spans.begin_ns[span])));
  Table::cell();
  right_text(
      palette.text,
      format_duration(static_cast<double>(length_ns(spans.begin_ns[span], spans.end_ns[span]))));
}

}  // namespace

void SearchView::draw(ViewContext& context) {
  const Side side = context.workbench.main_side();
  const Document* document = context.workbench.document(side);
  const auto* part = context.parts.find<TimelinePart>();
  if (document == nullptr || part == nullptr || context.workbench.search.empty()) {
    colored_text(context.palette.dim,
                 "Press / and type a task, layer, op kind or kernel; Enter goes from hit to hit.");
    return;
  }
  const SpanSearch* search = part->side(side).search.get();
  if (search == nullptr) {
    colored_text(context.palette.dim, "Searching...");
    return;
  }
  std::string told = fmt::format("{} spans and {} tasks of {} match \"{}\"", search->count(),
                                 search->tasks().size(), name_of(side), search->text());
  if (search->count() > search->hits().size()) {
    told += fmt::format("; the first {} are listed, Enter reaches all", search->hits().size());
  }
  colored_text(context.palette.dim, told);
  Table table("hits", kHitColumns, {}, context.frame.scale);
  if (!table) return;
  table.rows(search->hits().size(), [&](std::size_t row) {
    draw_row(*document->trace, search->hits()[row], side, context);
  });
}

}  // namespace quintet::viewer
