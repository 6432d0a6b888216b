#include "profiler/analysis/overlap.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(Overlap, IsTheShareOfTheLessBusyLane) {
  const IntervalSet a({{0, 100}});
  const IntervalSet b({{90, 110}});
  EXPECT_DOUBLE_EQ(pair_overlap(a, b).value(), 0.5);
  EXPECT_DOUBLE_EQ(pair_overlap(b, a).value(), 0.5);
}

TEST(Overlap, OfALaneThatNeverWorksIsNothing) {
  EXPECT_FALSE(pair_overlap(IntervalSet({{0, 4}}), IntervalSet()));
}

TEST(Overlap, HiddenShareRefersToTheHiddenPart) {
  const IntervalSet copy({{0, 40}});
  const IntervalSet compute({{30, 400}});
  EXPECT_DOUBLE_EQ(hidden_share(copy, compute).value(), 0.25);
  EXPECT_FALSE(hidden_share(IntervalSet(), compute));
}

TEST(Overlap, MatrixIsSymmetricWithOnesWhereALaneIsBusy) {
  const OverlapMatrix matrix({IntervalSet({{0, 10}}), IntervalSet({{5, 25}}), IntervalSet()});
  EXPECT_EQ(matrix.size(), 3U);
  EXPECT_EQ(matrix.at(0, 0), 1.0);
  EXPECT_EQ(matrix.at(0, 1), 0.5);
  EXPECT_EQ(matrix.at(1, 0), 0.5);
  EXPECT_FALSE(matrix.at(2, 2));
}

}  // namespace
}  // namespace quintet
