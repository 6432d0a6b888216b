// Recordings of whole runs on the GPU: every activity belongs to a task, and to the task that made it.
#include "profiler/capture/device_recorder.h"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "runtime/cuda/cuda_memory.h"
#include "tests/profiler/capture/recorded_run.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

struct Mapping {
  std::string policy;
  StepMode mode;
};

class DeviceRecorderOf : public GpuTest, public testing::WithParamInterface<Mapping> {};

TEST_P(DeviceRecorderOf, GivesEveryNodeOfEveryStepToItsTask) {
  const auto backend = open_recorded_backend();
  for (const std::string network : {"lenet5", "resnet18-twin"}) {
    SCOPED_TRACE(network);
    TinyRun run{.network = network, .train_steps = 14};
    run.precision = Precision::amp;
    run.lowering = Lowering::fused;
    const auto session = prepare_tiny(
        run,
        policy_with(GetParam().policy, SyncRule::dataflow, GradientMode::separate, GetParam().mode),
        backend);
    const Recorded recorded = record(*session, DeviceRecording::node);
    expect_all_attributed(recorded);
    std::map<std::int32_t, std::set<std::uint32_t>> tasks;
    for (std::size_t i = 0; i < recorded.trace.spans.size(); ++i) {
      if (is_on_device(recorded.trace, i))
        tasks[recorded.trace.spans.step[i]].insert(recorded.trace.spans.task[i]);
    }
    // A full training step runs the same tasks as the one two steps before it, in the same buffers.
    for (std::int32_t step = 4; step < 10; ++step) {
      EXPECT_EQ(tasks[step], tasks[step - 2]) << "step " << step;
      EXPECT_GT(tasks[step].size(), 10U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mappings, DeviceRecorderOf,
                         testing::Values(Mapping{"serial", StepMode::whole_step},
                                         Mapping{"renaissance", StepMode::whole_step},
                                         Mapping{"renaissance-dataflow", StepMode::whole_step},
                                         Mapping{"serial", StepMode::event_sync},
                                         Mapping{"renaissance-dataflow", StepMode::event_sync},
                                         Mapping{"renaissance-dataflow", StepMode::host_sync}),
                         [](const auto& mapping) {
                           std::string name = mapping.param.policy + "_" +
                                              std::string(name_of(mapping.param.mode));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

class DeviceRecorderTest : public GpuTest {
 protected:
  static std::unique_ptr<TrainingSession> session(std::int64_t steps = 14) {
    TinyRun run{.network = "lenet5", .train_samples = 800, .train_steps = steps};
    return prepare_tiny(run,
                        policy_with("renaissance-dataflow", SyncRule::dataflow,
                                    GradientMode::separate, StepMode::whole_step),
                        open_recorded_backend());
  }
};

TEST_F(DeviceRecorderTest, FindsUnderEachTaskTheKernelsThatItLaunchesAlone) {
  const auto run = session();
  const auto alone = names_alone(*run);
  ASSERT_GT(alone.size(), 20U);
  const Recorded recorded = record(*run, DeviceRecording::node);
  const auto in_step = names_in_step(recorded.trace, 6);
  ASSERT_GT(in_step.size(), 20U);
  for (const auto& [task, names] : in_step)
    EXPECT_EQ(names, alone.at(task)) << recorded.trace.tasks[task].name;
}

TEST_F(DeviceRecorderTest, NamesWorkOfNobodyAllocationsAndWaitsForTheDevice) {
  const CudaMemory bytes(MemoryKind::device, 4096, "bytes of a test");
  const Recorded recorded = record(*session(), DeviceRecording::node, [&](const StepRun& step) {
    if (step.step != 5) return true;
    EXPECT_EQ(cudaMemsetAsync(bytes.data(), 0, bytes.bytes(), cudaStreamLegacy), cudaSuccess);
    void* more = nullptr;
    EXPECT_EQ(cudaMalloc(&more, 1 << 20), cudaSuccess);
    EXPECT_EQ(cudaFree(more), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return true;
  });
  const std::vector<Finding>& findings = recorded.trace.findings;
  for (const char* name :
       {"unattributed_work", "legacy_stream_work", "allocation_in_step", "host_sync_in_step"}) {
    EXPECT_THAT(findings, Contains(Field(&Finding::name, name)));
  }
  EXPECT_EQ(recorded.counts.unattributed, 1);
}

TEST_F(DeviceRecorderTest, SampledTracesWindowsOnlyAndSaysWhichSteps) {
  const Recorded recorded = record(*session(60), DeviceRecording::sampled, {}, {3, 5, 20, 0});
  std::map<std::int64_t, std::size_t> spans;
  for (std::size_t i = 0; i < recorded.trace.spans.size(); ++i) {
    if (is_on_device(recorded.trace, i)) ++spans[recorded.trace.spans.step[i]];
  }
  std::size_t whole = 0;
  for (const TraceStep& step : recorded.trace.steps) {
    if (step.phase != "train" || step.shape != "train") continue;
    if (step.recording == StepRecording::none) {
      EXPECT_LE(spans[step.step], 1U) << step.step;
    }
    if (step.recording == StepRecording::all) {
      EXPECT_GT(spans[step.step], 20U) << step.step;
      ++whole;
    }
  }
  EXPECT_EQ(whole, 12U);  // three windows of five steps, the first of each disturbed
  EXPECT_TRUE(recorded.trace.findings.empty());
}

TEST_F(DeviceRecorderTest, GraphModeHasOneSpanALaunch) {
  const Recorded recorded = record(*session(), DeviceRecording::graph);
  const SpanColumns& spans = recorded.trace.spans;
  std::map<std::int32_t, int> launches;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.activity[i] == kWholeTask) continue;
    const ActivityKind kind = recorded.trace.activities[spans.activity[i]].kind;
    if (kind == ActivityKind::host_range) continue;  // the recording's own work
    EXPECT_EQ(kind, ActivityKind::graph);
    EXPECT_THAT(recorded.trace.tasks[spans.task[i]].name, HasSubstr("launch/"));
    ++launches[spans.step[i]];
  }
  for (std::int32_t step = 2; step < 10; ++step)
    EXPECT_EQ(launches[step], 1) << "step " << step;
}

TEST_F(DeviceRecorderTest, OffSubscribesToNothing) {
  const Recorded recorded = record(*session(), DeviceRecording::off);
  EXPECT_TRUE(recorded.trace.activities.empty());
  EXPECT_TRUE(recorded.trace.findings.empty());
}

}  // namespace
}  // namespace quintet::test
