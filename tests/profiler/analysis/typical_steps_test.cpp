#include "profiler/analysis/typical_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/example_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

/// Training steps of these lengths, one behind the other.
Trace steps_of(const std::vector<std::int64_t>& lengths) {
  Trace trace;
  std::int64_t now = 1000;
  for (std::size_t step = 0; step < lengths.size(); ++step) {
    TraceStep row;
    row.step = static_cast<std::int64_t>(step);
    row.phase = "train";
    row.shape = "train";
    row.batch = 8;
    row.begin_ns = now;
    row.end_ns = now += lengths[step];
    trace.steps.push_back(row);
  }
  return trace;
}

TEST(TypicalSteps, AreThoseWhoseMeanIsNearestToTheMedian) {
  const Trace trace = steps_of({900, 900, 50, 60, 70, 100, 101, 99, 300, 200, 100, 100});
  const Result<StepRange> range = typical_steps(trace, 3);
  ASSERT_TRUE(range) << to_string(range.error());
  EXPECT_EQ(range->first, 3);  // 5, 6, 7 after two that only warm up
  EXPECT_EQ(range->last, 7);
}

TEST(TypicalSteps, AreTheFirstOfEquals) {
  const Result<StepRange> range = typical_steps(steps_of(std::vector<std::int64_t>(20, 100)), 5);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->first, 0);
  EXPECT_EQ(range->last, 6);
}

TEST(TypicalSteps, LeaveOutWhatWasNotRecordedOrDisturbed) {
  Trace trace = steps_of(std::vector<std::int64_t>(20, 100));
  trace.steps[3].recording = StepRecording::none;
  trace.steps[9].recording = StepRecording::disturbed;
  const Result<StepRange> range = typical_steps(trace, 5);
  ASSERT_TRUE(range) << to_string(range.error());
  EXPECT_EQ(range->first, 10);
}

TEST(TypicalSteps, HaveNoHoleAndNoShortBatch) {
  Trace trace = steps_of(std::vector<std::int64_t>(20, 100));
  trace.steps[12].shape = "train_tail";
  trace.steps[12].batch = 3;
  trace.steps.erase(trace.steps.begin() + 4);
  const Result<StepRange> range = typical_steps(trace, 5);
  ASSERT_TRUE(range) << to_string(range.error());
  EXPECT_EQ(range->first, 5);
  EXPECT_EQ(range->last, 11);
}

TEST(TypicalSteps, ThatAreTooManySayHowManyThereAre) {
  const Result<StepRange> range = typical_steps(steps_of({9, 9, 9, 9, 9, 9}), 5);
  ASSERT_FALSE(range);
  EXPECT_EQ(range.error().message, "holds at most 4 timed steps in a row");
}

TEST(TypicalSteps, OfAShortOrUnrecordedRunSayWhyThereAreNone) {
  EXPECT_THAT(typical_steps(steps_of({9, 9}), 1).error().message,
              testing::StartsWith("holds no timed step: "));
  EXPECT_FALSE(typical_steps(Trace(), 1));
  Trace trace = steps_of(std::vector<std::int64_t>(6, 100));
  for (TraceStep& step : trace.steps)
    step.recording = StepRecording::none;
  EXPECT_FALSE(typical_steps(trace, 1));
}

}  // namespace
}  // namespace quintet
