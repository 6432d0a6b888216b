#include "runtime/model/result.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(Error, IsOneLineWithPlaceMessageAndCure) {
  EXPECT_EQ(to_string({"no stream named COMP_9", "use COMP_1", "p.toml", 7}),
            "p.toml:7: no stream named COMP_9; use COMP_1");
}

TEST(Error, LeavesOutWhatItDoesNotKnow) {
  EXPECT_EQ(to_string({"file is empty", "", "p.toml", 0}), "p.toml: file is empty");
  EXPECT_EQ(to_string({"batch is 0", "make it at least 1", "", 0}),
            "batch is 0; make it at least 1");
}

TEST(Error, FailMakesAResultWithoutAValue) {
  const Result<int> result = fail("no", "yes", "f", 2);
  ASSERT_FALSE(result);
  EXPECT_EQ(to_string(result.error()), "f:2: no; yes");
}

}  // namespace
}  // namespace quintet
