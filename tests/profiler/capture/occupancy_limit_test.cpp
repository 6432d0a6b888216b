#include "profiler/capture/occupancy_limit.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

/// Compute capability 9.0.
constexpr MultiprocessorLimits kHopper{132, 32, 2048, 32, 65536, 233472, 1024};

LaunchShape shape(std::uint32_t threads, std::uint32_t registers, std::uint64_t shared = 0) {
  LaunchShape launch;
  launch.block = {threads, 1, 1};
  launch.registers = registers;
  launch.dynamic_shared_bytes = shared;
  return launch;
}

double occupancy(const LaunchShape& launch) {
  return theoretical_occupancy(kHopper, launch).value_or(-1);
}

TEST(Occupancy, IsLimitedByThreadsBlocksRegistersOrSharedMemory) {
  EXPECT_DOUBLE_EQ(occupancy(shape(256, 32)), 1.0) << "8 blocks of 8 warps, 32 registers fit";
  EXPECT_DOUBLE_EQ(occupancy(shape(32, 16)), 0.5) << "32 blocks of one warp";
  EXPECT_DOUBLE_EQ(occupancy(shape(1024, 32)), 1.0);
  EXPECT_DOUBLE_EQ(occupancy(shape(768, 32)), 0.75) << "a third block would need 72 warps";
  EXPECT_DOUBLE_EQ(occupancy(shape(256, 64)), 0.5) << "32 warps of 2,048 registers";
  EXPECT_DOUBLE_EQ(occupancy(shape(128, 168)), 12.0 / 64)
      << "5,376 registers a warp: 3 a partition";
  EXPECT_DOUBLE_EQ(occupancy(shape(384, 168)), 12.0 / 64);
  EXPECT_DOUBLE_EQ(occupancy(shape(384, 168, 220 * 1024)), 12.0 / 64) << "one block by memory too";
  EXPECT_DOUBLE_EQ(occupancy(shape(128, 32, 113 * 1024)), 8.0 / 64) << "two blocks of 114 KiB";
  EXPECT_DOUBLE_EQ(occupancy(shape(33, 32)), 1.0) << "33 threads take two warps: 32 blocks of 2";
}

TEST(Occupancy, IsUnknownWhereALimitIsUnknownOrABlockDoesNotFit) {
  EXPECT_FALSE(theoretical_occupancy({}, shape(128, 32)));
  EXPECT_FALSE(theoretical_occupancy(kHopper, shape(0, 32)));
  EXPECT_FALSE(theoretical_occupancy(kHopper, shape(1024, 255)));
  EXPECT_FALSE(theoretical_occupancy(kHopper, shape(128, 32, 300 * 1024)));
}

}  // namespace
}  // namespace quintet
