#include "profiler/capture/node_table.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

constexpr std::uint64_t kCaptured = std::uint64_t{1} << 32;
constexpr std::uint64_t kExecutable = std::uint64_t{2} << 32;

NodeOwner owner(std::uint32_t task) {
  return {task, 2, 0, 0};
}

TEST(NodeTable, FindsTheOwnerOfAnExecutableNodeThroughItsClone) {
  NodeTable nodes;
  nodes.created(kCaptured + 7, 3);
  nodes.captured(kCaptured + 7, owner(3));
  nodes.cloned(kCaptured + 7, kExecutable + 7);
  const NodeOwner* found = nodes.owner(kExecutable + 7);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->task, 3U);
  EXPECT_EQ(found->lane, 2U);
  EXPECT_EQ(found->captured, kCaptured + 7);
  EXPECT_EQ(nodes.owner(kExecutable + 8), nullptr);
  EXPECT_EQ(nodes.mismatches(), 0U);
}

TEST(NodeTable, KeepsTheOriginalThroughAChainOfClonesAndASecondInstantiation) {
  NodeTable nodes;
  nodes.captured(kCaptured, owner(1));
  nodes.cloned(kCaptured, kExecutable);
  nodes.cloned(kExecutable, kExecutable + 100);
  nodes.cloned(kCaptured, kExecutable + 200);
  for (const std::uint64_t node : {kExecutable, kExecutable + 100, kExecutable + 200}) {
    ASSERT_NE(nodes.owner(node), nullptr) << node;
    EXPECT_EQ(nodes.owner(node)->captured, kCaptured);
  }
  EXPECT_EQ(nodes.executable_nodes(), 3U);
}

TEST(NodeTable, CountsNodesOnWhichTheTwoSourcesDisagree) {
  NodeTable nodes;
  nodes.captured(kCaptured, owner(1));
  EXPECT_EQ(nodes.mismatches(), 0U) << "one source contradicts nobody";
  nodes.created(kCaptured, 2);
  EXPECT_EQ(nodes.mismatches(), 1U) << "another task";
  nodes.captured(kCaptured + 1, owner(1));
  EXPECT_EQ(nodes.mismatches(), 2U) << "found by the frontier alone";
  nodes.created(kCaptured + 2, 5);
  EXPECT_EQ(nodes.mismatches(), 3U) << "created in a task and not behind it";
  nodes.created(kCaptured + 3, std::nullopt);
  EXPECT_EQ(nodes.mismatches(), 3U) << "nodes between tasks (waits, joins) are nobody's";
}

}  // namespace
}  // namespace quintet
