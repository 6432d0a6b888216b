#include "viewer/views/policy_view.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <string_view>

#include "runtime/policy/policy_catalog.h"
#include "viewer/model/command_id.h"
#include "viewer/model/mapping/draft_file.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr std::array kRules = {SyncRule::adjacent, SyncRule::adjacent_conflicts, SyncRule::dataflow,
                               SyncRule::manual};
constexpr std::array kGradientModes = {GradientMode::in_place, GradientMode::separate};
constexpr std::array kStepModes = {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step};

void emit(const PolicyEdit& edit, ViewContext& context) {
  context.commands.emit(command_id::kEditPolicy, edit_text(edit));
}

/// A percent sign stays with its number where the line breaks.
std::string unbroken(std::string text) {
  constexpr std::string_view kGap = "\u00A0%";
  for (std::size_t at = text.find(" %"); at != std::string::npos; at = text.find(" %", at))
    text.replace(at, 2, kGap);
  return text;
}

/// A choice among named values; calls `chosen` with another one.
template <class Values, class Value, class Chosen>
void knob(const char* label, const char* note, const Values& values, Value value,
          const ViewContext& context, Chosen&& chosen) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::SameLine(context.px(74));
  ImGui::SetNextItemWidth(-1);
  ImGui::PushID(label);
  if (ImGui::BeginCombo("##value", std::string(name_of(value)).c_str())) {
    for (const Value each : values) {
      const bool current = each == value;
      if (ImGui::Selectable(std::string(name_of(each)).c_str(), current) && !current) chosen(each);
    }
    ImGui::EndCombo();
  } else {
    tooltip(note);
  }
  ImGui::PopID();
}

void draw_knobs(const MappingKeeper& keeper, ViewContext& context) {
  const StreamPolicy& policy = keeper.draft().policy();
  knob("sync", "How streams wait for each other", kRules, policy.sync, context, [&](SyncRule rule) {
    const auto verdict = keeper.verdict();
    const bool listed = rule == SyncRule::manual && verdict && verdict->plan;
    emit(set_sync(rule, listed ? listed_edges(*verdict->plan) : std::vector<ManualEdge>{}),
         context);
  });
  knob("gradients", "Whether activation gradients take their activation's bytes", kGradientModes,
       policy.gradients, context, [&](GradientMode mode) { emit(set_gradients(mode), context); });
  knob("step", "How the launches of a step wait for each other", kStepModes, policy.step, context,
       [&](StepMode mode) { emit(set_step(mode), context); });
}

std::string memory_text(const MappingVerdict& verdict) {
  std::string text;
  for (const RegionBytes& region : verdict.memory) {
    if (region.difference == 0) continue;
    text += fmt::format("{}{}: {:+.2f} MiB, now {:.2f}", text.empty() ? "" : "\n", region.name,
                        static_cast<double>(region.difference) / 0x1p20,
                        static_cast<double>(region.bytes) / 0x1p20);
  }
  return text;
}

std::string edges_text(const MappingVerdict& verdict) {
  constexpr std::size_t kMost = 12;
  std::string text;
  const auto list = [&](const std::vector<VerdictEdge>& edges, const char* sign) {
    for (std::size_t index = 0; index < std::min(edges.size(), kMost); ++index) {
      text += fmt::format("{}{} {} waits for {}", text.empty() ? "" : "\n", sign, edges[index].to,
                          edges[index].from);
    }
    if (edges.size() > kMost) text += fmt::format("\n{} {} more", sign, edges.size() - kMost);
  };
  list(verdict.added, "+");
  list(verdict.freed, "-");
  return text;
}

void draw_verdict(const char* what, const MappingVerdict& verdict, bool old,
                  const ViewContext& context) {
  const Palette& palette = context.palette;
  const Color& color = old                                      ? palette.dim
                       : verdict.kind == VerdictKind::race_free ? palette.good
                                                                : palette.bad;
  wrapped_text(color, fmt::format("{}{}", what, headline(verdict)));
  const std::string forecast = forecast_text(verdict);
  if (!forecast.empty()) wrapped_text(old ? palette.dim : palette.text, unbroken(forecast));
  std::string details = edges_text(verdict);
  const std::string memory = memory_text(verdict);
  if (!details.empty() && !memory.empty()) details += "\n";
  tooltip(details + memory);
}

void draw_proof(const MappingKeeper& keeper, ViewContext& context) {
  if (keeper.tried()) {
    wrapped_text(context.palette.dim, keeper.tried()->name);
    if (const auto verdict = keeper.tried_verdict()) {
      const DropAnswer answer = drop_answer(*verdict, *keeper.tried_policy());
      draw_verdict(answer.allowed ? "if dropped: " : "cannot be dropped: ", *verdict, false,
                   context);
    } else {
      wrapped_text(context.palette.dim, "proving...");
    }
    return;
  }
  if (const auto verdict = keeper.verdict()) {
    draw_verdict(keeper.proving() ? "proving... before: " : "", *verdict, keeper.proving(),
                 context);
  } else {
    wrapped_text(context.palette.dim, "proving...");
  }
}

void draw_refused(const RefusedMove& refused, ViewContext& context) {
  wrapped_text(context.palette.bad,
               fmt::format("{} was refused: {}", refused.edit.name, refused.answer.why));
  for (const PolicyEdit& cure : refused.answer.cures) {
    if (ImGui::Button(fmt::format("{}, then move", cure.name).c_str())) {
      emit(cure, context);
      emit(refused.edit, context);
    }
  }
}

void draw_changes(const MappingKeeper& keeper, const ViewContext& context) {
  if (keeper.changes().empty()) {
    wrapped_text(context.palette.dim, "Nothing differs from what was recorded.");
  }
  for (const PolicyDifference& line : keeper.changes())
    wrapped_text(context.palette.text, text_of(line));
}

void draw_begin_with(ViewContext& context) {
  ImGui::SetNextItemWidth(-1);
  if (!ImGui::BeginCombo("##begin", "Begin with another policy...")) return;
  for (const BuiltinPolicy& builtin : policy_catalog()) {
    if (!ImGui::Selectable(std::string(builtin.name).c_str())) continue;
    if (const auto policy = find_policy(std::string(builtin.name))) {
      emit(begin_with(*policy), context);
    }
  }
  ImGui::EndCombo();
}

void draw_launches(const MappingKeeper& keeper, ViewContext& context) {
  if (!ImGui::CollapsingHeader("Launch streams and priorities")) return;
  for (const LaunchRow& row : keeper.table().launches) {
    const std::string graph(name_of(row.graph));
    ImGui::PushID(graph.c_str());
    ImGui::SetNextItemWidth(context.px(84));
    const std::string stream(row.stream ? name_of(*row.stream) : "none");
    if (ImGui::BeginCombo("##stream", stream.c_str())) {
      for (const StreamKind each : kStreamKinds) {
        if (ImGui::Selectable(std::string(name_of(each)).c_str(), row.stream == each)) {
          emit(launch_on(row.graph, each), context);
        }
      }
      ImGui::EndCombo();
    }
    ImGui::SameLine();
    ImGui::TextUnformatted(graph.c_str());
    tooltip(row.reason);
    ImGui::PopID();
  }
  for (const StreamKind stream : kStreamKinds) {
    int priority = keeper.draft().policy().priorities[index_of(stream)];
    ImGui::SetNextItemWidth(context.px(84));
    const std::string label(name_of(stream));
    if (ImGui::SliderInt(label.c_str(), &priority, kMostUrgentPriority, 0) &&
        priority != keeper.draft().policy().priorities[index_of(stream)]) {
      emit(set_priority(stream, priority), context);
    }
    tooltip("Priority as CUDA counts: lower is more urgent");
  }
}

}  // namespace

void PolicyView::draw_head(const MappingKeeper& keeper, ViewContext& context) {
  const PolicyDraft& draft = keeper.draft();
  ImGui::PushFont(context.fonts.bold);
  ImGui::TextUnformatted(
      fmt::format("{}{}", draft.policy().name, draft.unchanged() ? "" : " *").c_str());
  ImGui::PopFont();
  tooltip(draft.policy().description);
  const auto button = [&](const char* label, bool enabled, const std::string& name,
                          const char* keys, std::string_view command) {
    ImGui::BeginDisabled(!enabled);
    if (ImGui::SmallButton(label)) context.commands.emit(command);
    ImGui::EndDisabled();
    if (enabled) tooltip(fmt::format("{}: {} ({})", label, name, keys));
  };
  button("Undo", draft.can_undo(), draft.undo_name(), "Ctrl+Z", command_id::kUndo);
  ImGui::SameLine();
  button("Redo", draft.can_redo(), draft.redo_name(), "Ctrl+Shift+Z", command_id::kRedo);
  ImGui::SameLine();
  ImGui::TextDisabled("%s", draft.can_undo() ? draft.undo_name().c_str() : "as recorded");
}

void PolicyView::draw_save(ViewContext& context) {
  ImGui::SetNextItemWidth(-context.px(64));
  ImGui::InputText("##file", &file_);
  ImGui::SameLine();
  if (ImGui::Button("Save as")) context.commands.emit(command_id::kSavePolicyAs, file_);
}

void PolicyView::draw_tabs(const MappingKeeper& keeper, ViewContext& context) {
  if (!ImGui::BeginTabBar("policy")) return;
  if (ImGui::BeginTabItem("Mapping")) {
    if (keeper.table().problem) {
      wrapped_text(context.palette.bad, to_string(*keeper.table().problem));
    }
    if (ImGui::BeginChild("mapping")) {
      table_.draw(keeper, context);
      draw_launches(keeper, context);
    }
    ImGui::EndChild();
    ImGui::EndTabItem();
  }
  if (ImGui::BeginTabItem("File")) {
    text_.draw(keeper, context);
    ImGui::EndTabItem();
  }
  const std::string changes = fmt::format("Changes ({})###changes", keeper.changes().size());
  if (ImGui::BeginTabItem(changes.c_str())) {
    if (ImGui::BeginChild("changes")) {
      draw_begin_with(context);
      draw_save(context);
      draw_changes(keeper, context);
    }
    ImGui::EndChild();
    ImGui::EndTabItem();
  }
  ImGui::EndTabBar();
}

void PolicyView::draw(ViewContext& context) {
  const auto* keeper = context.parts.find<MappingKeeper>();
  if (keeper == nullptr || mapped_document(context.workbench) == nullptr) {
    wrapped_text(context.palette.dim,
                 "Open a recording to see and change which stream its tasks take.");
    return;
  }
  if (keeper->refusal()) {
    wrapped_text(context.palette.dim,
                 fmt::format("This mapping cannot be changed: {}", to_string(*keeper->refusal())));
    return;
  }
  if (!keeper->ready()) {
    wrapped_text(context.palette.dim, "Planning the recording again...");
    return;
  }
  draw_head(*keeper, context);
  draw_knobs(*keeper, context);
  // What the proof says of a drag changes while it lasts; the cell to drop at should not move away.
  // In a low pane rows of the table are worth more.
  constexpr float kProofLines = 5;
  constexpr float kLowPaneLines = 18;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const bool low = ImGui::GetContentRegionAvail().y < kLowPaneLines * line;
  const float below = ImGui::GetCursorPosY() + (low ? 0 : kProofLines * line);
  draw_proof(*keeper, context);
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), below));
  if (keeper->refused()) draw_refused(*keeper->refused(), context);
  draw_tabs(*keeper, context);
}

}  // namespace quintet::viewer
