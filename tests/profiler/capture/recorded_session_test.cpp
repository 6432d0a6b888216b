// A real training run, recorded: what the file holds is what the run did.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "profiler/capture/host_recorder.h"
#include "profiler/trace/trace_reader.h"
#include "tests/profiler/trace/sample_trace.h"
#include "tests/support/tiny_session.h"

namespace quintet {
namespace {

class RecordedSession : public testing::TestWithParam<StepMode> {
 protected:
  RecordedSession() {
    const auto session =
        test::prepare_tiny({.network = "lenet5", .train_steps = 15},
                           test::policy_with("renaissance", SyncRule::adjacent_conflicts,
                                             GradientMode::in_place, GetParam()));
    auto writer = TraceWriter::create(folder_.file("run.qtrace"));
    HostRecorder recorder(std::move(*writer), {.keep_trace = true, .flush_steps = 4});
    EXPECT_TRUE(recorder.start(session->plan()));
    result_ = session->run(&recorder, {});
    scheduled_ = session->schedule().size();
    EXPECT_TRUE(recorder.finish());
    EXPECT_TRUE(recorder.findings().empty());
    memory_ = recorder.take_trace();
    Result<Trace> file = read_trace(folder_.file("run.qtrace"));
    EXPECT_TRUE(file) << to_string(file.error());
    if (file) trace_ = std::move(*file);
  }

  TemporaryFolder folder_;
  TrainingResult result_;
  std::size_t scheduled_ = 0;
  Trace memory_;
  Trace trace_;
};

TEST_P(RecordedSession, IsTheSameInFileAndMemory) {
  EXPECT_EQ(describe(trace_), describe(memory_));
}

TEST_P(RecordedSession, HoldsTheLossOfEveryStep) {
  ASSERT_EQ(trace_.steps.size(), scheduled_);
  std::vector<double> losses;
  for (const TraceStep& step : trace_.steps) {
    if (step.phase == "train") losses.push_back(step.loss.value());
  }
  EXPECT_EQ(losses, result_.losses);
}

TEST_P(RecordedSession, HoldsEachTaskOfAFullStepOnceOnItsLane) {
  std::map<std::int32_t, std::multiset<std::uint32_t>> tasks;
  for (std::size_t i = 0; i < trace_.spans.size(); ++i) {
    const TraceTask& task = trace_.tasks[trace_.spans.task[i]];
    tasks[trace_.spans.step[i]].insert(trace_.spans.task[i]);
    ASSERT_TRUE(task.policy_lane) << task.name;
    EXPECT_EQ(trace_.spans.lane[i], task.policy_lane->value()) << task.name;
    EXPECT_LE(trace_.spans.begin_ns[i], trace_.spans.end_ns[i]);
  }
  for (const auto& [step, ran] : tasks) {
    for (const std::uint32_t task : ran)
      EXPECT_EQ(ran.count(task), 1U) << trace_.tasks[task].name << " in step " << step;
  }
  // Steps of one shape and slot run the same tasks.
  EXPECT_EQ(trace_.steps[2].shape, trace_.steps[4].shape);
  EXPECT_EQ(tasks[2], tasks[4]);
  EXPECT_GT(tasks[2].size(), 20U);
}

TEST_P(RecordedSession, NamesTheVariantOfEveryLaunchedGraph) {
  EXPECT_FALSE(trace_.launches.empty());
  for (const TraceLaunch& launch : trace_.launches) {
    EXPECT_FALSE(trace_.graphs[launch.graph].empty);
    EXPECT_LE(launch.begin_ns, launch.end_ns);
  }
  const auto empty = std::count_if(trace_.graphs.begin(), trace_.graphs.end(),
                                   [](const TraceGraph& graph) { return graph.empty; });
  EXPECT_GT(empty, 3);
  EXPECT_FALSE(trace_.commands.empty());
}

INSTANTIATE_TEST_SUITE_P(StepModes, RecordedSession,
                         testing::Values(StepMode::host_sync, StepMode::event_sync,
                                         StepMode::whole_step),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

}  // namespace
}  // namespace quintet
