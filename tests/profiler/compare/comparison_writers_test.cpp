#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/compare/comparison_html.h"
#include "profiler/compare/comparison_json.h"
#include "profiler/compare/comparison_text.h"
#include "tests/profiler/compare/compare_traces.h"
#include "tests/profiler/report/golden.h"
#include "tests/support/example_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;
using testing::Not;

Trace example_run(bool serial) {
  ExampleOptions options;
  options.serial = serial;
  options.seed = serial ? 42 : 43;
  return example_trace(options);
}

struct Written {
  Comparison comparison;
  Report a;
  Report b;
};

Written written(const Trace& a, const Trace& b) {
  return {compare_recordings({sampled(a, "a.qtrace")}, {sampled(b, "b.qtrace")}), build_report(a),
          build_report(b)};
}

TEST(ComparisonText, IsWhatAPersonLastAccepted) {
  const Written two = written(example_run(true), example_run(false));
  TextOptions options;
  options.rows = 8;
  expect_golden("comparison.txt", comparison_text(two.comparison, two.a, two.b, options),
                "compare");
}

TEST(ComparisonText, DrawsBothStepsOnOneScale) {
  const Written two = written(example_run(true), example_run(false));
  const std::string text = comparison_text(two.comparison, two.a, two.b, {100, false, 3});
  // The longer step ends the axis of both.
  const std::string end = "3.46 ms";
  const std::size_t first = text.find(end, text.find("Timelines"));
  EXPECT_NE(first, std::string::npos);
  EXPECT_NE(text.find(end, first + 1), std::string::npos) << text;
}

TEST(ComparisonText, SaysWhatOneRecordingASideCannotTell) {
  const Written two = written(example_run(true), example_run(false));
  EXPECT_THAT(comparison_text(two.comparison, two.a, two.b),
              HasSubstr("spread between processes unknown"));
}

TEST(ComparisonText, OfEmptyTracesSaysWhatIsMissing) {
  const Written two = written(Trace(), Trace());
  const std::string text = comparison_text(two.comparison, two.a, two.b);
  EXPECT_THAT(text, HasSubstr("a side has no step"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(ComparisonJson, HoldsIntervalsAndNullsForWhatIsUnknown) {
  const OrderedJson json =
      comparison_json(written(example_run(true), example_run(false)).comparison);
  EXPECT_EQ(json.at("schema"), "quintet.comparison");
  const auto& step = json.at("step_time_ns");
  EXPECT_LT(step.at("ratio").at("low"), step.at("ratio").at("value"));
  EXPECT_LT(step.at("ratio").at("value"), step.at("ratio").at("high"));
  EXPECT_EQ(json.at("tasks").size(), 29U);
  const OrderedJson brief =
      comparison_json(written(lowered_trace(false), lowered_trace(true)).comparison);
  EXPECT_EQ(brief.at("tasks").at(0).at("tasks_a").size(), 2U);
  const OrderedJson empty = comparison_json(written(Trace(), Trace()).comparison);
  EXPECT_TRUE(empty.at("step_time_ns").is_null());
}

TEST(ComparisonHtml, IsOneFileThatNeedsNothingFromOutside) {
  const Written two = written(example_run(true), example_run(false));
  const std::string html = comparison_html(two.comparison, two.a, two.b);
  EXPECT_THAT(html, Not(HasSubstr("src=")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
  EXPECT_THAT(html, Not(HasSubstr("{{")));
  EXPECT_THAT(html, HasSubstr("Timeline.link(...views)"));
  EXPECT_LT(html.size(), 4U << 20);
}

TEST(ComparisonHtml, HostileNamesStayData) {
  Trace hostile = example_run(false);
  hostile.provenance["scenario"] = "</script><script>alert(1)</script>";
  for (TraceTask& task : hostile.tasks)
    task.name += "</script><img onerror=alert(1)>";
  const Written two = written(hostile, hostile);
  const std::string html = comparison_html(two.comparison, two.a, two.b);
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
}

}  // namespace
}  // namespace quintet
