#include "viewer/views/run_choices.h"

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/model/fuzzy_match.h"
#include "viewer/model/run_keeper.h"
#include "viewer/model/start_list.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

void describe(const ScenarioChoice& choice) {
  tooltip(fmt::format("{}\n{} on {}, batch {}, policy {}", choice.description, choice.network,
                      choice.dataset, choice.batch, choice.policy));
}

/// The executors a run may name, with what is known of them.
struct ExecutorLine {
  std::string name;
  std::string note;
  bool there = true;
};

std::vector<ExecutorLine> executor_lines(const RunKeeper* run) {
  std::vector<ExecutorLine> lines = {{"host", "the processor's cores", true},
                                     {"cuda", "an NVIDIA GPU", true}};
  if (run == nullptr) return lines;
  for (const RunDevice& device : run->devices()) {
    for (ExecutorLine& line : lines) {
      if (line.name != device.executor) continue;
      line.note = device.name;
      line.there = device.there;
    }
  }
  return lines;
}

}  // namespace

void choose_scenario(std::string& filter, float width, ViewContext& context) {
  const auto* list = context.parts.find<StartList>();
  const std::string& chosen = context.workbench.chosen_scenario;
  ImGui::SetNextItemWidth(width);
  const bool open = ImGui::BeginCombo("##scenario", chosen.empty() ? "scenario" : chosen.c_str(),
                                      ImGuiComboFlags_HeightLarge);
  if (!open) {
    tooltip("What to train");
    return;
  }
  if (ImGui::IsWindowAppearing()) {
    filter.clear();
    ImGui::SetKeyboardFocusHere();
  }
  text_field("##filter", "filter", filter, -1);
  for (const ScenarioChoice& choice :
       list == nullptr ? std::vector<ScenarioChoice>() : list->scenarios()) {
    if (!contains_text(choice.name + " " + choice.description, filter)) continue;
    if (ImGui::Selectable(choice.name.c_str(), choice.name == chosen)) {
      context.commands.emit(command_id::kChooseScenario, choice.name);
    }
    describe(choice);
  }
  ImGui::EndCombo();
}

void choose_executor(float width, ViewContext& context) {
  const std::string& chosen = context.workbench.chosen_executor;
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##executor", chosen.c_str())) {
    tooltip("What runs the tasks: the processor, or a GPU");
    return;
  }
  for (const ExecutorLine& line : executor_lines(context.parts.find<RunKeeper>())) {
    if (ImGui::Selectable(line.name.c_str(), line.name == chosen,
                          line.there ? 0 : ImGuiSelectableFlags_Disabled)) {
      context.commands.emit(command_id::kChooseExecutor, line.name);
    }
    ImGui::SameLine(context.px(54));
    ImGui::TextDisabled("%s", line.note.c_str());
  }
  ImGui::EndCombo();
}

void choose_policy(float width, ViewContext& context) {
  const auto* list = context.parts.find<StartList>();
  const Workbench& workbench = context.workbench;
  std::string shown = workbench.chosen_policy.empty() ? "its own policy" : workbench.chosen_policy;
  const bool edited = !workbench.draft_toml.empty();
  if (edited) shown = workbench.policy_edited ? "edited policy *" : "edited policy";
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##policy", shown.c_str(), ImGuiComboFlags_HeightLarge)) {
    tooltip(edited ? "The mapping with your edits runs; undo them to choose another"
                   : "Which stream each task takes");
    return;
  }
  if (ImGui::Selectable("its own policy", workbench.chosen_policy.empty())) {
    context.commands.emit(command_id::kChoosePolicy, std::string());
  }
  tooltip("The one that the scenario names");
  for (const PolicyChoice& choice :
       list == nullptr ? std::vector<PolicyChoice>() : list->policies()) {
    if (ImGui::Selectable(choice.name.c_str(), choice.name == workbench.chosen_policy)) {
      context.commands.emit(command_id::kChoosePolicy, choice.name);
    }
    tooltip(choice.description);
  }
  ImGui::EndCombo();
}

void run_button(ViewContext& context) {
  const auto* run = context.parts.find<RunKeeper>();
  const bool active = run != nullptr && run->active();
  const Palette& palette = context.palette;
  if (active) {
    const std::string stop =
        fmt::format("{} Stop", glyph_or(context.fonts, 0x25A0, "\u25A0", "[]"));
    ImGui::PushStyleColor(ImGuiCol_Text, palette.bad.packed());
    if (ImGui::Button(stop.c_str())) context.commands.emit(command_id::kStopRun);
    ImGui::PopStyleColor();
    tooltip("Ends the run after its step; the recording is completed (Ctrl+Shift+R)");
    return;
  }
  const bool can = run != nullptr && run->can_run();
  const std::string start = fmt::format("{} Run", glyph_or(context.fonts, 0x25B6, "\u25B6", ">"));
  ImGui::PushStyleColor(ImGuiCol_Text, (can ? palette.good : palette.dim).packed());
  if (ImGui::Button(start.c_str())) context.commands.emit(command_id::kRun);
  ImGui::PopStyleColor();
  tooltip(can ? "Trains, records and shows it beside what is open (Ctrl+R)"
              : "Nothing can be run: " + (run == nullptr ? "" : run->why_none()));
}

}  // namespace quintet::viewer
