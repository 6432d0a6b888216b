#include "viewer/views/command_palette.h"

#include <algorithm>
#include <imgui.h>

#include "viewer/model/fuzzy_match.h"
#include "viewer/views/overlay_window.h"
#include "viewer/widgets/pressed_key.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

std::vector<const CommandEntry*> matching_commands(std::string_view pattern,
                                                   const Workbench& workbench) {
  struct Match {
    const CommandEntry* entry;
    bool disabled;
    int score;
  };
  std::vector<Match> matches;
  for (const CommandEntry& entry : command_catalog()) {
    if (entry.title.empty() || entry.id == command_id::kPalette) continue;
    const std::optional<int> score = fuzzy_score(pattern, entry.title);
    if (score) matches.push_back({&entry, !entry.enabled_in(workbench), *score});
  }
  std::stable_sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
    return a.disabled != b.disabled ? b.disabled : a.score > b.score;
  });
  std::vector<const CommandEntry*> entries;
  for (const Match& match : matches)
    entries.push_back(match.entry);
  return entries;
}

void CommandPalette::reset() {
  pattern_.clear();
  chosen_ = 0;
}

void CommandPalette::draw(const PaneBox& screen, ViewContext& context) {
  const OverlayWindow window("##palette", screen, 560, 420, context);
  if (!window) return;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  if (text_field("##pattern", "Find a command", pattern_, -1)) chosen_ = 0;
  const std::vector<const CommandEntry*> matches = matching_commands(pattern_, context.workbench);
  if (matches.empty()) {
    colored_text(context.palette.dim, "No command has these letters in its name.");
    return;
  }
  bool moved = false;
  if (pressed(ImGuiKey_DownArrow)) {
    chosen_ = std::min(chosen_ + 1, matches.size() - 1);
    moved = true;
  }
  if (pressed(ImGuiKey_UpArrow) && chosen_ > 0) {
    --chosen_;
    moved = true;
  }
  chosen_ = std::min(chosen_, matches.size() - 1);
  const CommandEntry* run = pressed(ImGuiKey_Enter) ? matches[chosen_] : nullptr;
  ImGui::BeginChild("##matches");
  for (std::size_t match = 0; match < matches.size(); ++match) {
    const CommandEntry& entry = *matches[match];
    const bool enabled = entry.enabled_in(context.workbench);
    const std::string title(entry.title);
    ImGui::PushID(static_cast<int>(match));
    if (ImGui::Selectable("##match", match == chosen_)) run = &entry;
    if (match == chosen_ && moved) ImGui::SetScrollHereY(0.5F);
    ImGui::SameLine(context.px(4));
    colored_text(enabled ? context.palette.text : context.palette.dim, title);
    ImGui::SameLine(context.px(330));
    colored_text(context.palette.dim, name_of(entry.group));
    ImGui::SameLine(context.px(390));
    right_text(context.palette.dim, to_string(entry.keys[0]));
    ImGui::PopID();
  }
  ImGui::EndChild();
  if (run == nullptr || !run->enabled_in(context.workbench)) return;
  context.commands.emit(command_id::kDeselect);
  context.commands.emit(run->id, run->preset);
}

}  // namespace quintet::viewer
