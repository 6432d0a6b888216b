#include "runtime/model/access.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace quintet {
namespace {

Access range(std::uint64_t offset, std::uint64_t bytes, AccessMode mode = AccessMode::write) {
  return {.offset = offset, .bytes = bytes, .mode = mode};
}

std::set<std::uint64_t> bytes_of(const Access& access) {
  std::set<std::uint64_t> bytes;
  for (std::uint64_t piece = 0; piece < access.count; ++piece) {
    for (std::uint64_t byte = 0; byte < access.bytes; ++byte)
      bytes.insert(access.offset + piece * access.stride + byte);
  }
  return bytes;
}

TEST(Access, RangesThatOnlyTouchDoNotOverlap) {
  EXPECT_TRUE(overlap_of(range(0, 64), range(64, 64)).empty());
  EXPECT_TRUE(overlap_of(range(64, 64), range(0, 64)).empty());
  const ByteRange one = overlap_of(range(0, 65), range(64, 64));
  EXPECT_EQ(one.begin, 64U);
  EXPECT_EQ(one.end, 65U);
}

TEST(Access, OfNoBytesOverlapsNothing) {
  EXPECT_TRUE(overlap_of(range(10, 0), range(0, 64)).empty());
  EXPECT_TRUE(overlap_of(range(0, 64), range(10, 0)).empty());
}

TEST(Access, InAnotherRegionDoesNotOverlap) {
  Access elsewhere = range(0, 64);
  elsewhere.region = RegionId(1);
  EXPECT_TRUE(overlap_of(range(0, 64), elsewhere).empty());
}

TEST(Access, InterleavedColumnsDoNotOverlap) {
  const Access even{.offset = 0, .bytes = 4, .stride = 8, .count = 10, .mode = AccessMode::write};
  const Access odd{.offset = 4, .bytes = 4, .stride = 8, .count = 10, .mode = AccessMode::write};
  EXPECT_TRUE(overlap_of(even, odd).empty());
  EXPECT_FALSE(conflict(even, odd));
  EXPECT_TRUE(conflict(even, even));
}

TEST(Access, ConflictsOnlyWhereOneWrites) {
  const Access read = range(0, 8, AccessMode::read);
  for (const AccessMode mode : {AccessMode::write, AccessMode::update, AccessMode::scratch}) {
    EXPECT_TRUE(conflict(read, range(4, 8, mode))) << name_of(mode);
    EXPECT_TRUE(conflict(range(4, 8, mode), read)) << name_of(mode);
  }
  EXPECT_FALSE(conflict(read, read));
}

TEST(Access, EndIsOnePastTheLastByteTouched) {
  EXPECT_EQ(range(16, 8).end(), 24U);
  EXPECT_EQ((Access{.offset = 16, .bytes = 8, .stride = 32, .count = 3}).end(), 88U);
}

TEST(Access, OverlapAgreesWithBruteForceOverBytes) {
  std::mt19937 random(20261129);
  const auto pick = [&](std::uint64_t from, std::uint64_t to) {
    return std::uniform_int_distribution<std::uint64_t>(from, to)(random);
  };
  // Strides below `bytes` (pieces that overlap each other) and of 0 included.
  const auto any_access = [&] {
    return Access{.offset = pick(0, 60),
                  .bytes = pick(0, 12),
                  .stride = pick(0, 20),
                  .count = pick(1, 8),
                  .mode = AccessMode::write};
  };
  int overlapping = 0;
  for (int round = 0; round < 20000; ++round) {
    const Access a = any_access();
    const Access b = any_access();
    const std::set<std::uint64_t> of_a = bytes_of(a);
    std::set<std::uint64_t> common;
    for (const std::uint64_t byte : bytes_of(b)) {
      if (of_a.contains(byte)) common.insert(byte);
    }
    const ByteRange overlap = overlap_of(a, b);
    ASSERT_EQ(overlap.empty(), common.empty()) << "round " << round;
    if (common.empty()) continue;
    ++overlapping;
    EXPECT_EQ(overlap.begin, *common.begin()) << "round " << round;
    for (std::uint64_t byte = overlap.begin; byte < overlap.end; ++byte)
      EXPECT_TRUE(common.contains(byte)) << "round " << round;
  }
  EXPECT_GT(overlapping, 2000);
  EXPECT_LT(overlapping, 18000);
}

}  // namespace
}  // namespace quintet
