// The proof beside an edit: what it says of races, waits and memory, and what it forbids.
#include "viewer/model/mapping/mapping_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/policy/plan_builder.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/runtime/policy/network_input.h"
#include "viewer/model/mapping/policy_draft.h"

namespace quintet::test {
namespace {

PlanMaker maker_of(const std::string& network) {
  return [input = planned_input(network)](const StreamPolicy& policy) {
    return build_plan(input, policy);
  };
}

StreamPolicy builtin(const std::string& name) {
  return *find_policy(name);
}

PolicyEdit move_of(const PlanInput& input, const PolicyDraft& draft, const std::string& name,
                   StreamKind stream) {
  for (const Task& task : input.tasks) {
    if (task.name == name) {
      return move_task(input.tasks, draft.policy(), task, stream, MoveReach::kind);
    }
  }
  ADD_FAILURE() << "no task " << name;
  return {};
}

TEST(MappingVerdict, TellsWhichWaitsAMoveAddsAndFreesAndWhatMemoryItTakes) {
  const PlanInput input = planned_input("lenet5");
  PolicyDraft draft(builtin("renaissance-dataflow"));
  const PlanMaker maker = maker_of("lenet5");
  const MappingVerdict base = judge(maker, draft.base(), nullptr);
  ASSERT_EQ(base.kind, VerdictKind::race_free) << headline(base);
  ASSERT_TRUE(draft.apply(move_of(input, draft, "conv2/CONV_FP32_BWD/dX", StreamKind::COMP_1)));
  ASSERT_TRUE(draft.apply(move_of(input, draft, "conv2/CONV_FP32_BWD/dW", StreamKind::COMP_1)));
  ASSERT_TRUE(draft.apply(move_of(input, draft, "conv2/CONV_FP32_BWD/dB", StreamKind::COMP_1)));
  const MappingVerdict moved = judge(maker, draft.policy(), &base);
  EXPECT_EQ(moved.kind, VerdictKind::race_free);
  EXPECT_FALSE(moved.freed.empty());
  EXPECT_EQ(moved.waits, base.waits + moved.added.size() - moved.freed.size());
  EXPECT_TRUE(drop_answer(moved, draft.policy()).allowed);
  ASSERT_TRUE(draft.apply(set_gradients(draft.policy().gradients == GradientMode::in_place
                                            ? GradientMode::separate
                                            : GradientMode::in_place)));
  const MappingVerdict other = judge(maker, draft.policy(), &base);
  std::int64_t sum = 0;
  for (const RegionBytes& region : other.memory) {
    if (region.space == MemorySpace::device) sum += region.difference;
  }
  EXPECT_NE(other.device_difference, 0);
  EXPECT_EQ(other.device_difference, sum);
}

TEST(MappingVerdict, RefusesADropThatRacesAndOffersTheEdgeThatCuresIt) {
  PolicyDraft draft(builtin("renaissance-dataflow"));
  const PlanMaker maker = maker_of("lenet5");
  const MappingVerdict planned = judge(maker, draft.base(), nullptr);
  ASSERT_TRUE(draft.apply(set_sync(SyncRule::manual, listed_edges(*planned.plan))));
  const MappingVerdict base = judge(maker, draft.policy(), nullptr);
  ASSERT_EQ(base.kind, VerdictKind::race_free) << headline(base);
  const ManualEdge lost = draft.policy().edges.front();
  ASSERT_TRUE(draft.apply(remove_edge(lost)));
  // Each cure that is offered is taken until none is needed: the way of somebody who drags.
  for (int cures = 0; cures < 20; ++cures) {
    const MappingVerdict verdict = judge(maker, draft.policy(), &base);
    const DropAnswer answer = drop_answer(verdict, draft.policy());
    if (answer.allowed) break;
    ASSERT_EQ(verdict.kind, VerdictKind::races);
    EXPECT_THAT(answer.why, testing::HasSubstr(verdict.races.front().region));
    ASSERT_FALSE(answer.cures.empty()) << answer.why;
    ASSERT_TRUE(draft.apply(answer.cures.front()));
  }
  EXPECT_EQ(judge(maker, draft.policy(), &base).kind, VerdictKind::race_free);
  EXPECT_GT(draft.done(), 2U);
}

TEST(MappingVerdict, ForbidsNothingForRacesThatWereThereBefore) {
  StreamPolicy racy = builtin("renaissance-dataflow");
  racy.sync = SyncRule::manual;
  const PlanMaker maker = maker_of("mlp");
  const MappingVerdict base = judge(maker, racy, nullptr);
  ASSERT_EQ(base.kind, VerdictKind::races);
  EXPECT_FALSE(drop_answer(base, racy).allowed);
  EXPECT_TRUE(drop_answer(judge(maker, racy, &base), racy).allowed);
}

TEST(MappingVerdict, SaysWhyThereIsNoPlan) {
  StreamPolicy policy = builtin("serial");
  policy.ops.erase("FC_FP32_FWD");
  const MappingVerdict verdict = judge(maker_of("mlp"), policy, nullptr);
  EXPECT_EQ(verdict.kind, VerdictKind::no_plan);
  EXPECT_THAT(headline(verdict), testing::HasSubstr("FC_FP32_FWD"));
  EXPECT_FALSE(drop_answer(verdict, policy).allowed);
}

}  // namespace
}  // namespace quintet::test
