// Every path that a document cites in backticks or links to, and every ./dev command, exists.

#include <algorithm>
#include <array>
#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace quintet {
namespace {

/// Files and folders of the tree, folders without a closing slash.
std::set<std::string> paths_of(const std::vector<SourceFile>& tree) {
  std::set<std::string> paths;
  for (const SourceFile& file : tree) {
    for (std::string path = file.path; !path.empty();) {
      paths.insert(path);
      const std::size_t slash = path.rfind('/');
      path.resize(slash == std::string::npos ? 0 : slash);
    }
  }
  return paths;
}

std::vector<std::string> spans_of(std::string_view text, const std::regex& pattern) {
  std::vector<std::string> spans;
  for (std::cregex_iterator match(text.data(), text.data() + text.size(), pattern), end;
       match != end; ++match) {
    spans.push_back((*match)[1].str());
  }
  return spans;
}

/// "a.{h,cpp}" gives "a.h" and "a.cpp"; "<op>" becomes "*".
std::vector<std::string> globs_of(std::string cited) {
  cited = std::regex_replace(cited, std::regex("<[^>]*>"), "*");
  const std::size_t open = cited.find('{');
  const std::size_t close = cited.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {cited};
  std::vector<std::string> globs;
  std::string_view choices = std::string_view(cited).substr(open + 1, close - open - 1);
  while (true) {
    const std::size_t comma = std::min(choices.find(','), choices.size());
    const std::string expanded =
        cited.substr(0, open) + std::string(choices.substr(0, comma)) + cited.substr(close + 1);
    for (std::string& glob : globs_of(expanded))
      globs.push_back(std::move(glob));
    if (comma == choices.size()) return globs;
    choices.remove_prefix(comma + 1);
  }
}

bool ends_as_a_file(std::string_view cited) {
  constexpr auto kEndings =
      std::to_array<std::string_view>({".h", ".cpp", ".cu", ".cuh", ".toml", ".md", ".py", ".cmake",
                                       ".txt", ".sql", ".h}", ".cpp}"});
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return cited.ends_with(ending); });
}

class PathBook {
 public:
  explicit PathBook(const std::vector<SourceFile>& tree) : paths_(paths_of(tree)) {}

  /// True where the span is meant as a path of the repository: it begins with a folder that stands
  /// at the root or beside the document, or it ends as a source file does.
  [[nodiscard]] bool looks_like_a_path(const std::string& span, const std::string& folder) const {
    if (span.find_first_of(" \t()=:;\"'|$@") != std::string::npos) return false;
    if (span.starts_with('/') || span.starts_with('-') || span.starts_with("~")) return false;
    if (span.starts_with("build/") || span.starts_with("out/")) return false;  // made, not kept
    const std::size_t slash = span.find('/');
    if (slash == std::string::npos) return ends_as_a_file(span);
    const std::string first = span.substr(0, slash);
    return ends_as_a_file(span) || paths_.contains(first) || paths_.contains(folder + first);
  }

  /// True where each alternative of the span matches a path from the root or from the document's
  /// folder; a bare file name may lie in any folder.
  [[nodiscard]] bool exists(const std::string& span, const std::string& folder) const {
    const std::vector<std::string> globs = globs_of(span);
    return std::all_of(globs.begin(), globs.end(), [&](std::string glob) {
      while (glob.ends_with('/'))
        glob.pop_back();
      const bool bare = glob.find('/') == std::string::npos;
      return std::any_of(paths_.begin(), paths_.end(), [&](const std::string& path) {
        return matches_glob(path, glob) || matches_glob(path, folder + glob) ||
               (bare && matches_glob(path.substr(path.rfind('/') + 1), glob));
      });
    });
  }

 private:
  std::set<std::string> paths_;
};

bool is_document(std::string_view path) {
  return path.ends_with(".md");
}

/// What a document cites and the tree does not have.
std::vector<std::string> missing_paths(const SourceFile& document, const PathBook& book) {
  const std::string folder = document.path.substr(0, document.path.rfind('/') + 1);
  std::vector<std::string> missing;
  for (const std::string& span : spans_of(document.text, std::regex("`([^`\n]+)`"))) {
    const std::string path = span.starts_with("./") ? span.substr(2) : span;
    if (book.looks_like_a_path(path, folder) && !book.exists(path, folder)) {
      missing.push_back(document.path + " cites " + span);
    }
  }
  for (const std::string& target : spans_of(document.text, std::regex("\\]\\(([^)#]+)"))) {
    if (!target.starts_with("http") && !book.exists(folder + target, "")) {
      missing.push_back(document.path + " links to " + target);
    }
  }
  return missing;
}

/// The commands that ./dev lists of itself.
std::set<std::string> dev_commands() {
  const std::string command = "'" + std::string(QUINTET_SOURCE_DIR) + "/dev'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::set<std::string> commands;
  if (!pipe) return commands;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe.get()) != nullptr) {
    std::cmatch match;
    if (std::regex_search(line.data(), match, std::regex("^  ([a-z][a-z-]*) "))) {
      commands.insert(match[1].str());
    }
  }
  return commands;
}

TEST(Documents, CiteOnlyPathsThatExist) {
  const std::vector<SourceFile> tree = source_tree();
  const PathBook book(tree);
  int documents = 0;
  for (const SourceFile& file : tree) {
    if (!is_document(file.path)) continue;
    ++documents;
    for (const std::string& missing : missing_paths(file, book))
      ADD_FAILURE() << missing;
  }
  EXPECT_GT(documents, 0);
}

TEST(Documents, CiteOnlyCommandsThatDevLists) {
  const std::set<std::string> commands = dev_commands();
  ASSERT_TRUE(commands.contains("test"));
  for (const SourceFile& file : source_tree()) {
    if (!is_document(file.path)) continue;
    for (const std::string& cited : spans_of(file.text, std::regex("\\./dev ([a-z][a-z-]*)"))) {
      EXPECT_TRUE(commands.contains(cited)) << file.path << " cites ./dev " << cited;
    }
  }
}

TEST(Documents, AMissingPathIsReported) {
  const std::vector<SourceFile> tree = {{"runtime/model/task.h", ""},
                                        {"runtime/ops/relu.cpp", ""},
                                        {"runtime/ops/relu.h", ""},
                                        {"dev", ""}};
  const PathBook book(tree);
  const auto missing = [&](const std::string& text) {
    return missing_paths({"runtime/README.md", text}, book);
  };
  EXPECT_TRUE(
      missing("`runtime/model/task.h`, `model/task.h`, `task.h`, `runtime/model/`").empty());
  EXPECT_TRUE(missing("`runtime/ops/<op>.{h,cpp}`, `ops/*.cpp`, `conv1/dW`, `./dev`").empty());
  EXPECT_EQ(missing("`runtime/model/gone.h`").size(), 1U);
  EXPECT_EQ(missing("`model/gone`").size(), 1U);
  EXPECT_EQ(missing("`gone.cpp`").size(), 1U);
  EXPECT_EQ(missing("`moved/away.h`").size(), 1U);
  EXPECT_EQ(missing("`runtime/ops/<op>.{h,cu}`").size(), 1U);
  EXPECT_TRUE(missing("[task](model/task.h) and [home](https://example.org/)").empty());
  EXPECT_EQ(missing("[task](runtime/model/task.h)").size(), 1U);
}

}  // namespace
}  // namespace quintet
