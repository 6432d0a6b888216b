#include "viewer/views/policy_text.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "viewer/model/command_id.h"
#include "viewer/model/mapping/draft_file.h"
#include "viewer/widgets/theme.h"

namespace quintet::viewer {

void PolicyText::draw(const MappingKeeper& keeper, ViewContext& context) {
  const std::string& toml = keeper.draft().toml();
  if (drawn_from_ != toml) {
    // An edit made elsewhere: the table and the file are one thing.
    drawn_from_ = toml;
    typed_ = toml;
    error_.reset();
  }
  const bool changed = typed_ != toml;
  ImGui::BeginDisabled(!changed || error_.has_value());
  if (ImGui::SmallButton("Apply")) {
    context.commands.emit(command_id::kEditPolicy, edit_text(replace_text(typed_)));
  }
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!changed);
  if (ImGui::SmallButton("Revert")) {
    typed_ = toml;
    error_.reset();
  }
  ImGui::EndDisabled();
  if (error_) {
    ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(context.palette.bad));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(fmt::format("line {}: {}{}{}", error_->line, error_->message,
                                       error_->cure.empty() ? "" : "; ", error_->cure)
                               .c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }
  ImGui::PushFont(context.fonts.mono);
  if (ImGui::InputTextMultiline("##toml", &typed_, {-1, -1})) {
    const auto parsed = parse_policy(typed_, "policy");
    error_ = parsed ? std::nullopt : std::optional(parsed.error());
  }
  ImGui::PopFont();
}

}  // namespace quintet::viewer
