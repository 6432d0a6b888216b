// Costs from traces that were computed by hand: a GPU's kernels, a host's threads.
#include "profiler/whatif/task_costs.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "profiler/analysis/device_work.h"
#include "tests/support/gpu_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

DeviceModel gpu() {
  DeviceModel device;
  device.multiprocessors = 132;
  device.memory_bytes_per_ns = 4000;
  return device;
}

TEST(TaskCosts, AddKernelsAndLeaveOutTheGapsBetweenThem) {
  const Trace trace = gpu_trace(GpuStepMode::whole_step);
  const auto costs = costs_of(trace, gpu());
  ASSERT_TRUE(costs) << to_string(costs.error());
  const TraceTask& row = trace.tasks[kGpuFwd];
  const TaskCost* forward = costs->find(row.name, row.shape);
  ASSERT_NE(forward, nullptr);
  EXPECT_EQ(forward->alone_ns, 1500);  // 1000 of the product and 500 of the bias
  EXPECT_EQ(forward->kernels, 2U);
  EXPECT_EQ(forward->fills, 0U);
  EXPECT_NEAR(forward->sm_share, (0.5 * 1000 + 1.0 * 500) / 1500, 1e-9);
}

TEST(TaskCosts, TellHowMuchOfItsTimeABlockRuns) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  std::vector<std::uint32_t> kernels;  // of the forward pass, by time
  for (std::uint32_t span = 0; span < trace.spans.size(); ++span) {
    if (trace.spans.task[span] != kGpuFwd || !is_work(trace, span)) continue;
    const std::uint32_t activity = trace.spans.activity[span];
    if (std::find(kernels.begin(), kernels.end(), activity) == kernels.end())
      kernels.push_back(activity);
  }
  ASSERT_EQ(kernels.size(), 2U);
  // Three blocks of 256 threads fit on each of 132 multiprocessors: 793 run in three waves.
  trace.activities[kernels[0]].launch = LaunchShape{{793, 1, 1}, {256, 1, 1}, 0, 0, 0, 0.375};
  trace.activities[kernels[1]].launch->occupancy = std::nullopt;  // taken for one wave
  const auto costs = costs_of(trace, gpu());
  ASSERT_TRUE(costs) << to_string(costs.error());
  const TaskCost* forward = costs->find(trace.tasks[kGpuFwd].name, trace.tasks[kGpuFwd].shape);
  ASSERT_NE(forward, nullptr);
  EXPECT_NEAR(forward->block_share, (1000.0 * 1000 / 3 + 500.0 * 500) / (1500.0 * 1500), 1e-9);
}

TEST(TaskCosts, KnowFillsAndCopies) {
  const Trace trace = gpu_trace(GpuStepMode::whole_step);
  const auto costs = costs_of(trace, gpu());
  ASSERT_TRUE(costs);
  for (const std::uint32_t task : {kGpuClear, kGpuCopy}) {
    const TaskCost* cost = costs->find(trace.tasks[task].name, trace.tasks[task].shape);
    ASSERT_NE(cost, nullptr) << trace.tasks[task].name;
    EXPECT_EQ(cost->fills, 1U);
    EXPECT_EQ(cost->sm_share, 0);
  }
}

TEST(TaskCosts, TakeTheProcessorTimeOfAHost) {
  const Trace trace = tiny_trace();
  const auto costs = costs_of(trace, host_device_model("two cores", 2));
  ASSERT_TRUE(costs) << to_string(costs.error());
  for (const auto& [key, cost] : costs->by_key) {
    EXPECT_EQ(cost.kernels, 1U) << key;
    EXPECT_EQ(cost.sm_share, 0.5) << key;
  }
  std::uint32_t forward = 0;
  while (trace.tasks[forward].part != "Y")
    ++forward;
  const TaskCost* cost = costs->find(trace.tasks[forward].name, trace.tasks[forward].shape);
  ASSERT_NE(cost, nullptr);
  EXPECT_EQ(cost->alone_ns, 150);  // half of its 300 ns
}

TEST(TaskCosts, SayWhyThereAreNone) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  trace.spans = {};
  const auto costs = costs_of(trace, gpu());
  ASSERT_FALSE(costs);
  EXPECT_FALSE(costs.error().cure.empty());
}

}  // namespace
}  // namespace quintet
