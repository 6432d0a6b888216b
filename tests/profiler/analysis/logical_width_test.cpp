#include "profiler/analysis/logical_width.h"

#include <bit>
#include <gtest/gtest.h>
#include <random>

#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

/// By trying every subset of the nodes.
std::size_t widest_subset(std::size_t nodes, const Edges& edges) {
  std::vector<std::uint32_t> reach(nodes);
  for (std::size_t node = nodes; node-- > 0;) {
    for (const auto& [from, to] : edges) {
      if (from == node) reach[node] |= (1U << to) | reach[to];
    }
  }
  std::size_t widest = 0;
  for (std::uint32_t subset = 0; subset < (1U << nodes); ++subset) {
    bool free = true;
    for (std::size_t node = 0; node < nodes; ++node) {
      if ((subset >> node & 1U) != 0 && (reach[node] & subset) != 0) free = false;
    }
    if (free) widest = std::max(widest, static_cast<std::size_t>(std::popcount(subset)));
  }
  return widest;
}

TEST(LogicalWidth, EqualsTheWidestSubsetOfRandomGraphs) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t nodes = random() % 10;
    Edges edges;
    const auto density = 1 + random() % 6;
    for (std::size_t to = 0; to < nodes; ++to) {
      for (std::size_t from = 0; from < to; ++from) {
        if (random() % 8 < density) edges.emplace_back(from, to);
      }
    }
    ASSERT_EQ(max_antichain(nodes, edges), widest_subset(nodes, edges));
  }
}

TEST(LogicalWidth, OfChainAndOfIndependentTasks) {
  EXPECT_EQ(max_antichain(3, {{0, 1}, {1, 2}}), 1U);
  EXPECT_EQ(max_antichain(4, {}), 4U);
  EXPECT_EQ(max_antichain(0, {}), 0U);
}

TEST(LogicalWidth, OfAGraphByDataAndAsCaptured) {
  Trace trace = tiny_trace();
  TaskRelations relations(trace);
  EXPECT_EQ(logical_width(trace, trace.graphs[1], relations, PathOrder::data), 2U);
  EXPECT_EQ(logical_width(trace, trace.graphs[1], relations, PathOrder::as_run), 2U);
  for (TraceTask& task : trace.tasks)
    task.policy_lane = lane_of(StreamKind::COMP_1);
  EXPECT_EQ(logical_width(trace, trace.graphs[1], relations, PathOrder::as_run), 1U);
}

}  // namespace
}  // namespace quintet
