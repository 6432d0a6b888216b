#include "runtime/model/region.h"

#include <gtest/gtest.h>
#include <set>

namespace quintet {
namespace {

TEST(Region, ThoseOfTheHostAreNamedSo) {
  std::set<std::string_view> names;
  for (std::size_t index = 0; index < kRegionKindCount; ++index) {
    const auto kind = static_cast<RegionKind>(index);
    EXPECT_TRUE(names.insert(name_of(kind)).second) << name_of(kind) << " twice";
    EXPECT_EQ(space_of(kind) == MemorySpace::host, name_of(kind).starts_with("HOST_"))
        << name_of(kind);
  }
}

TEST(Region, AWorkspaceCarriesTheNameOfItsStream) {
  const Region workspace{.kind = RegionKind::WORKSPACE, .stream = StreamKind::COMP_2};
  EXPECT_EQ(workspace.name(), "WORKSPACE/COMP_2");
  EXPECT_EQ(workspace.space(), MemorySpace::device);
  EXPECT_EQ(Region{.kind = RegionKind::HOST_BATCH_A}.name(), "HOST_BATCH_A");
}

}  // namespace
}  // namespace quintet
