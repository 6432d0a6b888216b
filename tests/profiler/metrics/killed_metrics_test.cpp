#include <gtest/gtest.h>

#include "profiler/metrics/metric_catalog.h"
#include "profiler/trace/span_order.h"
#include "profiler/trace/trace_batch.h"
#include "profiler/trace/trace_parts.h"
#include "tests/support/example_trace.h"

namespace quintet {
namespace {

/// The whole trace with the steps that a killed writer had flushed: what their metrics are.
Trace with_first_steps(Trace trace, std::size_t steps) {
  trace.steps.resize(steps);
  return trace;
}

void expect_metrics_of_flushed_steps(const Trace& prefix, const Trace& whole) {
  const std::vector<MetricValue> found = compute_metrics(prefix);
  const std::vector<MetricValue> right =
      compute_metrics(with_first_steps(whole, prefix.steps.size()));
  ASSERT_EQ(found.size(), right.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].state, right[i].state) << right[i].tag();
    EXPECT_EQ(found[i].value, right[i].value) << right[i].tag();
  }
}

TEST(KilledWriting, LeavesTheMetricsOfFlushedStepsTrue) {
  for (const bool serial : {false, true}) {
    Trace whole = example_trace({.serial = serial, .train_steps = 40, .evaluate_steps = 3});
    sort_spans(whole.spans);
    TraceParts parts(whole, whole.spans.size() / 9 + 1);
    Trace prefix = whole;
    prefix.spans = {};
    prefix.steps.clear();
    prefix.untimed.clear();
    prefix.host_waits.clear();
    prefix.launches.clear();
    while (!parts.done()) {
      append(prefix, parts.next());
      SCOPED_TRACE(prefix.steps.size());
      expect_metrics_of_flushed_steps(prefix, whole);
    }
    EXPECT_EQ(prefix.steps.size(), whole.steps.size());
  }
}

}  // namespace
}  // namespace quintet
