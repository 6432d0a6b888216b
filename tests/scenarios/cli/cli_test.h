/// What the tests of the command share: a folder of its own, files to start from, and what every
/// refusal has in common.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/profiler/trace/sample_trace.h"
#include "tests/scenarios/cli/command_process.h"

namespace quintet {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// The text with the line that sets `key` replaced by `line`; the last such line, as tables come
/// last.
std::string with_line(const std::string& text, const std::string& key, const std::string& line);
/// The number of the (last) line that begins with `begin`, from 1.
int line_of(const std::string& text, const std::string& begin);
/// What the tree's scenarios/<name>.toml holds.
std::string scenario_text(const std::string& name);
/// What the tree's scenarios/policies/<name>.toml holds.
std::string policy_text(const std::string& name);
std::string read_text(const std::string& path);

class CliTest : public testing::Test {
 protected:
  /// In the test's folder.
  [[nodiscard]] CommandSetup setup(const Words& arguments) const;
  [[nodiscard]] CommandResult run(const Words& arguments) const;
  /// Runs, expects exit status 0 and an empty standard error, returns standard output.
  std::string run_fine(const Words& arguments) const;
  /// run_fine, its output parsed.
  Json run_json(const Words& arguments) const;
  /// Expects exit status 2, one line on standard error that holds every word, nothing on standard
  /// output, and a folder that is as before. Returns the line.
  std::string expect_refusal(const Words& arguments, const Words& words) const;
  std::string expect_refusal(const CommandSetup& setup, const Words& words) const;
  /// The same with another exit status: 3 = the machine failed.
  std::string expect_failure(const CommandSetup& setup, int status, const Words& words) const;
  /// Writes a file of that name into the folder; returns the name.
  std::string write(const std::string& name, const std::string& text) const;
  /// Waits until `name` exists; false if the command ended before.
  [[nodiscard]] bool wait_for_file(const std::string& name, const CommandProcess& process) const;

  TemporaryFolder folder_;
};

}  // namespace quintet
