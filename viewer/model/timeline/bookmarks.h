/// Places in a recording that someone marked, with notes, kept in a file beside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet::viewer {

struct Bookmark {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;  ///< equal to begin_ns for a moment
  std::string note;
  std::string task;  ///< the name of what was selected; empty where nothing was
  friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// The file of a recording's bookmarks: its path with ".notes.json".
std::string notes_path(const std::string& recording);

/// Bookmarks by time, and what was wrong with their file.
struct BookmarkFile {
  std::vector<Bookmark> bookmarks;
  std::vector<Finding> findings;  ///< "damaged_notes": the file could not be read, at least in part
};

/// No file: no bookmarks. A file that is damaged is never written over: what can be read of it is
/// read, and save_bookmarks keeps it under another name.
BookmarkFile load_bookmarks(const std::string& recording);

/// Replaces the file in one rename. A file there that cannot be read in whole is first renamed to
/// X.notes.json.damaged, or .damaged-2 and so on. Errors: the folder or the disk.
Result<void> save_bookmarks(const std::string& recording, const std::vector<Bookmark>& bookmarks);

/// Adds a bookmark in order of time.
void insert_bookmark(std::vector<Bookmark>& bookmarks, Bookmark bookmark);

}  // namespace quintet::viewer
