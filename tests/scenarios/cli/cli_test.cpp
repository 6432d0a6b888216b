#include "tests/scenarios/cli/cli_test.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace quintet {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// Index of the last line that begins so.
std::size_t last_line(const std::vector<std::string>& lines, const std::string& begin) {
  const auto found = std::find_if(lines.rbegin(), lines.rend(), [&](const std::string& line) {
    return line.rfind(begin, 0) == 0;
  });
  if (found == lines.rend()) throw std::runtime_error("no line begins with " + begin);
  return static_cast<std::size_t>(lines.rend() - found) - 1;
}

/// Every file below `folder` with its size.
std::string contents_of(const std::string& folder) {
  std::vector<std::string> entries;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    std::ostringstream text;
    text << entry.path().string();
    if (entry.is_regular_file()) text << ' ' << entry.file_size();
    entries.push_back(text.str());
  }
  std::sort(entries.begin(), entries.end());
  std::string all;
  for (const std::string& entry : entries)
    all += entry + "\n";
  return all;
}

}  // namespace

std::string with_line(const std::string& text, const std::string& key, const std::string& line) {
  std::vector<std::string> lines = lines_of(text);
  lines[last_line(lines, key + " = ")] = line;
  std::string changed;
  for (const std::string& each : lines)
    changed += each + "\n";
  return changed;
}

int line_of(const std::string& text, const std::string& begin) {
  return static_cast<int>(last_line(lines_of(text), begin)) + 1;
}

std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string scenario_text(const std::string& name) {
  return read_text(std::string(QUINTET_SOURCE_DIR) + "/scenarios/" + name + ".toml");
}

std::string policy_text(const std::string& name) {
  return read_text(std::string(QUINTET_SOURCE_DIR) + "/scenarios/policies/" + name + ".toml");
}

CommandSetup CliTest::setup(const Words& arguments) const {
  CommandSetup setup;
  setup.arguments = arguments;
  setup.folder = folder_.path();
  return setup;
}

CommandResult CliTest::run(const Words& arguments) const {
  return CommandProcess(setup(arguments)).wait();
}

std::string CliTest::run_fine(const Words& arguments) const {
  const CommandResult result = run(arguments);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  return result.out;
}

Json CliTest::run_json(const Words& arguments) const {
  return Json::parse(run_fine(arguments));
}

std::string CliTest::expect_refusal(const Words& arguments, const Words& words) const {
  return expect_refusal(setup(arguments), words);
}

std::string CliTest::expect_refusal(const CommandSetup& setup, const Words& words) const {
  return expect_failure(setup, 2, words);
}

std::string CliTest::expect_failure(const CommandSetup& setup, int status,
                                    const Words& words) const {
  const std::string before = contents_of(folder_.path());
  const CommandResult result = CommandProcess(setup).wait();
  EXPECT_EQ(result.status, status) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.rfind("quintet: ", 0), 0U) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(result.err.empty() ? ' ' : result.err.back(), '\n');
  for (const std::string& word : words)
    EXPECT_NE(result.err.find(word), std::string::npos) << word << " is not in " << result.err;
  EXPECT_EQ(contents_of(folder_.path()), before) << result.err;
  return result.err;
}

std::string CliTest::write(const std::string& name, const std::string& text) const {
  std::ofstream stream(folder_.file(name), std::ios::binary);
  stream << text;
  return name;
}

bool CliTest::wait_for_file(const std::string& name, const CommandProcess& process) const {
  while (!fs::exists(folder_.file(name))) {
    if (!process.running()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace quintet
