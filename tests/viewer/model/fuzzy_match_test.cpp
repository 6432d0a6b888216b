#include "viewer/model/fuzzy_match.h"

#include <gtest/gtest.h>
#include <string>

namespace quintet::viewer {
namespace {

TEST(FuzzyMatch, TakesLettersInTheirOrderInAnyCase) {
  EXPECT_TRUE(fuzzy_score("zts", "Zoom to selection"));
  EXPECT_TRUE(fuzzy_score("ZOOM", "Zoom to selection"));
  EXPECT_FALSE(fuzzy_score("stz", "Zoom to selection"));
  EXPECT_TRUE(fuzzy_score("", "anything"));
  EXPECT_FALSE(fuzzy_score("a", ""));
}

TEST(FuzzyMatch, BeginningsOfWordsAndRowsOfLettersWin) {
  EXPECT_GT(*fuzzy_score("st", "Show tasks"), *fuzzy_score("st", "The last one"));
  EXPECT_GT(*fuzzy_score("task", "Show tasks"), *fuzzy_score("task", "The last kind"));
}

TEST(FuzzyMatch, AWordAsItIsTypedGoesBeforeItsLettersInTwo) {
  EXPECT_GT(*fuzzy_score("theme", "Dark or light theme"),
            *fuzzy_score("theme", "Dismiss the message"));
}

TEST(FuzzyMatch, ALongPatternOverALongTextEnds) {
  const std::string text(2000, 'a');
  EXPECT_TRUE(fuzzy_score(text.substr(0, 1000), text));
  EXPECT_FALSE(fuzzy_score(text.substr(0, 1000) + "b", text));
}

TEST(FuzzyMatch, ABlankParts) {
  EXPECT_TRUE(fuzzy_score("show log", "Show log"));
  EXPECT_TRUE(fuzzy_score("  log ", "Show log"));
  EXPECT_EQ(fuzzy_score("   ", "Show log"), 0);
}

TEST(ContainsText, LooksForAPartInAnyCase) {
  EXPECT_TRUE(contains_text("conv3/CONV_FP32_BWD/dW", "conv_fp32"));
  EXPECT_TRUE(contains_text("x", ""));
  EXPECT_TRUE(contains_text("", ""));
  EXPECT_FALSE(contains_text("", "a"));
}

}  // namespace
}  // namespace quintet::viewer
