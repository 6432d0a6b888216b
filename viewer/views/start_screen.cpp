#include "viewer/views/start_screen.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <imgui.h>

#include "profiler/report/format.h"
#include "viewer/model/run_keeper.h"
#include "viewer/model/start_list.h"
#include "viewer/model/state_keeper.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

/// Nothing is open yet, so it becomes A: the Compare tab offers what goes beside it.
void open_if(bool pressed, const std::string& file, ViewContext& context) {
  if (pressed) context.commands.emit(command_id::kOpenFile, OpenFile{file, Side::a});
}

void draw_head(ViewContext& context) {
  ImGui::PushFont(context.fonts.bold);
  ImGui::SetWindowFontScale(1.5F);
  colored_text(context.palette.text, "Why is this step not shorter?");
  ImGui::SetWindowFontScale(1);
  ImGui::PopFont();
  colored_text(context.palette.dim,
               "Open a recording to look at it, change its mapping, and compare.");
  ImGui::Dummy({0, context.px(4)});
  if (ImGui::Button("Open...")) context.commands.emit(command_id::kOpen);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  colored_text(context.palette.dim,
               "or drop files here: .qtrace, Kineto JSON, Nsight Systems "
               "SQLite");
}

void draw_recent(ViewContext& context) {
  const auto* state = context.parts.find<StateKeeper>();
  if (state == nullptr || state->recent().empty()) return;
  ImGui::Dummy({0, context.px(6)});
  section_title("Recent", context.fonts, context.palette);
  for (std::size_t file = 0; file < state->recent().size(); ++file) {
    const std::filesystem::path path = state->recent()[file];
    ImGui::PushID(static_cast<int>(file));
    const bool pressed = link_text("recent", path.filename().string(), context.palette);
    open_if(pressed, path.string(), context);
    ImGui::SameLine();
    cut_text(context.palette.dim, path.parent_path().string(), ImGui::GetContentRegionAvail().x);
    ImGui::PopID();
  }
}

/// `best`: the quickest of its row.
void draw_cell(const RecordedEntry& entry, bool best, ViewContext& context) {
  const std::string text = entry.untraced_step_ns
                               ? format_duration(static_cast<double>(*entry.untraced_step_ns))
                               : "open";
  if (best) ImGui::PushStyleColor(ImGuiCol_Text, context.palette.accent.packed());
  const bool pressed =
      ImGui::Button((text + "##" + entry.name).c_str(), {ImGui::GetContentRegionAvail().x, 0});
  if (best) ImGui::PopStyleColor();
  const bool hovered = ImGui::IsItemHovered();
  open_if(pressed, entry.file, context);
  if (!hovered) return;
  tooltip(fmt::format("{}\n{}, {}, batch {}: {} a step\n{}, {}\n\nClick opens it", entry.name,
                      entry.policy, entry.step_mode, entry.batch, text, entry.device, entry.date));
}

void draw_matrix(const RecordedMatrix& matrix, ViewContext& context) {
  const int columns = static_cast<int>(matrix.columns.size()) + 1;
  if (!ImGui::BeginTable("recorded", columns,
                         ImGuiTableFlags_SizingStretchSame | ImGuiTableFlags_PadOuterX))
    return;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.6F);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (const std::string& column : matrix.columns) {
    ImGui::TableNextColumn();
    const std::size_t comma = column.find(", ");
    colored_text(context.palette.text, column.substr(0, comma));
    if (comma != std::string::npos) colored_text(context.palette.dim, column.substr(comma + 2));
  }
  for (const RecordedRow& row : matrix.rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const std::optional<std::size_t> best = quickest_cell(matrix, row);
    ImGui::AlignTextToFramePadding();
    colored_text(context.palette.text, row.title);
    tooltip(row.device);
    for (const std::optional<std::size_t>& cell : row.cells) {
      ImGui::TableNextColumn();
      if (cell) draw_cell(matrix.entries[*cell], cell == best, context);
    }
  }
  ImGui::EndTable();
}

void draw_recorded(ViewContext& context) {
  const auto* list = context.parts.find<StartList>();
  if (list == nullptr) return;
  ImGui::Dummy({0, context.px(6)});
  const RecordedMatrix& matrix = list->recorded();
  section_title("Recorded on a GPU, shipped with Quintet", context.fonts, context.palette);
  if (matrix.entries.empty()) {
    wrapped_text(context.palette.dim,
                 !list->complete() ? "looking..."
                 : list->recorded_folder().empty()
                     ? "The folder of recordings was not found; name it in QUINTET_RECORDED."
                     : "No recording lies in " + list->recorded_folder() +
                           "; name another folder in QUINTET_RECORDED.");
    return;
  }
  colored_text(context.palette.dim, matrix.rows.front().device +
                                        ". Time of a step, untraced; the shortest of a row in "
                                        "blue. A click opens one; its Compare "
                                        "tab has the others of the row.");
  draw_matrix(matrix, context);
  for (const Error& error : matrix.unreadable)
    wrapped_text(context.palette.warn, to_string(error));
}

void draw_training(ViewContext& context) {
  const auto* list = context.parts.find<StartList>();
  const auto* run = context.parts.find<RunKeeper>();
  if (list == nullptr) return;
  ImGui::Dummy({0, context.px(6)});
  section_title("Train something here now", context.fonts, context.palette);
  if (run == nullptr || !run->can_run()) {
    wrapped_text(context.palette.dim,
                 "Nothing can be run: " + (run == nullptr ? std::string() : run->why_none()));
    return;
  }
  for (const ScenarioChoice& choice : list->scenarios()) {
    if (ImGui::Button(choice.name.c_str(), {context.px(200), 0})) {
      context.commands.emit(command_id::kChooseScenario, choice.name);
      context.commands.emit(command_id::kRun);
    }
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    cut_text(context.palette.dim, choice.description, ImGui::GetContentRegionAvail().x);
  }
}

}  // namespace

void draw_start_screen(const PaneBox& box, ViewContext& context) {
  ImGui::SetCursorScreenPos({box.x, box.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, context.palette.panel.packed());
  ImGui::BeginChild("##start", {box.width, box.height});
  const float width = std::min(box.width - context.px(40), context.px(1020));
  ImGui::SetCursorPos({(box.width - width) / 2, context.px(26)});
  ImGui::BeginChild("##start column", {width, box.height - context.px(40)});
  draw_head(context);
  draw_recent(context);
  draw_recorded(context);
  draw_training(context);
  ImGui::EndChild();
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

}  // namespace quintet::viewer
