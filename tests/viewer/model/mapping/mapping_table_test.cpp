// The table of a policy: every task is in it once, on the stream and with the reason that the
// policy gives.
#include "viewer/model/mapping/mapping_table.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

#include "runtime/policy/policy_catalog.h"
#include "tests/runtime/policy/network_input.h"

namespace quintet::test {
namespace {

std::uint32_t sum(const MappingRow& row) {
  return std::accumulate(row.tasks.begin(), row.tasks.end(), row.unplaced);
}

const MappingRow& row_called(const MappingTable& table, MappingLevel level,
                             const std::string& label) {
  const auto found = std::find_if(table.rows.begin(), table.rows.end(), [&](const MappingRow& row) {
    return row.level == level && row.label == label;
  });
  EXPECT_NE(found, table.rows.end()) << label;
  return *found;
}

TEST(MappingTable, HoldsEveryTaskOnceOnEachLevel) {
  const std::vector<Task> tasks = planned_input("lenet5").tasks;
  std::set<std::string> names;
  for (const Task& task : tasks) {
    if (!runs_on_host(task.graph)) names.insert(task.name);
  }
  for (const BuiltinPolicy& builtin : policy_catalog()) {
    const PolicyDraft draft(*find_policy(std::string(builtin.name)));
    const MappingTable table = mapping_table(tasks, draft.state());
    EXPECT_FALSE(table.problem.has_value());
    std::uint32_t ops = 0;
    std::uint32_t layers = 0;
    for (const MappingRow& row : table.rows) {
      EXPECT_FALSE(row.reason.empty()) << row.label;
      if (row.level == MappingLevel::op) ops += sum(row);
      if (row.level == MappingLevel::layer) layers += sum(row);
    }
    EXPECT_EQ(ops, names.size());
    EXPECT_EQ(layers, names.size());
    EXPECT_FALSE(table.launches.empty());
  }
}

TEST(MappingTable, SaysWhichRuleOrHandPlacedARow) {
  const std::vector<Task> tasks = planned_input("lenet5").tasks;
  PolicyDraft draft(*find_policy("renaissance"));
  const MappingRow before =
      row_called(mapping_table(tasks, draft.state()), MappingLevel::part, "conv dW");
  EXPECT_THAT(before.reason, testing::HasSubstr("part CONV_FP32_BWD/dW -> COMP_1"));
  ASSERT_TRUE(draft.apply(move_task(tasks, draft.policy(), tasks[before.task.value()],
                                    StreamKind::COMP_2, reach_of(before.level))));
  const MappingTable table = mapping_table(tasks, draft.state());
  const MappingRow& after = row_called(table, MappingLevel::part, "conv dW");
  EXPECT_EQ(after.tasks[index_of(StreamKind::COMP_2)], sum(after));
  EXPECT_THAT(after.reason, testing::HasSubstr("(moved by hand: conv dW -> COMP_2)"));
}

TEST(MappingTable, SaysWhichTaskHasNoStream) {
  const std::vector<Task> tasks = planned_input("lenet5").tasks;
  StreamPolicy policy = *find_policy("serial");
  policy.ops.erase("CONV_FP32_FWD");
  const PolicyDraft draft(policy);
  const MappingTable table = mapping_table(tasks, draft.state());
  ASSERT_TRUE(table.problem.has_value());
  EXPECT_THAT(table.problem->message, testing::HasSubstr("CONV_FP32_FWD"));
  const MappingRow& row = row_called(table, MappingLevel::op, "conv fwd");
  EXPECT_EQ(row.unplaced, sum(row));
}

}  // namespace
}  // namespace quintet::test
