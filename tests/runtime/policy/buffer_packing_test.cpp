#include "runtime/policy/buffer_packing.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace quintet {
namespace {

/// Buffers that live over an interval of times: those whose intervals meet may not share.
struct Lives {
  std::vector<std::uint64_t> sizes;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> times;  ///< both ends included

  [[nodiscard]] bool may_share(std::size_t a, std::size_t b) const {
    return a != b && (times[a].second < times[b].first || times[b].second < times[a].first);
  }
  [[nodiscard]] BufferPacking pack() const {
    return pack_buffers(sizes, [this](std::size_t a, std::size_t b) { return may_share(a, b); });
  }
  [[nodiscard]] std::uint64_t most_at_once() const {
    std::uint64_t most = 0;
    for (const auto& [begin, end] : times) {
      std::uint64_t live = 0;
      for (std::size_t i = 0; i < sizes.size(); ++i)
        live += times[i].first <= begin && begin <= times[i].second ? sizes[i] : 0;
      most = std::max(most, live);
    }
    return most;
  }
};

Lives random_lives(std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Lives lives;
  for (std::uint64_t count = 1 + engine() % 40; count > 0; --count) {
    lives.sizes.push_back(64 * (engine() % 30));
    const std::uint64_t begin = engine() % 50;
    lives.times.emplace_back(begin, begin + engine() % 15);
  }
  return lives;
}

TEST(BufferPacking, KeepsApartWhatMayNotShare) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Lives lives = random_lives(seed);
    const BufferPacking packing = lives.pack();
    const std::vector<std::uint64_t>& at = packing.offsets;
    for (std::size_t a = 0; a < at.size(); ++a) {
      ASSERT_EQ(at[a] % 64, 0U);
      ASSERT_LE(at[a] + lives.sizes[a], packing.bytes);
      for (std::size_t b = 0; b < a; ++b) {
        if (lives.may_share(a, b)) continue;
        ASSERT_TRUE(at[a] + lives.sizes[a] <= at[b] || at[b] + lives.sizes[b] <= at[a])
            << "seed " << seed << ", buffers " << a << " and " << b;
      }
    }
  }
}

TEST(BufferPacking, TakesNoMoreThanAllSizesAndNoLessThanWhatLivesAtOnce) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Lives lives = random_lives(seed);
    const std::uint64_t sum = std::accumulate(lives.sizes.begin(), lives.sizes.end(), 0UL);
    const std::uint64_t bytes = lives.pack().bytes;
    ASSERT_LE(bytes, sum);
    ASSERT_GE(bytes, lives.most_at_once());
  }
}

TEST(BufferPacking, PutsSmallBuffersOverALargeOneThatIsDead) {
  const Lives lives{{640, 128, 192, 64}, {{0, 1}, {2, 5}, {2, 5}, {0, 9}}};
  const BufferPacking packing = lives.pack();
  EXPECT_EQ(packing.bytes, 704U);
  EXPECT_EQ(packing.bytes, lives.most_at_once());
}

TEST(BufferPacking, OfNothingIsEmpty) {
  EXPECT_EQ(Lives{}.pack().bytes, 0U);
}

}  // namespace
}  // namespace quintet
