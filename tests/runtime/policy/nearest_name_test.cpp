#include "runtime/policy/nearest_name.h"

#include <array>
#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(NearestName, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("stream", "stream"), 0U);
  EXPECT_EQ(edit_distance("stream", "steam"), 1U);
  EXPECT_EQ(edit_distance("steam", "stream"), 1U);
  EXPECT_EQ(edit_distance("COMP_1", "COMP_4"), 1U);
  EXPECT_EQ(edit_distance("COPM_1", "COMP_1"), 1U);
  EXPECT_EQ(edit_distance("comp_1", "COMP_1"), 0U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearestName, TakesTheNearestAndOfEqualsTheFirst) {
  const std::array<std::string_view, 3> known = {"COMP_1", "COMP_2", "UPDATE"};
  EXPECT_EQ(nearest_name("UPDAET", known), "UPDATE");
  EXPECT_EQ(nearest_name("COMP_9", known), "COMP_1");
  EXPECT_EQ(nearest_name("comp2", known), "COMP_2");
}

TEST(NearestName, GuessesNothingWhereNothingIsNear) {
  const std::array<std::string_view, 2> known = {"serial", "renaissance"};
  EXPECT_EQ(nearest_name("tuned", known), std::nullopt);
  EXPECT_EQ(nearest_name("", known), std::nullopt);
  EXPECT_EQ(suggestion("tuned", known), "use one of serial, renaissance");
  EXPECT_EQ(suggestion("renaisance", known), "did you mean \"renaissance\"?");
}

TEST(NearestName, DoesNotTurnOneLetterIntoAnother) {
  const std::array<std::string_view, 2> known = {"a", "b"};
  EXPECT_EQ(nearest_name("c", known), std::nullopt);
}

}  // namespace
}  // namespace quintet
