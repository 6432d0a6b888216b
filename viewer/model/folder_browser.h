/// The list of a folder for the open dialog.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/model/part.h"

namespace quintet::viewer {

struct FolderEntry {
  std::string name;
  bool folder = false;
  bool recording = false;  ///< .qtrace or .qtrace.gz
  std::uint64_t bytes = 0;
};

struct FolderListing {
  std::string folder;                ///< absolute
  std::string parent;                ///< empty at the root
  std::vector<FolderEntry> entries;  ///< folders, then recordings, then what else may be a trace
  std::size_t hidden = 0;            ///< files whose names begin with a dot
  std::string error;                 ///< why it could not be read; empty = it could
};

/// Any thread.
FolderListing list_folder(const std::string& folder);

/// Takes kBrowse; lists the current folder when the open dialog shows first.
class FolderBrowser : public Part {
 public:
  [[nodiscard]] std::string_view id() const override { return "folder"; }
  void prepare(PartContext& context) override;
  bool handle(const Command& command, PartContext& context) override;

  [[nodiscard]] const FolderListing& listing() const { return listing_; }
  /// Grows with each listing, so that a view can start at its top.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

 private:
  void go(const std::string& folder, PartContext& context);

  FolderListing listing_;
  std::uint64_t generation_ = 0;
  bool started_ = false;
};

}  // namespace quintet::viewer
