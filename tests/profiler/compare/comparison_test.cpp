#include "profiler/compare/comparison.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "tests/profiler/compare/compare_traces.h"
#include "tests/support/example_trace.h"

namespace quintet {
namespace {

RecordingSample example(bool serial, std::uint64_t seed = 42, const std::string& slow = {},
                        std::int64_t slow_ns = 0) {
  ExampleOptions options;
  options.serial = serial;
  options.seed = seed;
  options.train_steps = 40;
  options.slow_layer = slow;
  options.slow_ns = slow_ns;
  return sampled(example_trace(options), "run " + std::to_string(seed));
}

const TaskChange& task_of(const Comparison& comparison, const std::string& name) {
  const auto found =
      std::find_if(comparison.tasks.begin(), comparison.tasks.end(),
                   [&name](const TaskChange& change) { return change.task.name == name; });
  EXPECT_NE(found, comparison.tasks.end()) << name;
  return *found;
}

const MetricChange& metric_of(const Comparison& comparison, const std::string& tag) {
  const auto found =
      std::find_if(comparison.metrics.begin(), comparison.metrics.end(),
                   [&tag](const MetricChange& change) { return change.definition.tag == tag; });
  EXPECT_NE(found, comparison.metrics.end()) << tag;
  return *found;
}

TEST(Comparison, SaysHowMuchFasterFiveStreamsAreThanOne) {
  const Comparison comparison = compare_recordings({example(true)}, {example(false, 43)});
  ASSERT_TRUE(comparison.step_time && comparison.step_time->ratio);
  EXPECT_TRUE(comparison.step_time->excludes_zero());
  EXPECT_NEAR(comparison.step_time->ratio->value, 0.73, 0.02);
  EXPECT_FALSE(comparison.between_processes_known());
  const MetricChange& concurrency = metric_of(comparison, "concurrency/mean");
  ASSERT_TRUE(concurrency.value);
  EXPECT_TRUE(concurrency.value->significant);
}

TEST(Comparison, ListsWhatMovedStream) {
  const Comparison comparison = compare_recordings({example(true)}, {example(false, 43)});
  const TaskChange& bias = task_of(comparison, "conv2/CONV_FP32_BWD/dB");
  EXPECT_TRUE(bias.moved_stream());
  EXPECT_EQ(bias.lane_a, "COMP_1");
  EXPECT_EQ(bias.lane_b, "COMP_2");
  EXPECT_FALSE(task_of(comparison, "conv2/CONV_FP32_FWD/Y").moved_stream());
}

TEST(Comparison, ListsWhatLeftTheCriticalPath) {
  const Comparison comparison = compare_recordings({example(true)}, {example(false, 43)});
  // On one stream everything is critical; on five the bias gradient runs beside.
  const TaskChange& bias = task_of(comparison, "conv2/CONV_FP32_BWD/dB");
  ASSERT_TRUE(bias.critical_a && bias.critical_b);
  EXPECT_EQ(*bias.critical_a, 1);
  EXPECT_EQ(*bias.critical_b, 0);
  EXPECT_TRUE(bias.moved_on_path());
  EXPECT_FALSE(task_of(comparison, "conv2/CONV_FP32_FWD/Y").moved_on_path());
}

TEST(Comparison, PutsTheLayerThatGrewFirstAndNoOtherIsSignificant) {
  const Comparison comparison =
      compare_recordings({example(false, 1), example(false, 2), example(false, 3)},
                         {example(false, 4, "fc1", 60000), example(false, 5, "fc1", 60000),
                          example(false, 6, "fc1", 60000)});
  EXPECT_TRUE(comparison.between_processes_known());
  ASSERT_FALSE(comparison.layers.empty());
  EXPECT_EQ(comparison.layers.front().name, "fc1");
  EXPECT_TRUE(comparison.layers.front().time.significant);
  EXPECT_NEAR(comparison.layers.front().time.change.difference.value, 60000 * 1.06, 3000);
  const auto significant =
      std::count_if(comparison.layers.begin(), comparison.layers.end(),
                    [](const LayerChange& layer) { return layer.time.significant; });
  EXPECT_LE(significant, 2);
}

TEST(Comparison, OfARecordingWithItselfFindsNothing) {
  const RecordingSample sample = example(false);
  const Comparison comparison = compare_recordings({sample}, {sample});
  EXPECT_EQ(comparison.step_time->difference.value, 0);
  for (const TaskChange& task : comparison.tasks)
    EXPECT_FALSE(task.time.significant) << task.task.name;
  EXPECT_EQ(comparison.caveats.front().name, "repeated_recording");
}

TEST(Comparison, DoesNotDependOnTheOrderOfTables) {
  const RecordingSample sample = example(false);
  RecordingSample turned = example(false, 43);
  const Comparison straight = compare_recordings({sample}, {turned});
  std::reverse(turned.tasks.begin(), turned.tasks.end());
  const Comparison reversed = compare_recordings({sample}, {turned});
  ASSERT_EQ(straight.tasks.size(), reversed.tasks.size());
  EXPECT_EQ(straight.tasks.front().task.name, reversed.tasks.front().task.name);
  EXPECT_EQ(straight.tasks.front().time.change.difference.low,
            reversed.tasks.front().time.change.difference.low);
}

TEST(Comparison, OfEmptyRecordingsIsEmptyAndSaysSo) {
  const Comparison comparison = compare_recordings({sampled(Trace())}, {sampled(Trace(), "b")});
  EXPECT_FALSE(comparison.step_time);
  EXPECT_TRUE(comparison.tasks.empty());
  EXPECT_FALSE(comparison.caveats.empty());
}

TEST(Comparison, GivesMetricsThatOneSideLacksTheirReason) {
  const Comparison comparison = compare_recordings({example(true)}, {example(false, 43)});
  const MetricChange& overlap = metric_of(comparison, "overlap/COMP_1/COMP_3");
  EXPECT_EQ(overlap.state_a, MetricState::absent);
  EXPECT_EQ(overlap.state_b, MetricState::known);
  EXPECT_FALSE(overlap.value);
  EXPECT_FALSE(overlap.reason.empty());
}

}  // namespace
}  // namespace quintet
