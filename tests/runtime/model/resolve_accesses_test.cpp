#include <algorithm>
#include <gtest/gtest.h>

#include "runtime/model/memory_plan.h"

namespace quintet {
namespace {

/// One activation behind another tensor, one pinned batch, some momentum; workspace on COMP_1 and
/// COMP_3 only.
struct SmallPlan : testing::Test {
  TensorId activation{0};
  TensorId batch{1};
  MemoryPlan plan = make_plan();

  static MemoryPlan make_plan() {
    std::vector<Region> regions = empty_regions();
    const auto sized = [&](const auto& is_it, std::uint64_t bytes) {
      Region& region = *std::find_if(regions.begin(), regions.end(), is_it);
      region.bytes = bytes;
      return region.id;
    };
    const auto of_kind = [](RegionKind kind) {
      return [kind](const Region& region) { return region.kind == kind; };
    };
    const auto of_stream = [](StreamKind stream) {
      return [stream](const Region& region) { return region.stream == stream; };
    };
    const RegionId features = sized(of_kind(RegionKind::FEATURES), 256);
    const RegionId host = sized(of_kind(RegionKind::HOST_BATCH_A), 64);
    sized(of_kind(RegionKind::DEEP_MOMENTUM), 192);
    sized(of_stream(StreamKind::COMP_1), 128);
    sized(of_stream(StreamKind::COMP_3), 256);
    return MemoryPlan(GradientMode::separate, regions, {{features, 64, 160}, {host, 0, 28}});
  }
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
