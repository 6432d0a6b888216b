#include "profiler/report/step_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/export_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;

TEST(StepRange, IsReadAsOneStepOrTwoEnds) {
  const auto both = parse_step_range("3..17");
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->first, 3);
  EXPECT_EQ(both->last, 17);
  const auto one = parse_step_range("5");
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->first, 5);
  EXPECT_EQ(one->last, 5);
}

TEST(StepRange, AnythingElseIsAnErrorWithACure) {
  for (const char* text : {"", "..", "3..", "..3", "a..b", "-1..2", "1...2", "1..2..3", " 1", "1.5",
                           "99999999999999999999"}) {
    const auto range = parse_step_range(text);
    ASSERT_FALSE(range.has_value()) << text;
    EXPECT_THAT(range.error().cure, HasSubstr("3..7")) << text;
  }
  EXPECT_EQ(parse_step_range("7..3").error().cure, "write 3..7");
}

TEST(StepRange, KeepsTheStepsAndWhatServesThem) {
  Trace trace = tiny_trace();
  ASSERT_TRUE(keep_steps(trace, {1, 2}).has_value());
  EXPECT_EQ(trace.steps.size(), 2U);
  EXPECT_EQ(trace.spans.size(), 10U);  // five spans serve each of them, prefetches included
  for (const std::int32_t step : trace.spans.step)
    EXPECT_TRUE(step == 1 || step == 2);
  EXPECT_EQ(trace.spans.begin_ns.front(), 100);  // the prefetch for step 1 ran in step 0
  EXPECT_EQ(trace.launches.size(), 6U);
  EXPECT_EQ(trace.host_waits.size(), 4U);
  EXPECT_EQ(trace.tasks.size(), 5U);
  EXPECT_EQ(trace.provenance.at("exported_steps"), "1..2");
}

TEST(StepRange, WhatServesNoStepStaysWhereItOverlapsThem) {
  Trace trace = export_trace();
  for (std::size_t span = 0; span < trace.spans.size(); ++span)
    if (trace.spans.task[span] == 5) trace.spans.step[span] = -1;
  const std::size_t all = trace.spans.size();
  ASSERT_TRUE(keep_steps(trace, {1, 1}).has_value());
  EXPECT_EQ(trace.spans.size(), all / 3);
  EXPECT_TRUE(trace.untimed.empty());
}

TEST(StepRange, StepsThatAreNotThereAreAnErrorThatSaysWhichAre) {
  Trace trace = tiny_trace();
  EXPECT_THAT(keep_steps(trace, {9, 12}).error().cure, HasSubstr("0..4"));
  Trace empty;
  EXPECT_FALSE(keep_steps(empty, {0, 1}).has_value());
}

}  // namespace
}  // namespace quintet
