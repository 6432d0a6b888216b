#include "runtime/model/guarded_layout.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

/// Two shape variants over each other, one with a view and a gradient in place, and weights.
class GuardedLayoutTest : public ::testing::Test {
 protected:
  TensorId add(RegionKind region, std::uint64_t offset, std::int64_t floats, ShapeId variant = {},
               std::optional<TensorId> view_of = {}) {
    Tensor tensor;
    tensor.shape = Shape({floats});
    tensor.region = region;
    tensor.variant = variant;
    tensor.view_of = view_of;
    placements_.push_back(
        {empty_.region(region).id, offset, static_cast<std::uint64_t>(floats) * sizeof(float)});
    return tensors_.add(tensor);
  }
  static Task task_on(const std::vector<OperandTarget>& targets) {
    Task task;
    for (const OperandTarget& target : targets)
      task.operands.push_back({target});
    return task;
  }
  MemoryPlan plan() const {
    std::vector<Region> regions = empty_regions();
    for (Region& region : regions) {
      if (region.kind == RegionKind::DEEP_WEIGHTS) region.bytes = 256;
      if (region.stream == StreamKind::COMP_2) region.bytes = 192;
    }
    return MemoryPlan(GradientMode::in_place, regions, placements_);
  }

  const MemoryPlan empty_{GradientMode::separate, empty_regions(), {}};
  TensorTable tensors_;
  std::vector<Placement> placements_;
  const TensorId x_ = add(RegionKind::FEATURES, 64, 5, ShapeId(1));
  const TensorId view_ = add(RegionKind::FEATURES, 64, 5, ShapeId(1), x_);
  const TensorId gradient_ = add(RegionKind::FEATURES, 64, 5, ShapeId(1));
  const TensorId x_of_tail_ = add(RegionKind::FEATURES, 64, 3, ShapeId(2));
  const TensorId weight_ = add(RegionKind::DEEP_WEIGHTS, 0, 7);
  const TensorId bias_ = add(RegionKind::DEEP_WEIGHTS, 64, 9);
  const std::vector<Task> tasks_ = {task_on({x_, weight_, gradient_}),
                                    task_on({RegionKind::DEEP_WEIGHTS})};
};

TEST_F(GuardedLayoutTest, GivesEveryOwnerOfBytesABlockOfItsSize) {
  const GuardedLayout layout = guarded_layout(tensors_, tasks_, plan());
  const auto block_of = [&](TensorId tensor) { return layout.tensors[tensor.value()]; };
  EXPECT_EQ(layout.blocks[block_of(x_)].bytes, 20U);
  EXPECT_EQ(layout.blocks[block_of(x_of_tail_)].bytes, 12U);
  EXPECT_EQ(block_of(view_), block_of(x_));
  EXPECT_NE(block_of(gradient_), block_of(x_));
  EXPECT_NE(block_of(x_of_tail_), block_of(x_));
  for (const TensorId tensor : {x_, view_, gradient_, x_of_tail_})
    EXPECT_EQ(layout.offset_of(tensor, plan()), 0U);
  EXPECT_FALSE(layout.regions[plan().region(RegionKind::FEATURES).id.value()]);
}

TEST_F(GuardedLayoutTest, KeepsARegionTogetherThatATaskTakesWhole) {
  const GuardedLayout layout = guarded_layout(tensors_, tasks_, plan());
  const std::size_t block = *layout.regions[plan().region(RegionKind::DEEP_WEIGHTS).id.value()];
  EXPECT_EQ(layout.blocks[block].bytes, 256U);
  EXPECT_EQ(layout.tensors[weight_.value()], block);
  EXPECT_EQ(layout.tensors[bias_.value()], block);
  EXPECT_EQ(layout.offset_of(weight_, plan()), 0U);
  EXPECT_EQ(layout.offset_of(bias_, plan()), 64U);
}

TEST_F(GuardedLayoutTest, CutsThatRegionUpWhereTasksTakeItsTensorsOnly) {
  const GuardedLayout layout = guarded_layout(tensors_, {tasks_.front()}, plan());
  EXPECT_NE(layout.tensors[weight_.value()], layout.tensors[bias_.value()]);
  EXPECT_EQ(layout.offset_of(bias_, plan()), 0U);
}

TEST_F(GuardedLayoutTest, GivesEveryWorkspaceABlockOfThePlannedSize) {
  const MemoryPlan memory = plan();
  const GuardedLayout layout = guarded_layout(tensors_, tasks_, memory);
  for (const StreamKind stream : kStreamKinds) {
    const Region& workspace = memory.workspace(stream);
    const MemoryBlock& block = layout.blocks[*layout.regions[workspace.id.value()]];
    EXPECT_EQ(block.region, workspace.id);
    EXPECT_EQ(block.bytes, stream == StreamKind::COMP_2 ? 192U : 0U);
  }
}

}  // namespace
}  // namespace quintet
