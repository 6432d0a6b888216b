#include "profiler/analysis/step_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/example_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::ElementsAre;

std::vector<std::int64_t> timed_steps(const Trace& trace) {
  std::vector<std::int64_t> steps;
  for (const StepWindow& window : step_windows(trace)) {
    if (window.timed) steps.push_back(window.step);
  }
  return steps;
}

TEST(StepWindow, ReachesFromTheEndOfTheStepBefore) {
  const Trace trace = tiny_trace();
  const auto windows = step_windows(trace);
  ASSERT_EQ(windows.size(), 5U);
  EXPECT_EQ(windows[2].time, (Interval{2000, 3000}));
  EXPECT_EQ(windows[2].spans.size(), 5U);
}

TEST(StepWindow, LeavesOutWarmUpTailAndEvaluation) {
  EXPECT_THAT(timed_steps(tiny_trace()), ElementsAre(2, 3, 4));
  // Step 11 is the short last batch, 12 and 13 evaluate.
  EXPECT_THAT(timed_steps(example_trace()), ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10));
}

TEST(StepWindow, AHoleInTheRecordingIsNotTimed) {
  Trace trace = tiny_trace();
  trace.steps.erase(trace.steps.begin() + 2);
  EXPECT_THAT(timed_steps(trace), ElementsAre(4));
  EXPECT_EQ(step_windows(trace)[2].time, (Interval{3000, 4000}));
}

TEST(StepWindow, StepsAreTakenInStepOrderWhateverTheirOrderInTheTrace) {
  Trace trace = tiny_trace();
  std::swap(trace.steps[1], trace.steps[4]);
  EXPECT_THAT(timed_steps(trace), ElementsAre(2, 3, 4));
}

TEST(StepWindow, ASpanThatCrossesABorderBelongsToBothWindows) {
  Trace trace = tiny_trace();
  trace.spans.begin_ns[0] = 900;
  trace.spans.end_ns[0] = 1100;
  const auto windows = step_windows(trace);
  EXPECT_EQ(windows[0].spans.size(), 5U);
  EXPECT_EQ(windows[1].spans.size(), 6U);
}

TEST(StepWindow, ASpanWithoutLengthLiesInOneWindow) {
  Trace trace = tiny_trace();
  trace.spans.begin_ns[0] = trace.spans.end_ns[0] = 1000;
  const auto windows = step_windows(trace);
  EXPECT_EQ(windows[0].spans.size(), 4U);
  EXPECT_EQ(windows[1].spans.size(), 6U);
}

TEST(StepWindow, TheMedianStepIsTheMiddleOneByLength) {
  Trace trace = tiny_trace();
  trace.steps[3].end_ns = 3900;  // step 3 lasts 900, step 4 lasts 1100
  const auto windows = step_windows(trace);
  ASSERT_TRUE(median_window(windows));
  EXPECT_EQ(windows[*median_window(windows)].step, 2);
}

TEST(StepWindow, AnEmptyTraceSaysWhyNothingIsTimed) {
  EXPECT_TRUE(step_windows(Trace()).empty());
  EXPECT_FALSE(median_window({}));
  EXPECT_EQ(untimed_reason(Trace()), "no step was recorded");
}

TEST(StepWindow, AStepThatEndsBeforeItsPredecessorGivesAnEmptyWindow) {
  Trace trace = tiny_trace();
  trace.steps[3].end_ns = 2500;
  const auto windows = step_windows(trace);
  EXPECT_TRUE(windows[3].time.empty());
  EXPECT_FALSE(windows[3].timed);
}

}  // namespace
}  // namespace quintet
