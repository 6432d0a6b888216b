#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/metrics/concurrency.h"
#include "profiler/report/html_report.h"
#include "profiler/report/json_report.h"
#include "profiler/report/text_report.h"
#include "profiler/trace/span_order.h"
#include "tests/support/dense_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kKernels = 300000;

TEST(DenseReport, OfKernelsThatAllOverlapIsShort) {
  DenseTrace dense;
  for (std::int64_t kernel = 0; kernel < kKernels; ++kernel)
    dense.kernel("k", 0, kernel, kernel + kKernels);
  dense.step(0, 2 * kKernels);
  const Report report = build_report(dense.trace);
  EXPECT_EQ(report.concurrency.size(), kConcurrencyLevels);
  double all = report.concurrency_above;
  for (const double share : report.concurrency)
    all += share;
  EXPECT_NEAR(all, 1, 1e-9);
  EXPECT_EQ(report_json(report).at("device").at("most_at_once"), kKernels);
  EXPECT_LT(json_report(report).size(), 4000000U);
  EXPECT_LT(html_report(report).size(), 2000000U);
}

TEST(DenseReport, CountsTheShapesOfOneKernel) {
  DenseTrace dense;
  dense.step(0, 2 * kKernels);
  for (std::int64_t kernel = 0; kernel < kKernels; ++kernel) {
    dense.kernel("k", 0, 2 * kernel, 2 * kernel + 1);
    TraceActivity activity = dense.trace.activities.front();
    activity.launch = LaunchShape{};
    activity.launch->grid[0] = static_cast<std::uint32_t>(kernel % (kKernels / 2));
    dense.trace.activities.push_back(activity);
    dense.trace.spans.activity.back() =
        static_cast<std::uint32_t>(dense.trace.activities.size() - 1);
  }
  const Report report = build_report(dense.trace);
  ASSERT_EQ(report.device_tables.kernels.size(), 1U);
  EXPECT_EQ(report.device_tables.kernels[0].shapes, static_cast<std::size_t>(kKernels / 2));
}

TEST(DenseReport, OfManyLanesStaysAPage) {
  constexpr std::uint16_t kStreams = 60000;
  DenseTrace dense(kStreams);
  dense.step(0, 10L * kStreams);
  for (std::uint16_t lane = 0; lane < kStreams; ++lane)
    dense.kernel("k", lane, 10 * lane, 10 * lane + 20);
  const Report report = build_report(dense.trace);
  const OrderedJson data = html_report_data(report);
  EXPECT_EQ(data.at("lanes").size() + data.at("lanesLeftOut").get<std::size_t>(), kStreams + 1U);
  for (const auto& box : data.at("timelines").at(0).at("boxes"))
    ASSERT_LT(box.at(1).get<std::size_t>(), data.at("lanes").size());
  EXPECT_LT(html_report(report).size(), 2000000U);
}

TEST(DenseReport, OfAHostAloneShowsNoIdleDevice) {
  DenseTrace dense;
  dense.step(0, 100);
  dense.range("op", 10, 90);
  const Report report = build_report(dense.trace);
  EXPECT_TRUE(report.concurrency.empty());
  EXPECT_TRUE(report.waits.empty());
  ASSERT_FALSE(report.timelines.empty());
  EXPECT_TRUE(report.timelines.front().waits.empty());
  const OrderedJson json = report_json(report);
  EXPECT_EQ(json.at("device").at("state"), "absent");
  EXPECT_EQ(json.at("timeline").at("unknown"), "the recording holds no work of a device");
  EXPECT_EQ(json.at("timeline").at("runs").size(), 1U);
  const std::string text = text_report(report);
  EXPECT_THAT(text, Not(HasSubstr("0.0 %")));
  EXPECT_THAT(text, Not(HasSubstr("unused")));
  EXPECT_THAT(html_report(report), Not(HasSubstr("\"0.0 %\"")));
}

TEST(DenseReport, CountsTheWorkOfALoneKernelOutsideRanges) {
  DenseTrace dense;
  dense.step(100, 110);
  dense.kernel("k", 0, 100, 110);
  EXPECT_EQ(report_json(build_report(dense.trace)).at("work_outside_ranges"), 1);
}

TEST(DenseReport, GivesNoUpperBoundOfAGraphLaunchWithoutAnEnd) {
  DenseTrace dense;
  dense.step(0, 100);
  dense.untimed("graph", ActivityKind::graph, 0);
  const Report report = build_report(dense.trace);
  const OrderedJson device = report_json(report).at("device");
  EXPECT_EQ(device.at("state"), "unknown");
  EXPECT_TRUE(device.at("graph_busy_ns").is_null());
  EXPECT_EQ(device.at("graph_launches"), 1);
  EXPECT_EQ(device.at("open_graph_launches"), 1);
  const std::string text = text_report(report);
  EXPECT_THAT(text, HasSubstr("no upper bound: 1 of 1 graph launches have no end"));
  EXPECT_THAT(text, Not(HasSubstr("at most 0")));
}

TEST(DenseReport, OfAnAbandonedRecordingSaysSoBesideItsDevices) {
  DenseTrace dense;
  for (std::int64_t step = 0; step < 5; ++step)
    dense.step(100 * step, 100 * step + 100);
  dense.kernel("k", 0, 210, 220);
  dense.trace.state = RecordingState::abandoned;
  const Report report = build_report(dense.trace);
  EXPECT_EQ(report_json(report).at("device").at("incomplete"), true);
  EXPECT_EQ(report_json(report).at("device").at("kernels"), 1);
  const std::string text = text_report(report);
  EXPECT_THAT(text, HasSubstr("the recording is incomplete: more may have run"));
  EXPECT_THAT(text, HasSubstr("the import was cut off"));
  EXPECT_FALSE(report.metric("step/time")->known());
  EXPECT_FALSE(report.metric("utilisation/any")->known());
}

}  // namespace
}  // namespace quintet
