#include <gtest/gtest.h>

#include "profiler/analysis/step_window.h"
#include "profiler/analysis/typical_steps.h"
#include "profiler/metrics/metric_catalog.h"
#include "profiler/trace/trace_trim.h"
#include "tests/support/example_trace.h"

namespace quintet {
namespace {

void expect_equal_metrics(const Trace& a, const Trace& b) {
  const std::vector<MetricValue> before = compute_metrics(a);
  const std::vector<MetricValue> after = compute_metrics(b);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].tag(), after[i].tag());
    EXPECT_EQ(before[i].state, after[i].state) << before[i].tag();
    EXPECT_EQ(before[i].value, after[i].value) << before[i].tag();
    ASSERT_EQ(before[i].spread.has_value(), after[i].spread.has_value());
    if (!before[i].spread) continue;
    EXPECT_EQ(before[i].spread->p05, after[i].spread->p05) << before[i].tag();
    EXPECT_EQ(before[i].spread->p95, after[i].spread->p95) << before[i].tag();
  }
}

/// The trace without the steps outside of the range, everything else as it was: what the metrics of
/// those steps are.
Trace with_steps(Trace trace, StepRange range) {
  std::erase_if(trace.steps, [&](const TraceStep& step) { return !range.contains(step.step); });
  return trace;
}

TEST(TrimmedTrace, HasTheMetricsThatItsStepsHadInTheWhole) {
  for (const bool serial : {false, true}) {
    const Trace whole = example_trace({.serial = serial, .train_steps = 40, .evaluate_steps = 3});
    for (const StepRange range : {StepRange{0, 20}, StepRange{7, 14}, StepRange{15, 30}}) {
      SCOPED_TRACE(range.first);
      expect_equal_metrics(with_steps(whole, range), trim_trace(whole, range));
    }
  }
}

TEST(TrimmedTrace, OfTypicalStepsTimesJustThese) {
  const Trace whole = example_trace({.train_steps = 40, .evaluate_steps = 3});
  const Result<StepRange> range = typical_steps(whole, 5);
  ASSERT_TRUE(range) << to_string(range.error());
  const Trace trimmed = trim_trace(whole, *range);
  std::vector<std::int64_t> timed;
  const std::vector<StepWindow> before = step_windows(whole);
  for (const StepWindow& window : step_windows(trimmed)) {
    if (!window.timed) continue;
    timed.push_back(window.step);
    for (const StepWindow& old : before) {
      if (old.step != window.step) continue;
      EXPECT_EQ(old.time.begin, window.time.begin);
      EXPECT_EQ(old.time.end, window.time.end);
      EXPECT_EQ(old.spans.size(), window.spans.size());
    }
  }
  ASSERT_EQ(timed.size(), 5U);
  EXPECT_EQ(timed.front(), range->first + kWarmUpSteps);
  EXPECT_EQ(timed.back(), range->last);
}

}  // namespace
}  // namespace quintet
