#include "profiler/trace/span_history.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "tests/support/random.h"

namespace quintet {
namespace {

TEST(SpanHistory, ForgetsWhatIsLongPast) {
  SpanHistory history;
  EXPECT_EQ(history.shared_with(history), 0U);
  history.restart();
  const SpanHistory first = history;
  EXPECT_GT(history.shared_with(first), 1'000'000U);
  for (std::size_t state = 1; state <= SpanHistory::kMostChanges; ++state)
    history.grow(100 * state);
  EXPECT_EQ(history.shared_with(first), 100U);
  const SpanHistory last = history;
  history.grow(150);
  EXPECT_EQ(history.shared_with(first), 100U);
  EXPECT_EQ(history.shared_with(last), 150U);
  for (std::size_t state = 1; state <= SpanHistory::kMostChanges; ++state)
    history.grow(10'000 + state);
  EXPECT_EQ(history.shared_with(first), 0U);
}

TEST(SpanHistory, TellsTheLeastOfAllChangesInBetween) {
  TestRandom random(1);
  std::vector<SpanHistory> states(1);
  states[0].restart();
  std::vector<std::size_t> unchanged = {0};
  for (int state = 1; state < 200; ++state) {
    states.push_back(states.back());
    unchanged.push_back(static_cast<std::size_t>(random.integer(0, 1000) + 20 * state));
    states.back().grow(unchanged.back());
    for (std::size_t earlier = 0; earlier + 1 < states.size(); ++earlier) {
      const std::size_t least = *std::min_element(
          unchanged.begin() + static_cast<std::ptrdiff_t>(earlier) + 1, unchanged.end());
      const std::size_t shared = states.back().shared_with(states[earlier]);
      const bool recent = states.size() - earlier <= SpanHistory::kMostChanges;
      ASSERT_TRUE(shared == least || (!recent && shared == 0)) << earlier << " of " << state;
    }
  }
  SpanHistory other;
  other.restart();
  EXPECT_EQ(states.back().shared_with(other), 0U);
}

}  // namespace
}  // namespace quintet
