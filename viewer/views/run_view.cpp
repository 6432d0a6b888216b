#include "viewer/views/run_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

#include "profiler/report/format.h"
#include "viewer/model/run_keeper.h"
#include "viewer/model/start_list.h"
#include "viewer/views/run_choices.h"
#include "viewer/widgets/line_plot.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

Color color_of(RunStage stage, const Palette& palette) {
  switch (stage) {
    case RunStage::none:
      return palette.dim;
    case RunStage::starting:
    case RunStage::running:
    case RunStage::stopping:
      return palette.accent;
    case RunStage::finished:
      return palette.good;
    case RunStage::stopped:
      return palette.warn;
    case RunStage::refused:
    case RunStage::failed:
    case RunStage::crashed:
      return palette.bad;
  }
  return palette.text;
}

std::string progress_text(const RunStanding& standing) {
  std::string text;
  if (standing.steps > 0) {
    text = fmt::format("step {} of {}", standing.step, standing.steps);
  } else if (standing.step > 0) {
    text = fmt::format("step {}", standing.step);
  }
  if (!standing.phase.empty()) text += (text.empty() ? "" : ", ") + standing.phase;
  if (standing.loss) text += ", loss " + format_number(*standing.loss);
  if (standing.untraced_step_ns) {
    text += ", untraced " + format_duration(static_cast<double>(*standing.untraced_step_ns));
  }
  if (standing.test_accuracy) {
    text += ", test accuracy " + format_percentage(*standing.test_accuracy);
  }
  return text;
}

void draw_standing(const RunKeeper& run, ViewContext& context) {
  const RunStanding& standing = run.standing();
  const Palette& palette = context.palette;
  ImGui::PushFont(context.fonts.bold);
  colored_text(color_of(standing.stage, palette), name_of(standing.stage));
  ImGui::PopFont();
  const std::string progress = progress_text(standing);
  if (!progress.empty()) wrapped_text(palette.text, progress);
  if (run.active() && standing.steps > 0) {
    const float share = static_cast<float>(standing.step) / static_cast<float>(standing.steps);
    ImGui::ProgressBar(share, {-1, context.px(6)}, "");
  }
  if (standing.error) wrapped_text(palette.bad, to_string(*standing.error));
  for (const std::string& race : standing.races)
    wrapped_text(palette.bad, race);
  if (!standing.recording.empty()) wrapped_text(palette.dim, standing.recording);
}

PlotFrame plot_frame(const char* title, bool from_zero,
                     std::function<std::string(double)> format_y) {
  PlotFrame frame;
  frame.title = title;
  frame.x_name = "step";
  frame.format_x = [](double x) { return fmt::format("{:.0f}", x); };
  frame.format_y = std::move(format_y);
  frame.from_zero = from_zero;
  return frame;
}

}  // namespace

void RunView::draw(ViewContext& context) {
  const auto* run = context.parts.find<RunKeeper>();
  if (run == nullptr) return;
  if (!ImGui::BeginTable("run", 2, ImGuiTableFlags_Resizable)) return;
  ImGui::TableSetupColumn("choices", ImGuiTableColumnFlags_WidthFixed, context.px(330));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_choices(*run, context);
  ImGui::TableNextColumn();
  draw_curves(*run, context);
  ImGui::EndTable();
}

void RunView::draw_choices(const RunKeeper& run, ViewContext& context) {
  if (!run.can_run()) {
    wrapped_text(context.palette.dim, "Nothing can be run: " + run.why_none());
    return;
  }
  const float label = context.px(78);
  const auto name = [&](const char* text) {
    ImGui::AlignTextToFramePadding();
    colored_text(context.palette.dim, text);
    ImGui::SameLine(label);
  };
  name("scenario");
  choose_scenario(filter_, -1, context);
  name("executor");
  choose_executor(-1, context);
  name("policy");
  choose_policy(-1, context);
  name("steps");
  ImGui::SetNextItemWidth(context.px(110));
  if (ImGui::InputInt("##steps", &steps_, 0)) {
    steps_ = std::max(steps_, 0);
    context.commands.emit(command_id::kChooseSteps, std::int64_t{steps_});
  }
  tooltip("Of training, at most; 0 = as many as the scenario says");
  ImGui::SameLine();
  run_button(context);
  ImGui::Dummy({0, context.px(2)});
  colored_text(context.palette.dim, "on " + run.place());
  draw_standing(run, context);
}

void RunView::draw_curves(const RunKeeper& run, ViewContext& context) {
  PlotSeries loss{"", context.palette.accent, {}, false};
  PlotSeries rate{"", context.palette.good, {}, false};
  for (const RunPoint& point : run.points()) {
    const auto step = static_cast<double>(point.step);
    if (point.loss) loss.points.push_back({step, *point.loss, {}});
    if (point.samples_per_second > 0) rate.points.push_back({step, point.samples_per_second, {}});
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float width = (room.x - context.px(12)) / 2;
  const float height = std::max(room.y - context.px(8), context.px(90));
  draw_plot("##loss", plot_frame("Loss", false, format_number), {loss}, width, height,
            context.fonts, context.palette, context.frame.scale);
  ImGui::SameLine(0, context.px(12));
  draw_plot("##rate", plot_frame("Samples a second", true, format_number), {rate}, width, height,
            context.fonts, context.palette, context.frame.scale);
}

}  // namespace quintet::viewer
