#include "profiler/compare/history_trend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/compare/trend_writers.h"
#include "tests/profiler/report/golden.h"

namespace quintet {
namespace {

using testing::HasSubstr;
using testing::Not;

HistoryValue value(const std::string& commit, int day, double ns,
                   const std::string& device = "two cores") {
  HistoryValue result;
  result.run.identity = commit + std::to_string(ns);
  result.run.scenario = "fashion-lenet";
  result.run.policy = "renaissance";
  result.run.device = device;
  result.run.commit = commit;
  result.run.started = "2026-11-0" + std::to_string(day) + "T08:00:00Z";
  result.metric = {"step/time", "Step time", MetricHint::duration, ns, std::nullopt};
  return result;
}

std::vector<HistoryValue> history() {
  return {value("aaaaaaaaaaaaaaaaaaaa", 1, 2.50e6),
          value("aaaaaaaaaaaaaaaaaaaa", 1, 2.52e6),
          value("aaaaaaaaaaaaaaaaaaaa", 1, 2.51e6),
          value("bbbbbbbbbbbbbbbbbbbb-dirty", 2, 2.51e6),
          value("bbbbbbbbbbbbbbbbbbbb-dirty", 2, 2.50e6),
          value("cccccccccccccccccccc", 3, 2.80e6),
          value("cccccccccccccccccccc", 3, 2.81e6),
          value("cccccccccccccccccccc", 3, 2.82e6),
          value("", 4, 9.1e5, "a GPU"),
          value("", 5, 9.0e5, "a GPU")};
}

Trend trend() {
  return build_trend(history(), {"fashion-lenet", "renaissance", ""}, "step/time");
}

/// Numbers live in the drawing alone; the style sheet has words like "provenance".
std::string drawing(const std::string& html) {
  const std::size_t begin = html.find("<svg");
  return begin == std::string::npos ? std::string()
                                    : html.substr(begin, html.find("</svg>") - begin);
}

TEST(HistoryTrend, HasAPointForEachCommitOnEachDevice) {
  const Trend trend_now = trend();
  ASSERT_EQ(trend_now.points.size(), 5U);
  EXPECT_EQ(trend_now.points[0].device, "a GPU");
  EXPECT_EQ(trend_now.points[2].runs, 3U);
  EXPECT_DOUBLE_EQ(trend_now.points[2].value, 2.51e6);
  EXPECT_DOUBLE_EQ(trend_now.points[2].lowest, 2.50e6);
  EXPECT_DOUBLE_EQ(trend_now.points[2].highest, 2.52e6);
}

TEST(HistoryTrend, PoliciesAreLinesOfTheirOwn) {
  std::vector<HistoryValue> values = {value("a", 1, 5), value("b", 2, 6), value("c", 3, 7)};
  values[1].run.policy = "serial";
  const Trend both = build_trend(values, {"fashion-lenet", "", ""}, "step/time");
  ASSERT_EQ(both.points.size(), 3U);
  EXPECT_EQ(both.line_of(both.points[0]), "renaissance, two cores");
  EXPECT_EQ(both.points[1].commit, "c");
  EXPECT_EQ(both.points[1].change->change.difference.value, 2);  // from a, not from b
  EXPECT_FALSE(both.points[2].change);
}

TEST(HistoryTrend, RunsOfUnknownCommitsStayApart) {
  const Trend trend_now = trend();
  EXPECT_EQ(trend_now.points[0].runs, 1U);
  EXPECT_EQ(trend_now.points[1].runs, 1U);
  ASSERT_TRUE(trend_now.points[1].change);
  EXPECT_FALSE(trend_now.points[1].change->change.bounded);  // two single runs tell no spread
}

TEST(HistoryTrend, MarksTheCommitThatChangedTheMetric) {
  const Trend trend_now = trend();
  EXPECT_FALSE(trend_now.points[2].change);
  EXPECT_FALSE(trend_now.points[3].change->significant);
  EXPECT_TRUE(trend_now.points[4].change->significant);
}

TEST(HistoryTrend, IsATableForPeople) {
  expect_golden("trend.txt", trend_text(trend(), true, 140), "compare");
  EXPECT_THAT(trend_text(build_trend({}, {}, "step/time")), HasSubstr("no run of it"));
}

TEST(HistoryTrend, IsAPageWithAPlotAndNoScript) {
  std::vector<HistoryValue> values = history();
  values[0].run.device = "<script>alert(1)</script>";
  const std::string html =
      trend_html(build_trend(values, {"<img src=x>", "renaissance", ""}, "step/time"));
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("{{")));
  EXPECT_THAT(drawing(html), Not(HasSubstr("nan")));
  EXPECT_THAT(trend_html(build_trend({}, {}, "step/time")), HasSubstr("No run of it"));
}

TEST(HistoryTrend, OfOnePointIsDrawnToo) {
  const std::string html = trend_html(build_trend({value("a", 1, 5)}, {}, "step/time"));
  EXPECT_THAT(drawing(html), HasSubstr("<circle"));
  EXPECT_THAT(drawing(html), Not(HasSubstr("nan")));
  EXPECT_THAT(drawing(html), Not(HasSubstr("inf")));
}

TEST(HistoryTrend, IsJsonWithNullsForWhatIsUnknown) {
  const OrderedJson json = trend_json(trend());
  EXPECT_EQ(json.at("schema"), "quintet.trend");
  ASSERT_EQ(json.at("points").size(), 5U);
  EXPECT_TRUE(json.at("points").at(1).at("significant").is_null());
  EXPECT_EQ(json.at("points").at(4).at("significant"), true);
}

}  // namespace
}  // namespace quintet
