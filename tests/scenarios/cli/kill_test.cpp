#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "profiler/trace/trace_reader.h"
#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

constexpr int kKills = 20;

class Kill : public CliTest {
 protected:
  Kill() {
    std::string text = with_line(scenario_text("generated-lenet"), "epochs", "epochs = 20000");
    write("long.toml", with_line(text, "batch", "batch = 3"));
  }

  /// Waits until the recording holds a step; however slow the machine is.
  void wait_for_step(const std::string& recording, const CommandProcess& process) const {
    ASSERT_TRUE(wait_for_file(recording, process));
    while (process.running()) {
      const Result<RecordingHead> head = read_head(folder_.file(recording));
      if (head && head->steps > 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL() << "the run ended by itself";
  }

  /// Starts a run and kills it: `delay` after its start, or after its recording holds a step.
  void kill_run(const std::string& recording, bool after_step,
                std::chrono::microseconds delay) const {
    CommandProcess process(setup({"run", "long.toml", "--out", recording}));
    if (after_step) wait_for_step(recording, process);
    std::this_thread::sleep_for(delay);
    process.send(SIGKILL);
    EXPECT_EQ(process.wait().status, 128 + SIGKILL);
  }

  /// Opens what a killed run left; returns how many steps it holds.
  std::size_t expect_incomplete_but_whole(const std::string& recording) const {
    const Result<Trace> trace = read_trace(folder_.file(recording));
    if (!trace) {
      ADD_FAILURE() << to_string(trace.error());
      return 0;
    }
    EXPECT_EQ(trace->state, RecordingState::abandoned);
    std::map<std::int64_t, std::size_t> spans;
    for (const std::int32_t step : trace->spans.step)
      ++spans[step];
    std::map<std::string, std::size_t> usual;  // spans of a step of that shape and slot
    for (std::size_t i = 0; i < trace->steps.size(); ++i) {
      const TraceStep& step = trace->steps[i];
      EXPECT_EQ(step.step, static_cast<std::int64_t>(i));
      EXPECT_TRUE(step.loss.has_value());
      const std::size_t count = spans[step.step];
      EXPECT_GT(count, 0U);
      EXPECT_EQ(usual.emplace(step.shape + step.slot, count).first->second, count) << i;
    }
    return trace->steps.size();
  }

  void expect_report(const std::string& recording, std::size_t steps) const {
    const Json report = run_json({"report", recording, "--json"});
    EXPECT_EQ(report.at("state"), "abandoned");
    EXPECT_EQ(report.at("losses").size(), steps);
    const Json& findings = report.at("findings");
    EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const Json& finding) {
      return finding.at("name") == "incomplete_recording";
    })) << findings;
    EXPECT_NE(run_fine({"report", recording}).find("this recording is incomplete"),
              std::string::npos);
  }
};

TEST_F(Kill, LeavesARecordingThatOpensAndSaysThatItIsIncomplete) {
  std::mt19937 random(20'260'101);
  std::uniform_int_distribution<int> moment(0, 600'000);
  int with_steps = 0;
  for (int kill = 0; kill < kKills; ++kill) {
    SCOPED_TRACE(kill);
    const std::string recording = fmt::format("{}.qtrace", kill);
    kill_run(recording, kill % 2 == 1, std::chrono::microseconds(moment(random)));
    if (!std::filesystem::exists(folder_.file(recording))) continue;
    const std::size_t steps = expect_incomplete_but_whole(recording);
    expect_report(recording, steps);
    if (steps > 0) ++with_steps;
  }
  EXPECT_GE(with_steps, kKills / 2);
}

TEST_F(Kill, TheNextRunReplacesWhatItLeft) {
  kill_run("a.qtrace", true, std::chrono::milliseconds(300));
  run_fine({"run", "generated-mlp", "--steps", "2", "--out", "a.qtrace"});
  const Json report = run_json({"report", "a.qtrace", "--json"});
  EXPECT_EQ(report.at("state"), "complete");
  EXPECT_EQ(report.at("losses").size(), 2U);
  EXPECT_EQ(folder_.listing(), "a.qtrace long.toml");
}

}  // namespace
}  // namespace quintet
