// A source that has a header of its name includes it first: compiling the source shows that the header
// needs nothing before it, so that cmake/QuintetTargets.cmake need not compile such a header alone.

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace quintet {
namespace {

bool in_a_room(std::string_view path) {
  for (const std::string_view room : {"runtime/", "profiler/", "viewer/", "scenarios/"}) {
    if (path.starts_with(room)) return true;
  }
  return false;
}

/// What a text includes first, without its quotes; empty = nothing.
std::string_view first_include(std::string_view text) {
  constexpr std::string_view kInclude = "#include ";
  for (const std::string_view line : lines_of(text)) {
    if (!line.starts_with(kInclude)) continue;
    const std::string_view named = line.substr(kInclude.size());
    return named.size() < 2 ? named : named.substr(1, named.find_first_of("\">", 1) - 1);
  }
  return {};
}

/// The sources among `files` that have a header of their name and include something else first.
std::vector<std::string> late_headers(const std::vector<SourceFile>& files) {
  std::set<std::string> paths;
  for (const SourceFile& file : files)
    paths.insert(file.path);
  std::vector<std::string> late;
  for (const SourceFile& file : files) {
    if (!in_a_room(file.path) || !file.path.ends_with(".cpp")) continue;
    const std::string header = file.path.substr(0, file.path.size() - 3) + "h";
    if (paths.contains(header) && first_include(file.text) != header) late.push_back(file.path);
  }
  return late;
}

TEST(OwnHeader, IsWhatEverySourceIncludesFirst) {
  const std::vector<SourceFile> files = source_tree();
  ASSERT_GT(files.size(), 100U);
  EXPECT_EQ(late_headers(files), std::vector<std::string>{});
}

TEST(OwnHeader, ThatComesSecondIsReported) {
  const std::vector<SourceFile> files = {
      {"runtime/model/a.h", ""},
      {"runtime/model/a.cpp", "// a\n#include <vector>\n#include \"runtime/model/a.h\"\n"},
      {"runtime/model/b.h", ""},
      {"runtime/model/b.cpp", "#include \"runtime/model/b.h\"\n#include <vector>\n"},
      {"runtime/model/c.cpp", "#include <vector>\n"}};
  EXPECT_EQ(late_headers(files), std::vector<std::string>{"runtime/model/a.cpp"});
}

}  // namespace
}  // namespace quintet
