#include "viewer/views/export_dialog.h"

#include <array>
#include <imgui.h>

#include "viewer/model/exporter.h"
#include "viewer/views/overlay_window.h"
#include "viewer/widgets/pressed_key.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr std::array<ExportFormat, 7> kFormats = {
    ExportFormat::html,     ExportFormat::png_centre, ExportFormat::png_tab, ExportFormat::png,
    ExportFormat::perfetto, ExportFormat::chrome,     ExportFormat::policy};

}  // namespace

void ExportDialog::draw(const PaneBox& screen, ViewContext& context) {
  const OverlayWindow window("Export", screen, 640, 350, context);
  const Document* document = context.workbench.main_document();
  if (!window || document == nullptr) return;
  if (path_.empty()) path_ = default_export_path(*document, format_);
  for (const ExportFormat format : kFormats) {
    const std::string name(name_of(format));
    if (ImGui::RadioButton(name.c_str(), format_ == format)) {
      format_ = format;
      path_ = default_export_path(*document, format);
    }
    ImGui::SameLine(context.px(180));
    colored_text(context.palette.dim, description_of(format));
  }
  ImGui::Dummy({0, context.px(4)});
  text_field("##path", "file to write", path_, -1);
  ImGui::Dummy({0, context.px(4)});
  const bool enter = pressed(ImGuiKey_Enter);
  ImGui::BeginDisabled(path_.empty());
  if (ImGui::Button("Write") || (enter && !path_.empty())) {
    context.commands.emit(command_id::kDeselect);
    context.commands.emit(command_id::kExportTo, ExportTo{format_, path_});
  }
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) context.commands.emit(command_id::kDeselect);
}

}  // namespace quintet::viewer
