#include "viewer/views/bookmarks_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include "profiler/report/format.h"
#include "viewer/model/timeline_part.h"
#include "viewer/widgets/table.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr auto kBookmarkColumns = std::to_array<TableColumn>({
    {"at", 110, true, "after the first span of the recording"},
    {"length", 90, true, ""},
    {"step", 60, true, ""},
    {"task", 0, false, "what was selected"},
    {"note", 0, false, "of the one gone to: type, Enter keeps it"},
    {"", 70, false, ""},
});

}  // namespace

void BookmarksView::draw(ViewContext& context) {
  const Side side = context.workbench.main_side();
  const Document* document = context.workbench.document(side);
  const auto* part = context.parts.find<TimelinePart>();
  if (document == nullptr || part == nullptr) {
    colored_text(context.palette.dim, "Nothing is open.");
    return;
  }
  const TimelineSide& held = part->side(side);
  if (held.bookmarks.empty()) {
    colored_text(context.palette.dim,
                 "B marks what is selected, or the middle of the view; bookmarks are kept in a "
                 "file beside the recording.");
    return;
  }
  const std::int64_t origin = held.index() == nullptr ? 0 : held.index()->extent().begin;
  const Palette& palette = context.palette;
  Table table("bookmarks", kBookmarkColumns, {}, context.frame.scale);
  if (!table) return;
  table.rows(held.bookmarks.size(), [&](std::size_t row) {
    const Bookmark& mark = held.bookmarks[row];
    const bool current = part->bookmark() == row;
    Table::cell();
    if (Table::pick("##mark", current)) {
      context.commands.emit(command_id::kGoToBookmark, static_cast<std::int64_t>(row));
    }
    right_text(palette.text, format_duration(offset_ns(origin, mark.begin_ns)));
    Table::cell();
    const auto length = static_cast<double>(length_ns(mark.begin_ns, mark.end_ns));
    right_text(palette.dim, length > 0 ? format_duration(length) : "a moment");
    Table::cell();
    const auto step = held.base ? held.base->steps.step_at(mark.begin_ns) : std::nullopt;
    right_text(palette.dim, step ? fmt::format("{}", *step) : "none");
    Table::cell();
    cut_text(palette.text, mark.task, ImGui::GetContentRegionAvail().x);
    Table::cell();
    if (current) {
      draw_note(row, mark.note, context);
    } else {
      cut_text(palette.text, mark.note, ImGui::GetContentRegionAvail().x);
    }
    Table::cell();
    if (ImGui::SmallButton("Remove")) {
      context.commands.emit(command_id::kRemoveBookmark, static_cast<std::int64_t>(row));
    }
  });
}

void BookmarksView::draw_note(std::size_t bookmark, const std::string& note, ViewContext& context) {
  if (edited_ != bookmark) {
    edited_ = bookmark;
    text_ = note;
  }
  text_field("##note", "why it matters", text_, ImGui::GetContentRegionAvail().x);
  if (ImGui::IsItemDeactivatedAfterEdit() && text_ != note) {
    context.commands.emit(command_id::kNoteBookmark, text_);
  }
}

}  // namespace quintet::viewer
