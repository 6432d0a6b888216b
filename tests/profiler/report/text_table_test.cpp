#include "profiler/report/text_table.h"

#include <gtest/gtest.h>

#include "profiler/trace/utf8.h"

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

TEST(TextTable, CellsAreEscapedBeforeTheyAreMeasured) {
  const std::string table = text_table({{"name", ColumnAlign::left}, {"n", ColumnAlign::right}},
                                       {{"a\x1b[2J\n", "1"}, {"b", "2"}}, false);
  EXPECT_EQ(table,
            "  name        n\n"
            "  ----------  -\n"
            "  a\\x1b[2J\\n  1\n"
            "  b           2\n");
}

TEST(VisibleText, NamesWhatATerminalWouldObey) {
  EXPECT_EQ(visible_text("a\tb\r\n\x1b\x7f"), "a\\tb\\r\\n\\x1b\\x7f");
  EXPECT_EQ(visible_text("a\tb\r\n", "\n\t"), "a\tb\\r\n");
  EXPECT_EQ(visible_text(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(visible_text("\u0080\u009f\u200f\u202e\u2069\u2028"),
            "\\u0080\\u009f\\u200f\\u202e\\u2069\\u2028");
  EXPECT_EQ(visible_text("\xff\xc2 \xed\xa0\x80"), "\\xff\\xc2 \\xed\\xa0\\x80");
  EXPECT_EQ(visible_text("\xef\xbf\xbe"), "\\ufffe");
}

TEST(VisibleText, LeavesLettersOfEveryScriptAndBackslashesAlone) {
  for (const char* text : {"", "plain", "C:\\cuda\\lib", "gr\u00f6\u00dfe", "\u6838\u5fc3",
                           "\U0001F600", "\u00a0\ufeff\u2588"})
    EXPECT_EQ(visible_text(text), text);
}

TEST(VisibleText, OfJsonSaysTheSame) {
  EXPECT_EQ(visible_json("{\n\"\x7f\u009b\u202e\u00e4\"}"), "{\n\"\\u007f\\u009b\\u202e\u00e4\"}");
}

}  // namespace
}  // namespace quintet
