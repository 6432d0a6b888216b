#include "profiler/report/json_report.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "tests/profiler/report/golden.h"
#include "tests/support/example_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

TEST(JsonReport, IsWhatAPersonLastAccepted) {
  expect_golden("tiny.json", json_report(build_report(tiny_trace())));
}

TEST(JsonReport, NamesItsSchemaFirst) {
  const std::string text = json_report(build_report(Trace()), -1);
  EXPECT_TRUE(text.starts_with(R"({"schema":"quintet.report","version":1,)")) << text;
}

TEST(JsonReport, LossesRoundTripAndNonFiniteOnesAreNull) {
  Trace trace = tiny_trace();
  trace.steps[0].loss = 0.1 + 0.2;
  trace.steps[1].loss = std::numeric_limits<double>::quiet_NaN();
  trace.steps[2].loss = std::numeric_limits<double>::infinity();
  trace.steps[3].loss = std::nullopt;
  trace.steps[4].loss = std::nextafter(1.0, 2.0);
  const auto losses = OrderedJson::parse(json_report(build_report(trace))).at("losses");
  ASSERT_EQ(losses.size(), 5U);
  EXPECT_EQ(losses[0].get<double>(), 0.1 + 0.2);
  EXPECT_TRUE(losses[1].is_null());
  EXPECT_TRUE(losses[2].is_null());
  EXPECT_TRUE(losses[3].is_null());
  EXPECT_EQ(losses[4].get<double>(), std::nextafter(1.0, 2.0));
}

TEST(JsonReport, UnknownIsNullWithAReason) {
  const auto json = report_json(build_report(tiny_trace()));
  bool seen = false;
  for (const auto& metric : json.at("metrics")) {
    if (metric.at("state") == "known") {
      EXPECT_TRUE(metric.at("value").is_number()) << metric;
      continue;
    }
    seen = true;
    EXPECT_TRUE(metric.at("value").is_null()) << metric;
    EXPECT_FALSE(metric.at("reason").get<std::string>().empty()) << metric;
  }
  EXPECT_TRUE(seen);
}

TEST(JsonReport, TellsWhatDevicesDidAsWholeNanosecondsOrNull) {
  Trace trace = tiny_trace();
  EXPECT_EQ(report_json(build_report(trace)).at("device").at("state"), "absent");
  EXPECT_TRUE(report_json(build_report(trace)).at("device").at("kernels").is_null());
  trace.activities = {{ActivityKind::kernel, "sgemm", {}, {}, {}, {}},
                      {ActivityKind::graph, "DEEP_FWD_BWD@train", {}, {}, {}, {}}};
  trace.spans.activity.assign(trace.spans.size(), 0);
  const auto known = report_json(build_report(trace)).at("device");
  EXPECT_EQ(known.at("state"), "known");
  EXPECT_EQ(known.at("kernels"), 25);
  EXPECT_EQ(known.at("memcpys"), 0);
  EXPECT_EQ(known.at("first_begin_ns"), 100);
  EXPECT_EQ(known.at("span_ns"), 4800);
  EXPECT_EQ(known.at("busy_ns"), 4000);
  EXPECT_EQ(known.at("sum_ns"), 4750);
  EXPECT_EQ(known.at("most_at_once"), 2);
  EXPECT_EQ(known.at("devices").size(), 1U);
  trace.spans.activity.assign(trace.spans.size(), 1);
  const auto unknown = report_json(build_report(trace)).at("device");
  EXPECT_EQ(unknown.at("state"), "unknown");
  EXPECT_TRUE(unknown.at("kernels").is_null());
  EXPECT_TRUE(unknown.at("busy_ns").is_null());
  EXPECT_EQ(unknown.at("graph_busy_ns"), 4000);
}

TEST(JsonReport, OfAnEmptyTraceIsStillAReport) {
  const auto json = OrderedJson::parse(json_report(build_report(Trace())));
  EXPECT_TRUE(json.at("step_time_ns").is_null());
  EXPECT_TRUE(json.at("timeline").is_null());
  EXPECT_TRUE(json.at("verdict").is_null());
  EXPECT_TRUE(json.at("losses").empty());
}

TEST(JsonReport, BytesThatAreNoUtf8DoNotBreakIt) {
  Trace trace = tiny_trace();
  trace.tasks[1].name = "broken \xff name";
  EXPECT_TRUE(OrderedJson::accept(json_report(build_report(trace))));
}

TEST(JsonReport, StepTimeIsInWholeNanoseconds) {
  const auto time = report_json(build_report(tiny_trace())).at("step_time_ns");
  EXPECT_EQ(time.dump(), R"({"median":1000,"p05":1000,"p95":1000})");
}

}  // namespace
}  // namespace quintet
