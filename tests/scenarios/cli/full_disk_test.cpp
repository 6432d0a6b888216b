#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>

#include "tests/scenarios/cli/cli_test.h"
#include "tests/scenarios/cli/example_recording.h"

namespace quintet {
namespace {

/// The limit of a file's size stands in for the disk's.
class FullDisk : public CliTest {
 protected:
  FullDisk() {
    write("s.toml", with_line(scenario_text("generated-mlp"), "epochs", "epochs = 40"));
  }

  /// Room for the plan and a few batches of steps, not for all.
  [[nodiscard]] std::uint64_t room_for_a_part() const {
    run_fine({"run", "s.toml", "--steps", "1", "--out", "short.qtrace"});
    const std::uint64_t plan = std::filesystem::file_size(folder_.file("short.qtrace"));
    std::filesystem::remove(folder_.file("short.qtrace"));
    return plan + 60'000;
  }

  [[nodiscard]] CommandResult run_in(std::uint64_t limit, Words words) const {
    words.insert(words.begin(), {"run", "s.toml", "--out", "a.qtrace"});
    CommandSetup command = setup(words);
    command.file_size_limit = limit;
    return CommandProcess(command).wait();
  }
};

const Json* finding(const Json& report, const std::string& name) {
  const Json& findings = report.at("findings");
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [&](const Json& each) { return each.at("name") == name; });
  return found == findings.end() ? nullptr : &*found;
}

TEST_F(FullDisk, BeforeTheFirstStepLeavesNoFile) {
  for (const std::uint64_t limit : {0, 5'000, 20'000, 60'000}) {
    CommandSetup command = setup({"run", "s.toml", "--out", "a.qtrace", "--json"});
    command.file_size_limit = limit;
    expect_failure(command, 3, {"a.qtrace: no space left", "; free some space"});
  }
}

TEST_F(FullDisk, InTheRunKeepsTheResultsAndSaysThatTheRecordingStopped) {
  const std::uint64_t limit = room_for_a_part();
  const CommandResult result = run_in(limit, {"--json"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err,
              testing::MatchesRegex(
                  "quintet: a.qtrace: no space left[^\n]*recording stopped early[^\n]*\n"));
  const Json part = Json::parse(result.out);
  EXPECT_NE(finding(part, "recording_stopped"), nullptr) << part.at("findings");

  const Json whole = run_json({"run", "s.toml", "--out", "whole.qtrace", "--json"});
  EXPECT_EQ(part.at("losses"), whole.at("losses"));
  EXPECT_EQ(part.at("weights_hash"), whole.at("weights_hash"));
  EXPECT_EQ(part.at("test_accuracy"), whole.at("test_accuracy"));
}

TEST_F(FullDisk, InTheRunLeavesARecordingThatOpensAndSaysWhy) {
  const CommandResult result = run_in(room_for_a_part(), {});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.out, testing::HasSubstr("(recording_stopped)"));
  const Json report = run_json({"report", "a.qtrace", "--json"});
  EXPECT_EQ(report.at("state"), "abandoned");
  EXPECT_GT(report.at("losses").size(), 0U);
  EXPECT_LT(report.at("losses").size(), 360U);
  EXPECT_NE(finding(report, "recording_stopped"), nullptr) << report.at("findings");
}

/// What each command writes: its words, and the file whose name they want.
std::vector<std::pair<Words, std::string>> writers() {
  return {
      {{"export", "a.qtrace", "--out"}, "o.pftrace"},
      {{"export", "a.qtrace", "--out"}, "o.trace.json"},
      {{"export", "a.qtrace", "--out"}, "o.json"},
      {{"export", "a.qtrace", "--out"}, "o.html"},
      {{"export", "a.qtrace", "--force", "--out"}, "o.csv"},
      {{"export", "a.qtrace", "--force", "--out"}, "o.dot"},
      {{"report", "a.qtrace", "--html"}, "r.html"},
      {{"compare", "a.qtrace", "b.qtrace", "--html"}, "c.html"},
      {{"check", "a.qtrace", "--baseline", "b.qtrace", "--markdown"}, "c.md"},
      {{"check", "a.qtrace", "--baseline", "b.qtrace", "--junit"}, "c.xml"},
      {{"history", "trend", "--db", "h.sqlite", "--html"}, "t.html"},
      {{"advise", "recorded/resnet50-b8-renaissance-event_sync", "--most", "1", "--out"},
       "better.toml"},
      {{"tune", "recorded/mlp-b128-serial-whole_step", "--candidates", "50", "--out"},
       "tuned.toml"},
      {{"export", "a.qtrace", "--out"}, "o.sqlite"},
      {{"trim", "a.qtrace", "--steps", "2", "--out"}, "t.qtrace"},
      {{"trim", "a.qtrace", "--steps", "2", "--out"}, "t.qtrace.gz"},
      {{"whatif", "recorded/mlp-b128-serial-whole_step", "--out"}, "w.qtrace"},
      {{"run", "recorded/mlp-b128-serial-whole_step", "--out"}, "r.qtrace"},
      {{"import", "m.json", "--out"}, "m.qtrace"},
  };
}

TEST_F(FullDisk, ExitsWith3AndLeavesWhatWasThere) {
  ExampleOptions options;
  write_example(folder_.file("a.qtrace"), options);
  options.seed = 7;
  write_example(folder_.file("b.qtrace"), options);
  run_fine({"history", "add", "a.qtrace", "b.qtrace", "--db", "h.sqlite"});
  write("m.json", R"([{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"k","ts":1,"dur":1}])");
  for (auto [words, output] : writers()) {
    SCOPED_TRACE(output);
    words.push_back(output);
    CommandSetup full = setup(words);
    full.file_size_limit = 100;
    expect_failure(full, 3, {output + ": ", "; "});
    EXPECT_FALSE(std::filesystem::exists(folder_.file(output)));
    run_fine(words);
    const std::string before = read_text(folder_.file(output));
    expect_failure(full, 3, {output + ": ", "; "});
    EXPECT_EQ(read_text(folder_.file(output)), before);
  }
}

TEST_F(FullDisk, LeavesTheHistoryAsItWas) {
  write_example(folder_.file("a.qtrace"), {});
  CommandSetup full = setup({"history", "add", "a.qtrace", "--db", "h.sqlite"});
  full.file_size_limit = 10'000;
  const CommandResult result = CommandProcess(full).wait();
  EXPECT_EQ(result.status, 3) << result.err;
  run_fine({"history", "add", "a.qtrace", "--db", "h.sqlite"});
}

TEST_F(FullDisk, OfStandardOutputExitsWith3) {
  write_example(folder_.file("a.qtrace"), {});
  for (const Words& words : {Words{"report", "a.qtrace"}, Words{"report", "a.qtrace", "--csv"},
                             Words{"export", "a.qtrace", "--format", "dot", "--out", "-"}}) {
    CommandSetup full = setup(words);
    full.output = OutputKind::full_device;
    expect_failure(full, 3, {"cannot write standard output"});
  }
}

}  // namespace
}  // namespace quintet
