#include "viewer/views/open_dialog.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <vector>

#include "profiler/report/format.h"
#include "viewer/model/folder_browser.h"
#include "viewer/model/fuzzy_match.h"
#include "viewer/views/overlay_window.h"
#include "viewer/widgets/pressed_key.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

/// Positions in the listing that the filter leaves.
std::vector<std::size_t> shown_entries(const FolderListing& listing, const std::string& filter) {
  std::vector<std::size_t> shown;
  for (std::size_t entry = 0; entry < listing.entries.size(); ++entry) {
    if (contains_text(listing.entries[entry].name, filter)) shown.push_back(entry);
  }
  return shown;
}

std::string in_folder(const FolderListing& listing, const std::string& name) {
  return listing.folder.ends_with('/') ? listing.folder + name : listing.folder + "/" + name;
}

}  // namespace

void OpenDialog::reset() {
  filter_.clear();
  picked_ = 0;
}

void OpenDialog::draw(const PaneBox& screen, ViewContext& context) {
  const char* title = context.workbench.open_side == Side::a ? "Open" : "Open beside as B";
  const OverlayWindow window(title, screen, 760, 560, context);
  const auto* browser = context.parts.find<FolderBrowser>();
  if (!window || browser == nullptr) return;
  const FolderListing& listing = browser->listing();
  if (browser->generation() != listing_) {
    listing_ = browser->generation();
    filter_.clear();
    picked_ = 0;
  }
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  if (text_field("##filter", "filter, or a path that begins with / and Enter", filter_, -1)) {
    picked_ = 0;
  }
  ImGui::BeginDisabled(listing.parent.empty());
  if (ImGui::Button("Up") || (filter_.empty() && pressed(ImGuiKey_LeftArrow))) {
    context.commands.emit(command_id::kBrowse, listing.parent);
  }
  ImGui::EndDisabled();
  tooltip("The folder above (Left)");
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  cut_text(context.palette.dim, listing.folder, ImGui::GetContentRegionAvail().x);
  if (!listing.error.empty()) {
    wrapped_text(context.palette.bad, "This folder cannot be read: " + listing.error);
  }
  draw_entries(context);
}

void OpenDialog::draw_entries(ViewContext& context) {
  const auto* browser = context.parts.find<FolderBrowser>();
  const FolderListing& listing = browser->listing();
  const std::vector<std::size_t> shown = shown_entries(listing, filter_);
  if (pressed(ImGuiKey_Enter) && filter_.starts_with('/')) {
    open(context, filter_);
    return;
  }
  bool moved = false;
  if (pressed(ImGuiKey_DownArrow) && picked_ + 1 < shown.size()) {
    ++picked_;
    moved = true;
  }
  if (pressed(ImGuiKey_UpArrow) && picked_ > 0) {
    --picked_;
    moved = true;
  }
  if (shown.empty()) {
    colored_text(context.palette.dim, filter_.starts_with('/') ? "Enter opens this path."
                                      : listing.entries.empty()
                                          ? "No recording or trace lies here."
                                          : "Nothing here has these letters in its name.");
    return;
  }
  picked_ = std::min(picked_, shown.size() - 1);
  if (pressed(ImGuiKey_Enter)) take(context, shown[picked_]);
  ImGui::BeginChild("##entries");
  for (std::size_t row = 0; row < shown.size(); ++row) {
    const FolderEntry& entry = listing.entries[shown[row]];
    ImGui::PushID(static_cast<int>(row));
    if (ImGui::Selectable("##entry", row == picked_)) take(context, shown[row]);
    if (row == picked_ && moved) ImGui::SetScrollHereY(0.5F);
    ImGui::SameLine(context.px(4));
    const Color color = entry.recording ? context.palette.text
                        : entry.folder  ? context.palette.accent
                                        : context.palette.dim;
    cut_text(color, entry.folder ? entry.name + "/" : entry.name,
             ImGui::GetContentRegionAvail().x - context.px(90));
    if (!entry.folder) {
      ImGui::SameLine(ImGui::GetWindowWidth() - context.px(100));
      right_text(context.palette.dim, format_bytes(static_cast<double>(entry.bytes)));
    }
    ImGui::PopID();
  }
  ImGui::EndChild();
}

void OpenDialog::take(ViewContext& context, std::size_t entry) {
  const FolderListing& listing = context.parts.find<FolderBrowser>()->listing();
  const FolderEntry& taken = listing.entries[entry];
  const std::string path = in_folder(listing, taken.name);
  if (taken.folder) {
    context.commands.emit(command_id::kBrowse, path);
  } else {
    open(context, path);
  }
}

void OpenDialog::open(ViewContext& context, const std::string& path) {
  context.commands.emit(command_id::kDeselect);
  context.commands.emit(command_id::kOpenFile, OpenFile{path, context.workbench.open_side});
}

}  // namespace quintet::viewer
