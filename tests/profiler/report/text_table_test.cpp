#include "profiler/report/text_table.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(TextTable, AlignsNumbersOnTheRightAndLeavesNoSpacesAtTheEnd) {
  const std::string table = text_table({{"name"}, {"time", ColumnAlign::right}, {"note"}},
                                       {{"a", "1"}, {"longer", "12345", "x"}}, false);
  EXPECT_EQ(table,
            "  name     time  note\n"
            "  ------  -----  ----\n"
            "  a           1\n"
            "  longer  12345  x\n");
}

TEST(TextTable, ShortensTheFirstColumnToFit) {
  const std::string table =
      text_table({{"name"}, {"n", ColumnAlign::right}}, {{"a_very_long_name", "1"}}, false, 20);
  EXPECT_EQ(table,
            "  name             n\n"
            "  ---------------  -\n"
            "  a_very_long_na~  1\n");
}

}  // namespace
}  // namespace quintet
