#include "viewer/views/top_bar.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

#include "viewer/views/run_choices.h"
#include "viewer/widgets/pressed_key.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr std::array<CommandGroup, 6> kGroups = {CommandGroup::file, CommandGroup::view,
                                                 CommandGroup::go,   CommandGroup::policy,
                                                 CommandGroup::run,  CommandGroup::help};

void draw_menu_items(CommandGroup group, ViewContext& context) {
  for (const CommandEntry& entry : command_catalog()) {
    if (entry.group != group || entry.title.empty()) continue;
    const std::string title(entry.title);
    if (ImGui::MenuItem(title.c_str(), to_string(entry.keys[0]).c_str(), false,
                        entry.enabled_in(context.workbench))) {
      context.commands.emit(entry.id, entry.preset);
    }
  }
}

void draw_menu(ViewContext& context) {
  const char* label = glyph_or(context.fonts, 0x2261, "\u2261", "Menu");
  ImGui::PushFont(context.fonts.bold);
  if (quiet_button(label, context.palette)) ImGui::OpenPopup("menu");
  ImGui::PopFont();
  tooltip("All commands; Ctrl+P finds one by name");
  if (!ImGui::BeginPopup("menu")) return;
  for (const CommandGroup group : kGroups) {
    const std::string name(name_of(group));
    if (!ImGui::BeginMenu(name.c_str())) continue;
    draw_menu_items(group, context);
    ImGui::EndMenu();
  }
  ImGui::EndPopup();
}

/// "step 42 (12/40)": its number, and its place among the steps of the recording; nothing for one
/// without steps.
std::string step_text(const Workbench& workbench) {
  const Document* document = workbench.document(Side::a);
  if (document == nullptr) document = workbench.document(Side::b);
  if (document == nullptr || document->trace->steps.empty()) return {};
  const std::vector<TraceStep>& steps = document->trace->steps;
  if (!workbench.step) return fmt::format("{} steps", steps.size());
  const TraceStep* step = find_step(*document->trace, *workbench.step);
  if (step == nullptr) return fmt::format("{} steps", steps.size());
  return fmt::format("step {} ({}/{})", step->step, step - steps.data() + 1, steps.size());
}

void draw_steps(ViewContext& context) {
  const std::string text = step_text(context.workbench);
  if (text.empty()) return;
  const char* before = glyph_or(context.fonts, 0x2039, "\u2039", "<");
  const char* after = glyph_or(context.fonts, 0x203A, "\u203A", ">");
  if (quiet_button(before, context.palette)) context.commands.emit(command_id::kPreviousStep);
  tooltip("Previous step (P)");
  ImGui::SameLine(0, context.px(2));
  ImGui::AlignTextToFramePadding();
  colored_text(context.palette.text, text);
  ImGui::SameLine(0, context.px(2));
  if (quiet_button(after, context.palette)) context.commands.emit(command_id::kNextStep);
  tooltip("Next step (N)");
}

/// "A  serial, whole_step" as a tooltip says which is which.
void draw_sides(ViewContext& context) {
  struct Choice {
    const char* label;
    Shown shown;
    const char* note;
  };
  constexpr auto kChoices = std::to_array<Choice>({{"A", Shown::a, "Show A alone"},
                                                   {"B", Shown::b, "Show B alone"},
                                                   {"A/B", Shown::both, "Show A over B"}});
  const Workbench& workbench = context.workbench;
  for (const Choice& choice : kChoices) {
    const bool there = choice.shown == Shown::both ? workbench.both_open()
                       : choice.shown == Shown::a  ? workbench.document(Side::a) != nullptr
                                                   : workbench.document(Side::b) != nullptr;
    ImGui::BeginDisabled(!there);
    if (segment_button(choice.label, there && workbench.shown == choice.shown, context.palette)) {
      context.commands.emit(command_id::kShow, choice.shown);
    }
    ImGui::EndDisabled();
    std::string note = choice.note;
    if (there && choice.shown != Shown::both) {
      const Side side = choice.shown == Shown::a ? Side::a : Side::b;
      note += "\n" + workbench.document(side)->label() + "\n" + workbench.document(side)->file;
    }
    tooltip(note);
    ImGui::SameLine(0, context.px(2));
  }
}

}  // namespace

void TopBar::draw(const PaneBox& box, ViewContext& context) {
  ImGui::SetCursorScreenPos({box.x, box.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, context.palette.panel.packed());
  ImGui::BeginChild("##top", {box.width, box.height}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const float frame = ImGui::GetFrameHeight();
  ImGui::SetCursorPos({context.px(6), (box.height - frame) / 2});
  draw_menu(context);
  const float gap = context.px(14);
  // The lists give way before anything is pushed out on the right.
  const float room = std::clamp(box.width / context.frame.scale / 1500, 0.45F, 1.0F);
  ImGui::SameLine();
  choose_scenario(scenario_filter_, context.px(190 * room), context);
  ImGui::SameLine();
  choose_executor(context.px(76), context);
  ImGui::SameLine();
  choose_policy(context.px(190 * room), context);
  ImGui::SameLine();
  run_button(context);
  if (context.workbench.anything_open()) {
    ImGui::SameLine(0, gap);
    draw_steps(context);
    ImGui::SameLine(0, gap);
    draw_sides(context);
    ImGui::SameLine(0, gap);
    draw_search(context);
  }
  const float right = context.px(86);
  ImGui::SameLine(box.width - right);
  const bool dark = context.palette.dark;
  if (quiet_button(dark ? "Light" : "Dark", context.palette)) {
    context.commands.emit(command_id::kTheme);
  }
  tooltip("The other theme (Ctrl+T)");
  ImGui::SameLine(0, context.px(2));
  if (quiet_button("?", context.palette)) context.commands.emit(command_id::kHelp);
  tooltip("Keys (?)");
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

void TopBar::draw_search(ViewContext& context) {
  const Workbench& workbench = context.workbench;
  const float room = ImGui::GetWindowWidth() - ImGui::GetCursorPosX() - context.px(100);
  if (room < context.px(60)) return;
  if (workbench.search_focus) {
    ImGui::SetKeyboardFocusHere();
    context.commands.emit(command_id::kSearchFor, search_);
  }
  if (!ImGui::IsAnyItemActive() && search_ != workbench.search) search_ = workbench.search;
  if (text_field("##search", "search tasks, layers, kernels  /", search_,
                 std::min(room, context.px(230)))) {
    context.commands.emit(command_id::kSearchFor, search_);
  }
  if (ImGui::IsItemDeactivated() && pressed(ImGuiKey_Enter)) {
    context.commands.emit(command_id::kNextHit);
  }
  tooltip("Enter: next hit, Shift+Enter: previous one, Esc: none");
}

}  // namespace quintet::viewer
