#include "runtime/data/epoch_order.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "runtime/data/random_bits.h"

namespace quintet {
namespace {

TEST(RandomBits, AreThoseOfSplitMix64) {
  RandomBits random(1234567);  // the reference values of the published generator
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
}

TEST(RandomBits, StayBelowTheirBoundAndReachAllOfIt) {
  RandomBits random(1);
  std::map<std::uint64_t, int> seen;
  for (int draw = 0; draw < 7000; ++draw)
    ++seen[random.below(7)];
  ASSERT_EQ(seen.size(), 7U);
  EXPECT_EQ(seen.rbegin()->first, 6U);
  for (const auto& [value, times] : seen)
    EXPECT_NEAR(times, 1000, 150) << value;
  EXPECT_EQ(random.below(1), 0U);
}

TEST(EpochOrder, VisitsEveryImageOnce) {
  for (const std::int64_t count : {0, 1, 2, 3, 64, 1000}) {
    auto order = epoch_order(count, 5, 0);
    ASSERT_EQ(static_cast<std::int64_t>(order.size()), count);
    std::sort(order.begin(), order.end());
    for (std::uint32_t n = 0; n < order.size(); ++n)
      EXPECT_EQ(order[n], n);
  }
}

TEST(EpochOrder, DependsOnSeedAndEpochAlone) {
  EXPECT_EQ(epoch_order(100, 1, 2), epoch_order(100, 1, 2));
  EXPECT_NE(epoch_order(100, 1, 2), epoch_order(100, 1, 3));
  EXPECT_NE(epoch_order(100, 1, 2), epoch_order(100, 2, 2));
  EXPECT_NE(epoch_order(100, 1, 2), epoch_order(100, 2, 1));
  // Pinned: losses that people compare must not move with a compiler or a library.
  EXPECT_EQ(epoch_order(8, 1, 0), (std::vector<std::uint32_t>{0, 3, 4, 7, 5, 6, 1, 2}));
}

TEST(EpochOrder, TakesAllOrdersEquallyOften) {
  std::map<std::vector<std::uint32_t>, int> seen;
  for (std::int64_t epoch = 0; epoch < 6000; ++epoch)
    ++seen[epoch_order(3, 1, epoch)];
  ASSERT_EQ(seen.size(), 6U);
  for (const auto& [order, times] : seen)
    EXPECT_NEAR(times, 1000, 150);
}

}  // namespace
}  // namespace quintet
