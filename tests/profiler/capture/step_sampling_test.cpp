#include "profiler/capture/step_sampling.h"

#include <gtest/gtest.h>
#include <string>

namespace quintet {
namespace {

using Action = StepSampling::Action;

/// 'S' where tracing starts before the step, 'P' where it stops, '.' where nothing changes.
std::string actions(StepSampling& sampling, std::int64_t steps, std::int64_t step_ns) {
  std::string text;
  for (std::int64_t step = 0; step < steps; ++step) {
    const Action action = sampling.step(step, step * step_ns);
    text += action == Action::none ? '.' : action == Action::start ? 'S' : 'P';
  }
  return text;
}

/// 'a' for all, 'n' for none, 'd' for disturbed.
std::string recordings(const StepSampling& sampling, std::int64_t steps) {
  std::string text;
  for (std::int64_t step = 0; step < steps; ++step)
    text += name_of(sampling.recording_of(step)).front();
  return text;
}

TEST(StepSampling, TracesWindowsAndCallsTheStepsAtTheirBordersDisturbed) {
  StepSampling sampling(DeviceRecording::sampled, {2, 3, 5, 0});
  EXPECT_EQ(actions(sampling, 14, 10), "..S..P....S..P");
  EXPECT_EQ(recordings(sampling, 14), "nndaadnnnndaad");
  EXPECT_EQ(sampling.windows(), 2);
}

TEST(StepSampling, WaitsForTheLaterOfStepsAndTime) {
  StepSampling sampling(DeviceRecording::sampled, {0, 2, 2, 60});
  EXPECT_EQ(actions(sampling, 12, 10), "S.P.....S.P.");
}

TEST(StepSampling, OfEveryStepOrNoneSwitchesNothing) {
  StepSampling all(DeviceRecording::node);
  EXPECT_EQ(actions(all, 4, 1), "....");
  EXPECT_EQ(recordings(all, 4), "aaaa");
  StepSampling graph(DeviceRecording::graph);
  EXPECT_EQ(actions(graph, 4, 1), "....");
  EXPECT_EQ(recordings(graph, 4), "nnnn");
  EXPECT_EQ(graph.recording_of(99), StepRecording::none);
}

}  // namespace
}  // namespace quintet
