#include "runtime/policy/chain_cover.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "runtime/policy/nimble_policy.h"
#include "tests/support/random_dag.h"

namespace quintet::test {
namespace {

std::size_t pairs_of(const std::vector<std::optional<std::uint32_t>>& matching) {
  return static_cast<std::size_t>(std::count_if(
      matching.begin(), matching.end(), [](const auto& right) { return right.has_value(); }));
}

/// Every set of pairs without a common node, tried.
std::size_t largest_by_force(std::span<const Arc> pairs, std::set<std::uint32_t> left,
                             std::set<std::uint32_t> right) {
  if (pairs.empty()) return 0;
  const Arc first = pairs.front();
  const std::size_t without = largest_by_force(pairs.subspan(1), left, right);
  if (left.contains(first.from) || right.contains(first.to)) return without;
  left.insert(first.from);
  right.insert(first.to);
  return std::max(without, 1 + largest_by_force(pairs.subspan(1), left, right));
}

/// The largest set of nodes of which no two are ordered, by trying all sets.
std::size_t width_by_force(const StepDag& dag) {
  std::size_t widest = 0;
  for (std::uint32_t set = 0; set < (1U << dag.size()); ++set) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t at = 0; at < dag.size(); ++at) {
      if ((set >> at & 1U) != 0) nodes.push_back(at);
    }
    bool unordered = true;
    for (std::size_t a = 0; a < nodes.size() && unordered; ++a) {
      for (std::size_t b = a + 1; b < nodes.size() && unordered; ++b)
        unordered = !dag.closure().ordered(nodes[a], nodes[b]);
    }
    if (unordered) widest = std::max(widest, nodes.size());
  }
  return widest;
}

TEST(MaximumMatching, IsAsLargeAsTheLargestOfAllMatchings) {
  TestRandom random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<Arc> pairs;
    const auto count = static_cast<std::uint32_t>(random.integer(1, 7));
    for (std::int64_t pair = random.integer(0, 14); pair > 0; --pair) {
      pairs.push_back({static_cast<std::uint32_t>(random.integer(0, count - 1)),
                       static_cast<std::uint32_t>(random.integer(0, count - 1))});
    }
    const auto matching = maximum_matching(count, pairs);
    std::set<std::uint32_t> rights;
    for (std::uint32_t left = 0; left < count; ++left) {
      if (!matching[left]) continue;
      EXPECT_TRUE(rights.insert(*matching[left]).second);
      EXPECT_TRUE(std::any_of(pairs.begin(), pairs.end(), [&](const Arc& pair) {
        return pair.from == left && pair.to == *matching[left];
      }));
    }
    ASSERT_EQ(pairs_of(matching), largest_by_force(pairs, {}, {})) << "round " << round;
  }
}

TEST(MaximumMatching, FindsPathsAsLongAsTheGraph) {
  constexpr std::uint32_t kNodes = 3000;
  std::vector<Arc> pairs;  // greedy takes i -> i; the last left node then shifts all others
  for (std::uint32_t at = 0; at + 1 < kNodes; ++at) {
    pairs.push_back({at, at});
    pairs.push_back({at, at + 1});
  }
  pairs.push_back({kNodes - 1, 0});
  EXPECT_EQ(pairs_of(maximum_matching(kNodes, pairs)), kNodes);
}

TEST(NimbleCover, PutsNoTwoUnorderedTasksOnOneStreamAndUsesAsFewStreamsAsTheWidth) {
  TestRandom random(2);
  for (int round = 0; round < 150; ++round) {
    const StepDag dag = random_dag(random, static_cast<std::uint32_t>(random.integer(1, 10)),
                                   random.integer(5, 60));
    const ChainCover cover = nimble_cover(dag);
    for (std::uint32_t a = 0; a < dag.size(); ++a) {
      for (std::uint32_t b = a + 1; b < dag.size(); ++b) {
        if (cover.chain_of[a] == cover.chain_of[b]) {
          ASSERT_TRUE(dag.closure().reaches(a, b));
        }
      }
    }
    // By Dilworth no cover has fewer chains than the widest antichain has nodes.
    ASSERT_GE(cover.chains, width_by_force(dag)) << "round " << round;
  }
}

TEST(NimbleCover, IsOneChainForAChainAndOneForEachOfUnrelatedTasks) {
  std::vector<DagNode> nodes(5);
  const StepDag chain(nodes, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}});
  EXPECT_EQ(nimble_cover(chain).chains, 1U);
  const StepDag loose(nodes, {});
  EXPECT_EQ(nimble_cover(loose).chains, 5U);
}

}  // namespace
}  // namespace quintet::test
