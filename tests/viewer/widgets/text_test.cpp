#include "viewer/widgets/text.h"

#include <gtest/gtest.h>

namespace quintet::viewer {
namespace {

/// A letter is one wide.
float letters(std::string_view text) {
  return static_cast<float>(text.size());
}

TEST(BrokenText, BreaksAtSpacesAndLeavesNumbersWhole) {
  EXPECT_EQ(broken_at_spaces("measured 3.0434 ms a step", 12, letters),
            "measured\n3.0434 ms a\nstep");
  EXPECT_EQ(broken_at_spaces("all fits", 8, letters), "all fits");
  EXPECT_EQ(broken_at_spaces("", 8, letters), "");
}

TEST(BrokenText, KeepsLinesThatAreThereAndWordsThatDoNotFit) {
  EXPECT_EQ(broken_at_spaces("one two\nthree four", 9, letters), "one two\nthree\nfour");
  EXPECT_EQ(broken_at_spaces("a /very/long/path is here", 8, letters),
            "a\n/very/long/path\nis here");
  EXPECT_EQ(broken_at_spaces("two words", 0, letters), "two\nwords");
}

}  // namespace
}  // namespace quintet::viewer
