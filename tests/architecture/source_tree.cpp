#include "tests/architecture/source_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace quintet {

namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Folders of the root that hold no source: .git, and what .gitignore lists as "/name/".
std::set<std::string> foreign_folders(const std::filesystem::path& root) {
  std::set<std::string> folders{".git"};
  const std::string ignored = read_text(root / ".gitignore");
  for (const std::string_view line : lines_of(ignored)) {
    if (line.size() > 2 && line.front() == '/' && line.back() == '/') {
      folders.emplace(line.substr(1, line.size() - 2));
    }
  }
  return folders;
}

}  // namespace

std::vector<SourceFile> source_tree() {
  const std::filesystem::path root = QUINTET_SOURCE_DIR;
  const std::set<std::string> foreign = foreign_folders(root);
  std::vector<SourceFile> files;
  for (std::filesystem::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
    if (entry->is_directory() && entry.depth() == 0 &&
        foreign.contains(entry->path().filename().string())) {
      entry.disable_recursion_pending();
    }
    if (!entry->is_regular_file() || entry->path().filename() == ".git") continue;
    files.push_back(
        {entry->path().lexically_relative(root).generic_string(), read_text(entry->path())});
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool matches_glob(std::string_view text, std::string_view glob) {
  if (glob.empty()) return text.empty();
  if (glob.front() != '*') {
    return !text.empty() && text.front() == glob.front() &&
           matches_glob(text.substr(1), glob.substr(1));
  }
  for (std::size_t taken = 0;; ++taken) {
    if (matches_glob(text.substr(taken), glob.substr(1))) return true;
    if (taken == text.size() || text[taken] == '/') return false;
  }
}

}  // namespace quintet
