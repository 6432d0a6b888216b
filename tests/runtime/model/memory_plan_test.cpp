#include "runtime/model/memory_plan.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(MemoryPlan, HasOneRegionOfEachKindAndOneWorkspacePerStream) {
  const MemoryPlan plan(GradientMode::separate, empty_regions(), {});
  EXPECT_EQ(plan.regions().size(), kPlannedRegionKindCount - 1 + kStreamCount);
  for (std::size_t index = 0; index < plan.regions().size(); ++index)
    EXPECT_EQ(plan.regions()[index].id.value(), index);
  for (const StreamKind stream : kStreamKinds)
    EXPECT_EQ(plan.workspace(stream).stream, stream);
  EXPECT_EQ(plan.region(RegionKind::SCHEDULE).kind, RegionKind::SCHEDULE);
  EXPECT_EQ(plan.bytes(MemorySpace::device), 0U);
}

TEST(MemoryPlan, AddsUpTheRegionsOfASpace) {
  std::vector<Region> regions = empty_regions();
  for (Region& region : regions) {
    if (region.kind == RegionKind::HOST_RESULTS) region.bytes = 64;
    if (region.kind == RegionKind::FEATURES) region.bytes = 256;
    if (region.stream == StreamKind::COMP_3) region.bytes = 1024;
  }
  const MemoryPlan plan(GradientMode::in_place, regions, {}, {},
                        {.unshared = 512, .lower_bound = 192});
  EXPECT_EQ(plan.bytes(MemorySpace::host), 64U);
  EXPECT_EQ(plan.bytes(MemorySpace::device), 1280U);
  EXPECT_EQ(plan.features_unshared_bytes(), 512U);
  EXPECT_EQ(plan.features_lower_bound_bytes(), 192U);
}

TEST(MemoryPlan, PadsTensorsToTheNextMultipleOf64Bytes) {
  EXPECT_EQ(padded_bytes(0), 0U);
  EXPECT_EQ(padded_bytes(1), 64U);
  EXPECT_EQ(padded_bytes(64), 64U);
  EXPECT_EQ(padded_bytes(65), 128U);
}

}  // namespace
}  // namespace quintet
