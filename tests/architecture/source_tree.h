/// The files of this repository as the architecture tests see them: text and paths from the root,
/// build outputs left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quintet {

struct SourceFile {
  std::string path;  ///< from the repository root, with '/'
  std::string text;
};

/// Every file but those under .git and the folders that .gitignore names, sorted by path. Read
/// from the file system, since a source archive has no index to ask.
std::vector<SourceFile> source_tree();

/// The lines of a text, without their ends.
std::vector<std::string_view> lines_of(std::string_view text);

/// True where `text` matches the glob; '*' stands for anything but '/'.
bool matches_glob(std::string_view text, std::string_view glob);

}  // namespace quintet
