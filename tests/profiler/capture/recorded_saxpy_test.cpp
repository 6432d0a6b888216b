// The example program on a GPU, in a process of its own: every activity belongs to its task and step,
// whether it came out of a graph or not.
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "profiler/trace/trace_reader.h"
#include "tests/profiler/trace/sample_trace.h"
#include "tests/support/gpu_fixture.h"

namespace quintet {
namespace {

constexpr std::int32_t kSteps = 20;

class RecordedSaxpy : public GpuTest {
 protected:
  Trace run(const std::string& mode) {
    const std::string path = folder_.file(mode + ".qtrace");
    // The program lies one folder above its test.
    const auto test = std::filesystem::read_symlink("/proc/self/exe");
    const auto program = test.parent_path().parent_path() / "recorded_saxpy";
    const std::string command = program.string() + " " + path + " " + mode;
    EXPECT_EQ(std::system(command.c_str()), 0);
    Result<Trace> trace = read_trace(path);
    EXPECT_TRUE(trace) << to_string(trace.error());
    return trace ? std::move(*trace) : Trace{};
  }
  /// How often each task ran on the device in each step.
  static std::map<std::pair<std::int32_t, std::string>, int> device_runs(const Trace& trace) {
    std::map<std::pair<std::int32_t, std::string>, int> runs;
    for (std::size_t i = 0; i < trace.spans.size(); ++i) {
      if (trace.spans.activity[i] != kWholeTask)
        ++runs[{trace.spans.step[i], trace.tasks[trace.spans.task[i]].name}];
    }
    return runs;
  }
  static void expect_no_errors(const Trace& trace) {
    for (const Finding& finding : trace.findings)
      EXPECT_LE(finding.severity, Severity::notice) << finding.name << ": " << finding.message;
  }

  TemporaryFolder folder_;
};

TEST_F(RecordedSaxpy, GivesEveryActivityToItsTaskAndStep) {
  const Trace trace = run("node");
  expect_no_errors(trace);
  ASSERT_EQ(trace.steps.size(), static_cast<std::size_t>(kSteps));
  std::map<std::pair<std::int32_t, std::string>, int> expected;
  for (std::int32_t step = 0; step < kSteps; ++step) {
    for (const char* task : {"upload", "adjust", "scale", "fill", "saxpy", "download"})
      expected[{step, task}] = 1;
  }
  EXPECT_EQ(device_runs(trace), expected);
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    const TraceTask& task = trace.tasks[trace.spans.task[i]];
    EXPECT_EQ(trace.spans.lane[i], task.policy_lane->value()) << task.name;
    if (trace.spans.activity[i] == kWholeTask) continue;
    const bool eager = task.name == "upload" || task.name == "adjust";
    EXPECT_EQ(trace.activities[trace.spans.activity[i]].graph_node.has_value(), !eager)
        << task.name;
    const TraceStep& step = trace.steps[static_cast<std::size_t>(trace.spans.step[i])];
    EXPECT_GE(trace.spans.begin_ns[i], step.begin_ns) << task.name;
    EXPECT_LE(trace.spans.end_ns[i], step.end_ns) << task.name;
  }
  for (const TraceLaunch& launch : trace.launches)
    EXPECT_NE(launch.correlation, 0U);
}

TEST_F(RecordedSaxpy, SampledHasWholeStepsInItsWindow) {
  const Trace trace = run("sampled");
  expect_no_errors(trace);
  const auto runs = device_runs(trace);
  int whole = 0;
  for (const TraceStep& step : trace.steps) {
    const auto number = static_cast<std::int32_t>(step.step);
    // A disturbed step is traced where its window begins and not where it ends.
    if (step.recording == StepRecording::disturbed) continue;
    for (const char* task : {"upload", "adjust", "scale", "fill", "saxpy", "download"}) {
      EXPECT_EQ(runs.contains({number, task}), step.recording == StepRecording::all)
          << task << " in step " << number;
    }
    whole += step.recording == StepRecording::all ? 1 : 0;
  }
  EXPECT_EQ(whole, 7);
}

TEST_F(RecordedSaxpy, GraphHasOneSpanALaunch) {
  const Trace trace = run("graph");
  expect_no_errors(trace);
  std::map<std::pair<std::int32_t, std::string>, int> expected;
  for (std::int32_t step = 0; step < kSteps; ++step)
    expected[{step, "launch/saxpy"}] = 1;
  EXPECT_EQ(device_runs(trace), expected);
}

TEST_F(RecordedSaxpy, OffHasTheHostOnly) {
  const Trace trace = run("off");
  EXPECT_TRUE(trace.findings.empty());
  EXPECT_TRUE(trace.activities.empty());
  EXPECT_EQ(trace.spans.size(), static_cast<std::size_t>(kSteps));
}

}  // namespace
}  // namespace quintet
