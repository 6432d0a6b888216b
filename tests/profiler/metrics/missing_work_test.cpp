#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/metrics/concurrency.h"
#include "profiler/metrics/metric_catalog.h"
#include "profiler/metrics/pair_overlap_metric.h"
#include "profiler/metrics/utilisation.h"
#include "profiler/trace/span_order.h"
#include "tests/support/dense_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;

DenseTrace with_steps(std::uint16_t streams = 1, std::int64_t first = 0) {
  DenseTrace dense(streams);
  for (std::int64_t step = 0; step < 2; ++step)
    dense.step(first + 100 * step, first + 100 * step + 100);
  return dense;
}

/// Every metric of what devices do.
void expect_all(const Trace& trace, MetricState state, const std::string& reason) {
  std::size_t seen = 0;
  for (const MetricValue& metric : compute_metrics(trace)) {
    const std::string family = metric.tag().substr(0, metric.tag().find('/'));
    const bool of_devices = family == "utilisation" || family == "lane" ||
                            family == "concurrency" || family == "hidden" || family == "overlap" ||
                            family == "wait" || family == "device" || family == "transfer" ||
                            family == "rate" || family == "sm" ||
                            (family == "bound" && metric.tag() != "bound/bandwidth");
    if (!of_devices) continue;
    ++seen;
    EXPECT_EQ(metric.state, state) << metric.tag();
    EXPECT_THAT(metric.reason, HasSubstr(reason)) << metric.tag();
  }
  EXPECT_GT(seen, 20U);
}

TEST(MissingWork, OfATraceOfHostsAloneIsAbsent) {
  DenseTrace dense = with_steps(0);
  dense.range("op", 0, 200);
  expect_all(dense.trace, MetricState::absent, "the recording holds no work of a device");
}

TEST(MissingWork, IsAbsentOnStreamsThatAreNeverUsed) {
  DenseTrace dense = with_steps(2);
  dense.range("op", 0, 200);
  expect_all(dense.trace, MetricState::absent, "the recording holds no work of a device");
}

TEST(MissingWork, IsUnknownWhereLaunchesWereRecorded) {
  DenseTrace dense = with_steps();
  dense.call("cudaLaunchKernel", 10, 20, 1);
  expect_all(dense.trace, MetricState::unknown, "what was launched was not recorded");
  const auto metrics = compute_metrics(dense.trace);
  EXPECT_EQ(find_metric(metrics, "launch/count")->state, MetricState::unknown);
  EXPECT_EQ(find_metric(metrics, "record/unattributed")->state, MetricState::unknown);
}

TEST(MissingWork, IsUnknownWhereRowsOfDevicesWereNotRecognised) {
  DenseTrace dense = with_steps();
  dense.range("op", 0, 200);
  dense.trace.findings.push_back({Severity::data_loss, "unrecognised_device_rows", "", 3});
  expect_all(dense.trace, MetricState::unknown, "not recognised");
  dense.kernel("k", 0, 10, 20);  // what else there is does not make the rest known
  expect_all(dense.trace, MetricState::unknown, "not recognised");
}

TEST(MissingWork, IsUnknownWhereItLiesOutsideEveryStep) {
  for (const std::int64_t first : {1000000LL, -1000000LL}) {
    DenseTrace dense = with_steps(1, first);
    for (std::int64_t kernel = 0; kernel < 10; ++kernel)
      dense.kernel("k", 0, 10 * kernel, 10 * kernel + 5);
    sort_spans(dense.trace.spans);
    expect_all(dense.trace, MetricState::unknown, "the work lies outside every step");
  }
}

TEST(MissingWork, IsUnknownWhereOnlyStepsThatAreNotTimedHoldIt) {
  DenseTrace dense;
  for (std::int64_t step = 0; step < 6; ++step)
    dense.step(100 * step, 100 * step + 100);
  dense.kernel("k", 0, 10, 20);
  expect_all(dense.trace, MetricState::unknown, "the work lies outside every timed step");
}

TEST(MissingWork, IsUnknownWhereNoneOfItHasATime) {
  DenseTrace dense = with_steps();
  dense.untimed("k", ActivityKind::kernel, 0);
  expect_all(dense.trace, MetricState::unknown, "untimed");
}

TEST(MissingWork, OfOneIdleStepAmongOthersIsKnownToBeNone) {
  DenseTrace dense = with_steps();
  dense.kernel("k", 0, 10, 60);
  const auto metrics = compute_metrics(dense.trace);
  EXPECT_EQ(find_metric(metrics, "utilisation/any")->value, 0.25);
}

TEST(MissingWork, OfAnOpenGraphLaunchHasNoUpperBound) {
  DenseTrace dense = with_steps();
  dense.kernel("k", 0, 10, 60);
  dense.untimed("graph", ActivityKind::graph, 0);
  const auto metrics = compute_metrics(dense.trace);
  const MetricValue* bound = find_metric(metrics, "utilisation/at_most");
  ASSERT_NE(bound, nullptr);
  EXPECT_EQ(bound->state, MetricState::unknown);
  EXPECT_FALSE(find_metric(metrics, "utilisation/any")->known());
}

TEST(Communication, OfOneImportedRankIsNotKnownToBeNone) {
  DenseTrace dense = with_steps();
  dense.kernel("k", 0, 10, 60);
  auto metrics = compute_metrics(dense.trace);
  EXPECT_EQ(find_metric(metrics, "hidden/comm")->reason,
            "no communication runs in the timed steps");
}

/// What a span does that covers steps is what its parts in them do.
TEST(CoveringSpans, CountAsTheirPartsWould) {
  DenseTrace whole(3);
  DenseTrace parts(3);
  whole.trace.provenance["multiprocessors"] = "132";
  parts.trace.provenance["multiprocessors"] = "132";
  for (DenseTrace* each : {&whole, &parts}) {
    for (std::int64_t step = 0; step < 9; ++step) {
      each->step(100 * step, 100 * step + 100);
      each->kernel("short", 0, 100 * step + 20, 100 * step + 50);
    }
  }
  whole.kernel("long", 1, -50, 950);
  whole.kernel("longer", 2, -60, 960);
  for (std::int64_t step = 0; step < 9; ++step) {
    parts.kernel("long", 1, 100 * step, 100 * step + 100);
    parts.kernel("longer", 2, 100 * step, 100 * step + 100);
  }
  for (DenseTrace* each : {&whole, &parts}) {
    for (TraceActivity& activity : each->trace.activities) {
      LaunchShape shape;
      shape.grid = {activity.name == "short" ? 11U : 33U, 1, 1};
      shape.occupancy = activity.name == "long" ? 0.25 : 0.75;
      activity.launch = shape;
    }
    // Not an import, whose steps would end with the long work.
    each->trace.provenance.erase("executor");
    sort_spans(each->trace.spans);
  }
  const auto of_whole = compute_metrics(whole.trace);
  const auto of_parts = compute_metrics(parts.trace);
  for (const char* tag :
       {"utilisation/any", "lane/lane 1/busy", "lane/lane 2/utilisation", "concurrency/mean",
        "concurrency/time/0", "concurrency/time/2", "concurrency/time/3", "overlap/lane 0/lane 1",
        "overlap/lane 1/lane 2", "sm/efficiency", "sm/occupancy", "wait/nothing_to_do"}) {
    const MetricValue* a = find_metric(of_whole, tag);
    const MetricValue* b = find_metric(of_parts, tag);
    ASSERT_NE(a, nullptr) << tag;
    ASSERT_NE(b, nullptr) << tag;
    EXPECT_EQ(a->state, b->state) << tag;
    EXPECT_DOUBLE_EQ(a->value, b->value) << tag;
  }
}

TEST(CoveringSpans, OfManyStepsAndManyLanesAreMeasured) {
  constexpr std::int64_t kSteps = 50000;
  constexpr std::uint16_t kStreams = 20000;
  DenseTrace dense(kStreams);
  for (std::int64_t step = 0; step < kSteps; ++step)
    dense.step(10 * step, 10 * step + 10);
  for (std::uint16_t lane = 0; lane < kStreams; ++lane)
    dense.kernel("long", lane, -1 - lane, 10 * kSteps + 1);
  dense.trace.provenance.erase("executor");
  sort_spans(dense.trace.spans);
  const auto metrics = compute_metrics(dense.trace);
  EXPECT_EQ(find_metric(metrics, "utilisation/any")->value, 1);
  EXPECT_EQ(find_metric(metrics, "concurrency/mean")->value, kStreams);
  EXPECT_EQ(find_metric(metrics, "concurrency/time/more")->value, 10);
  EXPECT_EQ(find_metric(metrics, "lane/left_out")->value, kStreams - kUtilisationLanes);
  EXPECT_EQ(find_metric(metrics, "overlap/lanes_left_out")->value, kStreams - kPairLanes);
  EXPECT_LT(metrics.size(), 2 * kUtilisationLanes + kConcurrencyLevels + 200);
}

}  // namespace
}  // namespace quintet
