// Verdicts on simulated recordings of which the truth is known.

#include "profiler/compare/regression_check.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "tests/support/example_trace.h"
#include "tests/support/sanitizers.h"

namespace quintet {
namespace {

using testing::HasSubstr;

constexpr int kTrials = kAddressSanitizer ? 10 : 50;
constexpr int kProcesses = 5;

double normal(std::uint64_t seed) {
  const auto uniform = [seed](std::uint64_t position) {
    return (static_cast<double>(mixed(seed, 3, position) >> 11) + 0.5) * 0x1p-53;
  };
  return std::sqrt(-2 * std::log(uniform(0))) * std::cos(2 * std::numbers::pi * uniform(1));
}

RecordingSample sample(const ExampleOptions& options, const std::string& file) {
  return sample_recording(example_trace(options), file, {AlignBy::task, false, 0});
}

/// Five recordings that differ by 0.3 % between processes and by 1 % from step to step.
std::vector<RecordingSample> side(std::uint64_t seed, std::int64_t slow_ns) {
  std::vector<RecordingSample> samples;
  for (int process = 0; process < kProcesses; ++process) {
    ExampleOptions options;
    options.seed = mixed(seed, 1, static_cast<std::uint64_t>(process));
    options.train_steps = 80;
    options.evaluate_steps = 0;
    options.task_noise = 0.02;
    options.step_noise = 0.01;
    options.process_factor = 1 + 0.003 * normal(options.seed);
    options.slow_layer = "conv2";
    options.slow_ns = slow_ns;
    samples.push_back(sample(options, "run " + std::to_string(process)));
  }
  return samples;
}

RegressionCheck checked(std::uint64_t trial, std::int64_t slow_ns) {
  auto check = check_regression(
      compare_recordings(side(2 * trial, 0), side(2 * trial + 1, slow_ns), {2000, trial + 1}));
  EXPECT_TRUE(check) << to_string(check.error());
  return std::move(*check);
}

TEST(RegressionCheck, RaisesAtMostOneFalseAlarmInFifty) {
  int alarms = 0;
  int step_changes = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const RegressionCheck check = checked(trial, 0);
    alarms += check.verdict == CheckVerdict::regression ? 1 : 0;
    step_changes += check.comparison.step_time->excludes_zero() ? 1 : 0;
  }
  RecordProperty("false_alarms", alarms);
  RecordProperty("significant_step_times", step_changes);
  EXPECT_LE(alarms, 1);
  EXPECT_LE(step_changes, 8);  // 5 % of 50 and three standard deviations
}

TEST(RegressionCheck, FindsAndNamesALayerThatCostsTwoPercentOfTheStep) {
  const RecordingSample plain = side(999, 0).front();
  const auto slow_ns = static_cast<std::int64_t>(0.02 * median_of(plain.step_time_ns));
  int found = 0;
  int named = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const RegressionCheck check = checked(1000 + trial, slow_ns);
    found += check.verdict == CheckVerdict::regression ? 1 : 0;
    const LayerChange& layer = check.comparison.layers[check.grown_layers.front()];
    const TaskChange& task = check.comparison.tasks[check.grown_tasks.front()];
    named += layer.name == "conv2" && layer.time.significant &&
                     task.task.name == "conv2/CONV_FP32_FWD/Y" && task.time.significant
                 ? 1
                 : 0;
  }
  RecordProperty("found", found);
  RecordProperty("named", named);
  EXPECT_GE(found, kTrials - 2);
  EXPECT_GE(named, kTrials - 2);
}

TEST(RegressionCheck, ToleratesASlowdownWithinTheLimitAndSaysSo) {
  const RecordingSample plain = side(999, 0).front();
  const auto slow_ns = static_cast<std::int64_t>(0.004 * median_of(plain.step_time_ns));
  const RegressionCheck check = checked(4242, slow_ns);
  EXPECT_NE(check.verdict, CheckVerdict::regression);
  const auto wide = check_regression(compare_recordings(side(1, 0), side(2, 60000)), {0.2, {}});
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->verdict, CheckVerdict::passed);
}

TEST(RegressionCheck, IsUndecidedWhereTheIntervalReachesBeyondTheLimit) {
  ExampleOptions before;
  before.step_noise = 0.05;
  before.train_steps = 20;
  ExampleOptions after = before;
  after.seed = 7;
  const auto check =
      check_regression(compare_recordings({sample(before, "a")}, {sample(after, "b")}));
  ASSERT_TRUE(check);
  EXPECT_EQ(check->verdict, CheckVerdict::undecided);
}

TEST(RegressionCheck, RefusesWhatCannotBeComparedUnlessAccepted) {
  Trace other = example_trace();
  other.provenance["batch"] = "128";
  const std::vector<RecordingSample> a = {sample_recording(example_trace(), "a", {})};
  const std::vector<RecordingSample> b = {sample_recording(other, "b", {})};
  const auto refused = check_regression(compare_recordings(a, b));
  ASSERT_FALSE(refused);
  EXPECT_THAT(to_string(refused.error()), HasSubstr("other_batch"));
  EXPECT_THAT(refused.error().cure, HasSubstr("--accept other_batch"));
  EXPECT_TRUE(check_regression(compare_recordings(a, b), {0.01, {"other_batch"}}));
}

TEST(RegressionCheck, RefusesRecordingsTooShortForAnInterval) {
  ExampleOptions brief;
  brief.train_steps = 6;
  ExampleOptions other = brief;
  other.seed = 2;
  const auto refused =
      check_regression(compare_recordings({sample(brief, "a")}, {sample(other, "b")}));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("too few steps"));
}

TEST(RegressionCheck, ReadsLimitsAsPercentagesAndShares) {
  EXPECT_DOUBLE_EQ(*parse_share("1%"), 0.01);
  EXPECT_DOUBLE_EQ(*parse_share("0.5 %"), 0.005);
  EXPECT_DOUBLE_EQ(*parse_share("0.02"), 0.02);
  EXPECT_DOUBLE_EQ(*parse_share("0"), 0);
  for (const char* wrong : {"", "%", "1 percent", "-1%", "nan", "inf", "1e9"})
    EXPECT_FALSE(parse_share(wrong)) << wrong;
}

}  // namespace
}  // namespace quintet
