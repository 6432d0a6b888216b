#include "profiler/compare/check_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/compare/check_junit.h"
#include "profiler/compare/comparison_json.h"
#include "tests/profiler/compare/compare_traces.h"
#include "tests/profiler/report/golden.h"
#include "tests/support/example_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;
using testing::Not;

RegressionCheck check(std::int64_t slow_ns, const std::string& policy = "renaissance") {
  const auto side = [&policy](std::uint64_t seed, std::int64_t slow) {
    std::vector<RecordingSample> samples;
    for (std::uint64_t run = 0; run < 3; ++run) {
      ExampleOptions options;
      options.seed = seed + run;
      options.train_steps = 30;
      options.task_noise = 0.02;
      options.slow_layer = "conv1";
      options.slow_ns = slow;
      Trace trace = example_trace(options);
      trace.provenance["policy"] = policy;
      samples.push_back(sampled(trace, "run" + std::to_string(seed + run) + ".qtrace"));
    }
    return samples;
  };
  auto result = check_regression(compare_recordings(side(10, 0), side(20, slow_ns)));
  EXPECT_TRUE(result);
  return std::move(*result);
}

TEST(CheckSummary, OfARegressionNamesLayerAndTask) {
  const RegressionCheck slow = check(100000);
  ASSERT_EQ(slow.verdict, CheckVerdict::regression);
  expect_golden("regression.txt", check_text(slow), "compare");
  expect_golden("regression.md", check_markdown(slow), "compare");
  expect_golden("regression.xml", check_junit(slow), "compare");
}

TEST(CheckSummary, OfStepsThatWaitLongerBlamesNoTask) {
  const auto side = [](std::uint64_t seed, std::int64_t wait) {
    ExampleOptions options;
    options.seed = seed;
    options.train_steps = 30;
    Trace trace = example_trace(options);
    // Every step ends later, its tasks do not.
    for (std::size_t step = 0; step < trace.steps.size(); ++step)
      trace.steps[step].end_ns += wait * static_cast<std::int64_t>(step);
    return std::vector<RecordingSample>{sampled(trace, std::to_string(seed))};
  };
  const auto waiting = check_regression(compare_recordings(side(1, 0), side(2, 300000)));
  ASSERT_TRUE(waiting);
  EXPECT_EQ(waiting->verdict, CheckVerdict::regression);
  EXPECT_THAT(check_text(*waiting), HasSubstr("no task's own time explains it"));
}

TEST(CheckSummary, OfNoRegressionSaysSo) {
  const RegressionCheck same = check(0);
  ASSERT_EQ(same.verdict, CheckVerdict::passed);
  EXPECT_THAT(check_text(same), HasSubstr("no regression beyond 1 %"));
  EXPECT_THAT(check_junit(same), HasSubstr("failures=\"0\""));
  EXPECT_THAT(check_junit(same), Not(HasSubstr("<failure")));
  EXPECT_EQ(check_json(same).at("verdict"), "passed");
}

TEST(CheckSummary, NamesOfARecordingCannotBreakOutOfMarkdownOrXml) {
  const RegressionCheck hostile =
      check(100000, "a|b`c` <script> [x](http://y) ]]> & \"quoted\"\n# heading\x01");
  const std::string markdown = check_markdown(hostile);
  EXPECT_THAT(markdown, HasSubstr("a\\|b\\`c\\` &lt;script&gt; \\[x\\]\\(http"));
  EXPECT_THAT(markdown, Not(HasSubstr("\n# heading")));
  const std::string xml = check_junit(hostile);
  EXPECT_THAT(xml, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(xml, Not(HasSubstr("<script")));
  EXPECT_THAT(xml, Not(HasSubstr("\x01")));
}

TEST(CheckJson, HoldsVerdictRatioAndWhatGrew) {
  const OrderedJson json = check_json(check(100000));
  EXPECT_EQ(json.at("schema"), "quintet.check");
  EXPECT_EQ(json.at("verdict"), "regression");
  EXPECT_GT(json.at("ratio").at("low").get<double>(), 1.01);
  EXPECT_EQ(json.at("grown_layers").at(0), "conv1");
  EXPECT_EQ(json.at("grown_tasks").at(0), "conv1/CONV_FP32_FWD/Y");
  EXPECT_EQ(json.at("comparison").at("schema"), "quintet.comparison");
}

}  // namespace
}  // namespace quintet
