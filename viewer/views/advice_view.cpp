#include "viewer/views/advice_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <string>

#include "viewer/model/command_id.h"
#include "viewer/model/mapping/draft_file.h"
#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/widgets/text.h"
#include "viewer/widgets/theme.h"

namespace quintet::viewer {

namespace {

std::string memory_text(std::int64_t bytes) {
  if (bytes == 0) return "same memory";
  const auto count = static_cast<double>(bytes);
  if (std::abs(count) < 0x1p20) return fmt::format("{:+.1f} KiB", count / 0x1p10);
  return fmt::format("{:+.1f} MiB", count / 0x1p20);
}

std::string waits_text(std::int64_t waits) {
  if (waits == 0) return "as many waits";
  return fmt::format("{:+} {}", waits, std::abs(waits) == 1 ? "wait" : "waits");
}

std::string head_text(const AdviceReport& report) {
  // A line of its own for each: the pane is narrow, and lines break within numbers.
  std::string text =
      fmt::format("A step as recorded: {:.4f} ms predicted,\n", report.step_ns / 1e6);
  text += report.recorded_ns > 0 ? fmt::format("{:.4f} ms measured", report.recorded_ns / 1e6)
                                 : std::string("the measured time is unknown");
  return text;
}

std::string error_text(const AdviceReport& report) {
  if (report.error_share <= 0)
    return "The error of a prediction is unknown: calibrate to learn it.";
  return fmt::format("Expect an error of +- {:.1f} % of a step.", 100 * report.error_share);
}

std::string tail_text(const AdviceReport& report) {
  std::string text = fmt::format("{} changes tried", report.tried);
  if (report.impossible > 0) text += fmt::format(", {} more cannot be planned", report.impossible);
  return text + ".";
}

void draw_looking(ViewContext& context) {
  const auto job = std::find_if(context.jobs.begin(), context.jobs.end(),
                                [](const JobStatus& each) { return each.key == kAdviceJob; });
  if (job == context.jobs.end()) {
    wrapped_text(context.palette.dim,
                 "The search for advice was stopped; it begins anew when the "
                 "recording is opened again.");
    return;
  }
  wrapped_text(context.palette.dim, "Looking for advice...");
  if (job->progress < 0) return;
  ImGui::PushStyleColor(ImGuiCol_PlotHistogram, to_imgui(context.palette.accent));
  ImGui::ProgressBar(static_cast<float>(job->progress), {-1, context.px(4)}, "");
  ImGui::PopStyleColor();
}

/// Gain, price, verdict and reason, one below the other.
void draw_facts(const Advice& advice, const AdviceReport& report, const ViewContext& context) {
  const Palette& palette = context.palette;
  const double share = advice.gain_ns / report.step_ns;
  const bool beyond_error = report.error_share > 0 && share > report.error_share;
  const std::string gain =
      fmt::format("{:+.1f} us ({:+.2f} %)", -advice.gain_ns / 1e3, -100 * share);
  colored_text(beyond_error ? palette.good : palette.text, gain);
  ImGui::SameLine();
  wrapped_text(palette.text, memory_text(advice.memory_bytes));
  if (report.error_share > 0 && !beyond_error) {
    wrapped_text(palette.warn, "less than the error to expect");
  }
  const std::string verdict = advice.race_free ? "race-free" : "races: " + advice.race;
  wrapped_text(advice.race_free ? palette.good : palette.bad,
               fmt::format("{}, {}", verdict, waits_text(advice.waits)));
  wrapped_text(palette.dim, advice.why);
}

}  // namespace

void AdviceView::draw_move(const AdviceKeeper& keeper, std::size_t rank, ViewContext& context) {
  const AdviceReport& report = *keeper.report();
  const Advice& advice = report.advice[rank];
  const bool known = rank < keeper.edits().size();
  const bool made = known && keeper.edits()[rank].made;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::PushID(static_cast<int>(rank));
  const ImVec2 least = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  draw.ChannelsSplit(2);  // the ground is painted last: only then is the height known
  draw.ChannelsSetCurrent(1);
  ImGui::BeginGroup();
  ImGui::PushFont(context.fonts.bold);
  wrapped_text(made ? context.palette.dim : context.palette.text,
               fmt::format("{}. {}{}", rank + 1, advice.title, made ? " (made)" : ""));
  ImGui::PopFont();
  draw_facts(advice, report, context);
  ImGui::EndGroup();
  const float height = std::max(1.0F, ImGui::GetItemRectSize().y);
  ImGui::SetCursorScreenPos(least);
  const bool clicked = ImGui::InvisibleButton("##move", {width, height});
  const bool over = known && !made && ImGui::IsItemHovered();
  draw.ChannelsSetCurrent(0);
  if (over) {
    const float edge = context.px(3);
    draw.AddRectFilled({least.x - edge, least.y - edge},
                       {least.x + width + edge, least.y + height + edge},
                       context.palette.hovered.packed(), edge);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    hovered_ = rank;
  }
  draw.ChannelsMerge();
  if (clicked && known && !made) {
    context.commands.emit(command_id::kEditPolicy, edit_text(keeper.edits()[rank].edit));
  }
  ImGui::Dummy({0, context.px(4)});
  ImGui::PopID();
}

/// Only where the pointer came or went: a preview that was dropped by a key stays dropped.
void AdviceView::try_move(const AdviceKeeper& keeper, ViewContext& context) {
  if (hovered_ == tried_) return;
  tried_ = hovered_;
  if (tried_) {
    context.commands.emit(command_id::kTryEdit, edit_text(keeper.edits()[*tried_].edit));
    return;
  }
  const auto* mapping = context.parts.find<MappingKeeper>();
  if (mapping != nullptr && mapping->ready()) context.commands.emit(command_id::kDropPreview);
}

void AdviceView::draw(ViewContext& context) {
  hovered_.reset();
  const auto* keeper = context.parts.find<AdviceKeeper>();
  const Document* document = mapped_document(context.workbench);
  if (keeper == nullptr || document == nullptr) {
    wrapped_text(context.palette.dim,
                 "Open a recording to learn what would make its step shorter.");
  } else if (document->live) {
    wrapped_text(context.palette.dim, "Advice comes once the run has ended.");
  } else if (keeper->refusal()) {
    wrapped_text(context.palette.dim,
                 fmt::format("No advice on this recording: {}", to_string(*keeper->refusal())));
  } else if (keeper->report() == nullptr) {
    draw_looking(context);
  } else {
    const AdviceReport& report = *keeper->report();
    wrapped_text(context.palette.dim, head_text(report));
    wrapped_text(report.error_share > 0 ? context.palette.dim : context.palette.warn,
                 error_text(report));
    ImGui::Dummy({0, context.px(2)});
    if (report.advice.empty()) {
      wrapped_text(context.palette.text,
                   "No single change would make the step noticeably shorter.");
    }
    for (std::size_t rank = 0; rank < report.advice.size(); ++rank)
      draw_move(*keeper, rank, context);
    wrapped_text(context.palette.dim, tail_text(report));
    if (!report.advice.empty()) {
      wrapped_text(context.palette.dim, "The pointer over a change tries it, a click makes it.");
    }
  }
  if (keeper != nullptr) try_move(*keeper, context);
}

}  // namespace quintet::viewer
