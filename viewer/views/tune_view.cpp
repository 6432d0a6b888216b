#include "viewer/views/tune_view.h"

#include <algorithm>
#include <imgui.h>

#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/views/tune_inputs.h"
#include "viewer/views/tune_table.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

std::optional<CandidatePick> TuneView::draw_chart(const TuneKeeper& keeper,
                                                  const MeasureKeeper* measure,
                                                  ViewContext& context) {
  const auto tuning = keeper.tuning();
  if (keeper.running() || tuning == nullptr) {
    draw_tune_progress(keeper.standing(), context);
    return std::nullopt;
  }
  if (segment_button("Front", !progress_shown_, context.palette)) progress_shown_ = false;
  tooltip("Step time and memory of every policy");
  ImGui::SameLine(0, context.px(2));
  if (segment_button("Progress", progress_shown_, context.palette)) progress_shown_ = true;
  tooltip("How the best came down while it was searched for");
  if (!progress_shown_) return draw_tune_front(*tuning, measure, context);
  draw_tune_progress(tuning->standing, context);
  return std::nullopt;
}

namespace {

/// A preview only where the pointer came or went: one that was dropped by a key stays dropped.
void follow(const std::optional<CandidatePick>& pick, const TuneKeeper& keeper,
            ViewContext& context) {
  const auto* mapping = context.parts.find<MappingKeeper>();
  const bool ready =
      mapping != nullptr && mapping->ready() && mapping->generation() == keeper.generation();
  if (!ready) return;
  std::optional<std::size_t> over;
  if (pick && keeper.taken() != pick->candidate) over = pick->candidate;
  if (over && pick->clicked) {
    context.commands.emit(command_id::kApplyTuned, static_cast<std::int64_t>(*over));
  } else if (over && over != keeper.tried()) {
    context.commands.emit(command_id::kTryTuned, static_cast<std::int64_t>(*over));
  } else if (!over && keeper.tried()) {
    context.commands.emit(command_id::kTryTuned);
  }
}

}  // namespace

void TuneView::draw(ViewContext& context) {
  const auto* keeper = context.parts.find<TuneKeeper>();
  if (keeper == nullptr || keeper->generation() == 0) {
    wrapped_text(context.palette.dim,
                 "Open a recording whose run has ended to search for a mapping with a shorter "
                 "step.");
    return;
  }
  const auto* measure = context.parts.find<MeasureKeeper>();
  std::optional<CandidatePick> pick;
  if (!ImGui::BeginTable("tune", 3, ImGuiTableFlags_Resizable)) return;
  ImGui::TableSetupColumn("inputs", ImGuiTableColumnFlags_WidthFixed, context.px(286));
  ImGui::TableSetupColumn("chart", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableSetupColumn("policies", ImGuiTableColumnFlags_WidthStretch, 1.5F);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const float height = ImGui::GetContentRegionAvail().y;
  if (ImGui::BeginChild("##inputs", {0, std::max(height, context.px(60))})) {
    draw_tune_inputs(*keeper, measure, context);
  }
  ImGui::EndChild();
  ImGui::TableNextColumn();
  pick = draw_chart(*keeper, measure, context);
  ImGui::TableNextColumn();
  if (keeper->tuning() == nullptr) {
    wrapped_text(context.palette.dim,
                 "Every known policy is planned, proved and predicted first; then mappings are "
                 "searched from the best of them, and what is found is planned, proved and "
                 "predicted again.");
  } else if (const auto row = draw_tune_table(*keeper, measure, context)) {
    pick = row;
  }
  ImGui::EndTable();
  follow(pick, *keeper, context);
}

}  // namespace quintet::viewer
