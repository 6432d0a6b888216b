#include "profiler/compare/false_discovery.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(FalseDiscovery, AdjustsByRankAndNeverDecreases) {
  // 0.01 * 4 / 1, 0.02 * 4 / 2, 0.03 * 4 / 3, 0.5 * 4 / 4, given in another order.
  const std::vector<double> adjusted = adjusted_p_values({0.5, 0.02, 0.01, 0.03});
  EXPECT_DOUBLE_EQ(adjusted[2], 0.04);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.04);
  EXPECT_DOUBLE_EQ(adjusted[3], 0.04);
  EXPECT_DOUBLE_EQ(adjusted[0], 0.5);
}

TEST(FalseDiscovery, OfOneTestChangesNothingAndOfNoneIsNone) {
  EXPECT_EQ(adjusted_p_values({0.3}), std::vector<double>{0.3});
  EXPECT_TRUE(adjusted_p_values({}).empty());
}

TEST(FalseDiscovery, NeverExceedsOne) {
  for (const double p : adjusted_p_values({0.9, 1, 1, 0.8}))
    EXPECT_LE(p, 1);
}

}  // namespace
}  // namespace quintet
