#include "tests/profiler/report/golden.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <vector>

namespace quintet {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// Lines that differ at their place, the first few: enough to see what happened.
std::string difference(const std::string& expected, const std::string& actual) {
  const auto before = lines_of(expected);
  const auto after = lines_of(actual);
  std::string text;
  int shown = 0;
  for (std::size_t line = 0; line < std::max(before.size(), after.size()) && shown < 20; ++line) {
    const std::string* old = line < before.size() ? &before[line] : nullptr;
    const std::string* now = line < after.size() ? &after[line] : nullptr;
    if (old != nullptr && now != nullptr && *old == *now) continue;
    text += "line " + std::to_string(line + 1) + "\n";
    if (old != nullptr) text += "  - " + *old + "\n";
    if (now != nullptr) text += "  + " + *now + "\n";
    ++shown;
  }
  return text;
}

}  // namespace

void expect_golden(const std::string& name, const std::string& actual, const std::string& room) {
  const std::filesystem::path path =
      std::filesystem::path(QUINTET_SOURCE_DIR) / "tests/profiler" / room / "golden" / name;
  const char* update = std::getenv("QUINTET_UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  EXPECT_TRUE(content.str() == actual)
      << name << " differs (QUINTET_UPDATE_GOLDEN=1 accepts what is new):\n"
      << difference(content.str(), actual);
}

}  // namespace quintet
