#include "profiler/report/row_assigner.h"

#include <gtest/gtest.h>
#include <vector>

namespace quintet {
namespace {

TEST(RowAssigner, PutsWhatOverlapsOnFurtherRows) {
  RowAssigner rows(RowNesting::none);
  EXPECT_EQ(rows.place(0, 10), 0U);
  EXPECT_EQ(rows.place(5, 8), 1U);
  EXPECT_EQ(rows.place(6, 20), 2U);
  EXPECT_EQ(rows.place(8, 9), 1U);    // half-open: the second row is free from 8 on
  EXPECT_EQ(rows.place(10, 30), 0U);  // and the first one from 10 on
  EXPECT_EQ(rows.size(), 3U);
}

TEST(RowAssigner, ContainedSlicesShareARowWhereNestingIsAllowed) {
  RowAssigner rows(RowNesting::contained);
  EXPECT_EQ(rows.place(0, 100), 0U);
  EXPECT_EQ(rows.place(10, 50), 0U);
  EXPECT_EQ(rows.place(20, 50), 0U);
  EXPECT_EQ(rows.place(40, 60), 1U);  // reaches out of what it begins in
  EXPECT_EQ(rows.place(50, 100), 0U);
}

TEST(RowAssigner, EmptySlicesTakeNoPlaceButAreNotPutIntoOthers) {
  RowAssigner rows(RowNesting::none);
  EXPECT_EQ(rows.place(5, 5), 0U);
  EXPECT_EQ(rows.place(5, 10), 0U);
  EXPECT_EQ(rows.place(7, 7), 1U);
  EXPECT_EQ(rows.place(10, 10), 0U);
}

TEST(RowAssigner, TakesAsManyRowsAsEverOverlapAndFillsThemAgain) {
  RowAssigner rows(RowNesting::none);
  constexpr std::int64_t kMany = 20'000;
  for (std::int64_t begin = 0; begin < kMany; ++begin)
    EXPECT_EQ(rows.place(begin, kMany + begin), static_cast<std::size_t>(begin));
  EXPECT_EQ(rows.place(kMany, kMany + 1), 0U);
  EXPECT_EQ(rows.size(), static_cast<std::size_t>(kMany));
}

}  // namespace
}  // namespace quintet
