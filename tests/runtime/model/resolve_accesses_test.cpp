#include <gtest/gtest.h>

#include "runtime/model/memory_plan.h"

namespace quintet {
namespace {

/// One activation, one pinned batch, some momentum; workspace on COMP_1 and COMP_3 only.
struct SmallPlan : testing::Test {
  TensorTable tensors;
  TensorId padding = tensors.add({.name = "padding", .shape = {5}});
  TensorId activation = tensors.add({.name = "fc1/Y", .shape = {4, 10}});
  TensorId batch = tensors.add({.name = "images",
                                .shape = {4, 7},
                                .dtype = DType::U8,
                                .region = RegionKind::HOST_BATCH_A,
                                .role = TensorRole::input});
  TensorId momentum = tensors.add({.name = "fc1/mW",
                                   .shape = {3, 3},
                                   .region = RegionKind::DEEP_MOMENTUM,
                                   .role = TensorRole::optimizer_state});
  MemoryPlan plan = plan_memory(tensors, {}, GradientMode::separate, {0, 100, 0, 200, 0});
};

TEST_F(SmallPlan, EveryOperandBecomesItsBytesInSlotOrder) {
  Task task;
  task.operands = {{batch, AccessMode::read}, {activation, AccessMode::write, AccessBound::upper}};
  const std::vector<Access> accesses = resolve_accesses(task, StreamKind::COMP_1, plan);
  ASSERT_EQ(accesses.size(), 2U);
  EXPECT_EQ(accesses[0].region, plan.region(RegionKind::HOST_BATCH_A).id);
  EXPECT_EQ(accesses[0].space, MemorySpace::host);
  EXPECT_EQ(accesses[0].bytes, 28U);
  EXPECT_EQ(accesses[0].mode, AccessMode::read);
  EXPECT_EQ(accesses[0].bound, AccessBound::exact);
  EXPECT_EQ(accesses[1].region, plan.region(RegionKind::FEATURES).id);
  EXPECT_EQ(accesses[1].space, MemorySpace::device);
  EXPECT_EQ(accesses[1].offset, 64U);
  EXPECT_EQ(accesses[1].bytes, 160U);
  EXPECT_EQ(accesses[1].mode, AccessMode::write);
  EXPECT_EQ(accesses[1].bound, AccessBound::upper);
}

TEST_F(SmallPlan, ARegionOperandIsTheWholeRegion) {
  Task task;
  task.operands = {{RegionKind::DEEP_MOMENTUM, AccessMode::update}};
  const std::vector<Access> accesses = resolve_accesses(task, StreamKind::UPDATE, plan);
  ASSERT_EQ(accesses.size(), 1U);
  EXPECT_EQ(accesses[0].region, plan.region(RegionKind::DEEP_MOMENTUM).id);
  EXPECT_EQ(accesses[0].offset, 0U);
  EXPECT_EQ(accesses[0].bytes, plan.region(RegionKind::DEEP_MOMENTUM).bytes);
}

TEST_F(SmallPlan, AWorkspaceIsScratchOfTheStreamTheTaskRunsOn) {
  Task task;
  task.operands = {{activation, AccessMode::read}};
  task.workspace_bytes = 96;
  for (const StreamKind stream : {StreamKind::COMP_1, StreamKind::COMP_3}) {
    const std::vector<Access> accesses = resolve_accesses(task, stream, plan);
    ASSERT_EQ(accesses.size(), 2U);
    EXPECT_EQ(plan.region(accesses[1].region).stream, stream);
    EXPECT_EQ(accesses[1].mode, AccessMode::scratch);
    EXPECT_EQ(accesses[1].bytes, 96U);
    EXPECT_EQ(accesses[1].offset, 0U);
  }
  EXPECT_TRUE(conflict(resolve_accesses(task, StreamKind::COMP_1, plan)[1],
                       resolve_accesses(task, StreamKind::COMP_1, plan)[1]));
  EXPECT_FALSE(conflict(resolve_accesses(task, StreamKind::COMP_1, plan)[1],
                        resolve_accesses(task, StreamKind::COMP_3, plan)[1]));
}

TEST_F(SmallPlan, AHostTaskNeedsNoStream) {
  Task task;
  task.operands = {{batch, AccessMode::write}};
  EXPECT_EQ(resolve_accesses(task, std::nullopt, plan).size(), 1U);
}

}  // namespace
}  // namespace quintet
