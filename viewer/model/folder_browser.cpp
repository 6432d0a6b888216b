#include "viewer/model/folder_browser.h"

#include <algorithm>
#include <filesystem>

namespace quintet::viewer {

namespace {

namespace fs = std::filesystem;

bool ends_with_any(const std::string& name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

int rank_of(const FolderEntry& entry) {
  return entry.folder ? 0 : entry.recording ? 1 : 2;
}

}  // namespace

FolderListing list_folder(const std::string& folder) {
  FolderListing listing;
  std::error_code error;
  const fs::path path = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  listing.folder = path.string();
  // "/a/b/" has an empty last name.
  if (listing.folder.size() > 1 && listing.folder.ends_with('/')) listing.folder.pop_back();
  const fs::path trimmed = listing.folder;
  if (trimmed.has_relative_path()) listing.parent = trimmed.parent_path().string();
  fs::directory_iterator each(trimmed, error);
  for (const fs::directory_iterator end; !error && each != end; each.increment(error)) {
    FolderEntry entry;
    entry.name = each->path().filename().string();
    if (entry.name.starts_with('.')) {
      ++listing.hidden;
      continue;
    }
    std::error_code unknown;
    entry.folder = each->is_directory(unknown);
    entry.recording = ends_with_any(entry.name, {".qtrace", ".qtrace.gz"});
    if (!entry.folder) {
      const bool foreign = ends_with_any(entry.name, {".json", ".json.gz", ".sqlite", ".nsys-rep"});
      if (!entry.recording && !foreign) continue;
      const std::uintmax_t bytes = each->file_size(unknown);
      entry.bytes = unknown ? 0 : bytes;
    }
    listing.entries.push_back(std::move(entry));
  }
  if (error) listing.error = error.message();
  std::sort(listing.entries.begin(), listing.entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) {
              return std::pair(rank_of(a), a.name) < std::pair(rank_of(b), b.name);
            });
  return listing;
}

void FolderBrowser::prepare(PartContext& context) {
  if (started_ || context.workbench.overlay != Overlay::open_dialog) return;
  const Document* document = context.workbench.main_document();
  const std::string folder =
      document == nullptr ? std::string() : fs::path(document->file).parent_path().string();
  go(folder, context);
}

bool FolderBrowser::handle(const Command& command, PartContext& context) {
  if (command.id != command_id::kBrowse) return false;
  if (const auto* folder = command.get<std::string>()) go(*folder, context);
  return true;
}

void FolderBrowser::go(const std::string& folder, PartContext& context) {
  started_ = true;
  context.background.start<FolderListing>(
      "folder", "Listing a folder", [folder](JobControl&) { return list_folder(folder); },
      [this](FolderListing listing) {
        listing_ = std::move(listing);
        ++generation_;
      });
}

}  // namespace quintet::viewer
