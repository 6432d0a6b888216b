#include "viewer/views/tune_inputs.h"

#include <array>
#include <fmt/format.h>
#include <imgui.h>

#include "profiler/report/format.h"
#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/widgets/text.h"
#include "viewer/widgets/theme.h"

namespace quintet::viewer {

namespace {

std::string in_ms(double ns) {
  return fmt::format("{:.4f} ms", ns / 1e6);
}

/// A whole number of what a search may spend, or must keep to.
struct BudgetField {
  const char* label;
  const char* note;
  std::int64_t TuneChoice::*value;
};

constexpr auto kBudget = std::to_array<BudgetField>({
    {"mappings", "To simulate, the last polish of the best aside; 0 = as many as the time allows",
     &TuneChoice::candidates},
    {"seconds", "To search at most; 0 = no limit of time", &TuneChoice::seconds},
    {"seed", "Of the search: the same seed and number of mappings give the same answer",
     &TuneChoice::seed},
    {"most MiB", "That a policy may take on the device; 0 = no limit",
     &TuneChoice::most_memory_mib},
});

void draw_budget(ViewContext& context) {
  if (!ImGui::BeginTable("budget", static_cast<int>(kBudget.size()))) return;
  for (const BudgetField& field : kBudget) {
    ImGui::TableNextColumn();
    colored_text(context.palette.dim, field.label);
  }
  TuneChoice choice = context.workbench.tuning;
  bool changed = false;
  for (const BudgetField& field : kBudget) {
    ImGui::TableNextColumn();
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID(field.label);
    changed |= ImGui::InputScalar("##value", ImGuiDataType_S64, &(choice.*field.value));
    ImGui::PopID();
    tooltip(field.note);
  }
  ImGui::EndTable();
  if (changed) context.commands.emit(command_id::kChooseTuning, choice);
}

void draw_start(const TuneKeeper& keeper, ViewContext& context) {
  const Palette& palette = context.palette;
  if (keeper.running()) {
    const char* stop = keeper.stopping() ? "Stopping..." : "Stop with the best so far";
    ImGui::BeginDisabled(keeper.stopping());
    ImGui::PushStyleColor(ImGuiCol_Text, palette.bad.packed());
    if (ImGui::Button(stop, {-1, 0})) context.commands.emit(command_id::kStopTuning);
    ImGui::PopStyleColor();
    ImGui::EndDisabled();
    tooltip("Keeps what was found (Ctrl+Shift+U)");
    return;
  }
  ImGui::PushStyleColor(ImGuiCol_Text, palette.good.packed());
  if (ImGui::Button("Tune", {-1, 0})) context.commands.emit(command_id::kTune);
  ImGui::PopStyleColor();
  tooltip(
      "Rates every known policy, then searches from them for mappings with a shorter step "
      "(Ctrl+U)");
}

void draw_standing(const TuneStanding& standing, ViewContext& context) {
  const Palette& palette = context.palette;
  if (standing.share >= 0) {
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, to_imgui(palette.accent));
    ImGui::ProgressBar(static_cast<float>(standing.share), {-1, context.px(6)}, "");
    ImGui::PopStyleColor();
  }
  if (standing.what.empty()) {
    wrapped_text(palette.dim, "Planning the recording again...");
    return;
  }
  wrapped_text(palette.text, fmt::format("{}: {} mappings, {:.1f} s", standing.what,
                                         format_number(static_cast<double>(standing.candidates)),
                                         standing.seconds));
  if (!standing.best.empty()) {
    wrapped_text(palette.text, "best so far " + in_ms(standing.best.back().best_ns));
  }
}

std::string bound_text(const Tuning& tuning, double best_ns) {
  if (tuning.bound.ns() <= 0) return "The lower bound is unknown: the step is no single graph.";
  return fmt::format("Lower bound {}: the best takes {:.3f} times as long.",
                     in_ms(tuning.bound.ns()), best_ns / tuning.bound.ns());
}

std::string error_text(const Tuning& tuning) {
  if (tuning.error_share <= 0) {
    return "The error of a prediction is unknown: calibrate, or measure the best.";
  }
  return fmt::format("Expect an error of +- {:.1f} % of a step.", 100 * tuning.error_share);
}

std::string effort_text(const Tuning& tuning) {
  std::string text =
      fmt::format("{} mappings in {:.1f} s, seed {}{}",
                  format_number(static_cast<double>(tuning.tried)), tuning.standing.seconds,
                  tuning.choice.seed, tuning.stopped ? "; ended before all were tried" : "");
  if (tuning.rejected > 0) text += fmt::format("; {} policies refused", tuning.rejected);
  if (tuning.unrated > 0) text += fmt::format("; {} known ones not rated", tuning.unrated);
  return text + ".";
}

void draw_outcome(const Tuning& tuning, ViewContext& context) {
  const Palette& palette = context.palette;
  const RatedPolicy& best = tuning.candidates.front().rated;
  const RatedPolicy& recorded = tuning.candidates[tuning.recorded].rated;
  const double gain = best.step_ns / recorded.step_ns - 1;
  const bool beyond = tuning.error_share > 0 && -gain > tuning.error_share;
  ImGui::PushFont(context.fonts.bold);
  wrapped_text(
      beyond ? palette.good : palette.text,
      fmt::format("Best {} predicted, {:+.2f} % of as recorded", in_ms(best.step_ns), 100 * gain));
  ImGui::PopFont();
  if (tuning.error_share > 0 && !beyond) {
    wrapped_text(palette.warn, "less than the error to expect: measure it");
  }
  wrapped_text(palette.dim, bound_text(tuning, best.step_ns));
  wrapped_text(tuning.error_share > 0 ? palette.dim : palette.warn, error_text(tuning));
  wrapped_text(palette.dim, effort_text(tuning));
  if (!tuning.first_rejected.empty()) tooltip("The first refused: " + tuning.first_rejected);
  if (!tuning.searched) {
    wrapped_text(palette.warn,
                 "A step of several micro-batches is several graphs: its known policies were "
                 "ranked, nothing was searched.");
  }
}

void draw_measure_button(const MeasureKeeper& measure, bool found, ViewContext& context) {
  const Palette& palette = context.palette;
  if (measure.active()) {
    ImGui::PushStyleColor(ImGuiCol_Text, palette.bad.packed());
    if (ImGui::Button("Stop measuring", {-1, 0})) context.commands.emit(command_id::kStopRun);
    ImGui::PopStyleColor();
    tooltip("Ends the run after its step, and begins no other (Ctrl+Shift+R)");
    return;
  }
  TuneChoice choice = context.workbench.tuning;
  ImGui::BeginDisabled(!measure.can_run() || !found);
  if (ImGui::Button("Measure the best")) context.commands.emit(command_id::kMeasureTuned);
  ImGui::EndDisabled();
  const Document* document = mapped_document(context.workbench);
  const std::string executor = document == nullptr ? std::string() : document->said("executor");
  tooltip(measure.can_run()
              ? fmt::format("Runs them, the recorded policy, serial and renaissance on {} ({}), "
                            "one after the other",
                            measure.place(), executor.empty() ? "executor unknown" : executor)
              : "Nothing can be run: " + measure.why_none());
  ImGui::SameLine(0, context.px(4));
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputScalar("##measured", ImGuiDataType_S64, &choice.measured)) {
    context.commands.emit(command_id::kChooseTuning, choice);
  }
  tooltip("How many of the best are run");
}

void draw_measured(const Tuning& tuning, const MeasureKeeper& measure, ViewContext& context) {
  const Palette& palette = context.palette;
  const auto& all = measure.measurements();
  for (const Measurement& each : all) {
    if (each.stage != MeasureStage::running) continue;
    wrapped_text(palette.text,
                 fmt::format("measuring {} of {}: {}{}", &each - all.data() + 1, all.size(),
                             tuning.candidates[each.candidate].rated.policy.name,
                             each.phase.empty() ? "" : ", " + each.phase));
  }
  const auto winner = measure.winner();
  if (!winner || measure.active()) return;
  const auto measured_ns = static_cast<double>(*measure.of(*winner)->step_ns);
  ImGui::PushFont(context.fonts.bold);
  wrapped_text(palette.good,
               fmt::format("Measured best: {}, {}", tuning.candidates[*winner].rated.policy.name,
                           in_ms(measured_ns)));
  ImGui::PopFont();
  if (ImGui::Button("Take the measured best", {-1, 0})) {
    context.commands.emit(command_id::kApplyTuned, static_cast<std::int64_t>(*winner));
  }
}

}  // namespace

void draw_tune_inputs(const TuneKeeper& keeper, const MeasureKeeper* measure,
                      ViewContext& context) {
  const auto tuning = keeper.tuning();
  draw_budget(context);
  draw_start(keeper, context);
  if (keeper.running()) {
    draw_standing(keeper.standing(), context);
    return;
  }
  if (measure != nullptr) draw_measure_button(*measure, tuning != nullptr, context);
  if (keeper.refusal()) {
    wrapped_text(context.palette.bad, "Nothing was found: " + to_string(*keeper.refusal()));
  }
  if (tuning == nullptr) return;
  if (measure != nullptr) draw_measured(*tuning, *measure, context);
  draw_outcome(*tuning, context);
}

}  // namespace quintet::viewer
