#include "runtime/policy/issue_order.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/plan_builder.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/runtime/policy/network_input.h"
#include "tests/support/plan_sketch.h"
#include "tests/support/random.h"

namespace quintet::test {
namespace {

/// Four tasks of one graph; only `second` needs `first`.
struct FourTasks : testing::Test {
  FourTasks() {
    const auto at = [&](std::uint64_t offset) {
      return sketch.writes(RegionKind::FEATURES, offset, 64);
    };
    const GraphId graph = GraphId::DEEP_FWD_BWD;
    sketch.task("a/X/Y", graph, StreamKind::COMP_1, {at(0)});
    sketch.task("b/X/Y", graph, StreamKind::COMP_1, {at(0), at(64)});
    sketch.task("c/X/Y", graph, StreamKind::COMP_1, {at(128)});
    sketch.task("d/X/Y", graph, StreamKind::COMP_2, {at(192)});
  }

  std::string issued(std::vector<IssueRule> rules) {
    const auto order = issue_order({sketch.plan.tasks, sketch.plan.accesses,
                                    sketch.graph(GraphId::DEEP_FWD_BWD).tasks, rules, "mine.toml"});
    if (!order) return to_string(order.error());
    std::string text;
    for (const PlacedTask& placed : *order)
      text += sketch.plan.task(placed.task).name.front();
    return text;
  }

  PlanSketch sketch;
};

TEST_F(FourTasks, AreIssuedInProgramOrderWithoutRules) {
  EXPECT_EQ(issued({}), "abcd");
}

TEST_F(FourTasks, AreIssuedLaterWhereARuleSaysSo) {
  EXPECT_EQ(issued({{"a/X/Y", "c/X/Y", 1}}), "cabd");
  EXPECT_EQ(issued({{"c/X/Y", "d/X/Y", 1}}), "abdc");
  EXPECT_EQ(issued({{"*/X/Y", "d/X/Y", 1}}), "dabc");
}

TEST_F(FourTasks, IgnoreARuleThatNamesATaskOfAnotherGraph) {
  EXPECT_EQ(issued({{"a/X/Y", "elsewhere/X/Y", 1}}), "abcd");
}

TEST_F(FourTasks, RefuseARuleAgainstAConflictAndRulesInACircle) {
  EXPECT_EQ(issued({{"a/X/Y", "b/X/Y", 7}}),
            "mine.toml:7: a/X/Y is to be issued after b/X/Y, which conflicts or other rules put "
            "after it; delete the rule, or name an earlier task in after");
  EXPECT_EQ(issued({{"c/X/Y", "d/X/Y", 3}, {"d/X/Y", "c/X/Y", 5}}).substr(0, 11), "mine.toml:3");
}

TEST_F(FourTasks, CheckThatRulesNameTasksOfThePlan) {
  StreamPolicy policy;
  policy.file = "mine.toml";
  policy.issue = {{"a/X/Y", "c/X/Y", 4}, {"*/X/*", "d/X/Y", 5}};
  EXPECT_TRUE(check_issue_rules(policy, sketch.plan.tasks).has_value());
  policy.issue = {{"a/X/Y", "c/X/y", 4}};
  EXPECT_EQ(to_string(check_issue_rules(policy, sketch.plan.tasks).error()),
            "mine.toml:4: an issue rule names no task: after = \"c/X/y\"; did you mean "
            "\"c/X/Y\"?");
  policy.issue = {{"z*", "c/X/Y", 4}};
  EXPECT_TRUE(to_string(check_issue_rules(policy, sketch.plan.tasks).error())
                  .starts_with("mine.toml:4: an issue rule names no task: task = \"z*\""));
}

/// What issue_order makes of delays: the smallest ready number first.
std::vector<std::uint32_t> replay(std::size_t count, std::vector<Arc> arcs,
                                  const std::vector<IssueDelay>& delays) {
  for (const IssueDelay& delay : delays)
    arcs.push_back({delay.after, delay.task});
  std::vector<std::uint32_t> order;
  std::vector<bool> issued(count);
  while (order.size() < count) {
    std::uint32_t next = 0;
    for (; next < count; ++next) {
      const bool held = std::any_of(arcs.begin(), arcs.end(), [&](const Arc& arc) {
        return arc.to == next && !issued[arc.from];
      });
      if (!issued[next] && !held) break;
    }
    if (next == count) return {};
    issued[next] = true;
    order.push_back(next);
  }
  return order;
}

TEST(IssueDelays, GiveEachStreamTheOrderThatIsWanted) {
  TestRandom random(5);
  for (int round = 0; round < 400; ++round) {
    const auto count = static_cast<std::uint32_t>(random.integer(1, 16));
    std::vector<Arc> arcs;
    for (std::uint32_t to = 1; to < count; ++to) {
      for (std::uint32_t from = 0; from < to; ++from) {
        if (random.integer(0, 5) == 0) arcs.push_back({from, to});
      }
    }
    std::vector<StreamKind> streams(count);
    for (StreamKind& stream : streams)
      stream = kStreamKinds[static_cast<std::size_t>(random.integer(0, 3))];
    std::vector<std::uint32_t> wanted;  // a random linear extension
    std::vector<bool> issued(count);
    while (wanted.size() < count) {
      const auto next = static_cast<std::uint32_t>(random.integer(0, count - 1));
      const bool held = std::any_of(arcs.begin(), arcs.end(), [&](const Arc& arc) {
        return arc.to == next && !issued[arc.from];
      });
      if (issued[next] || held) continue;
      issued[next] = true;
      wanted.push_back(next);
    }
    const std::vector<IssueDelay> delays = delays_for(wanted, arcs, streams);
    const std::vector<std::uint32_t> got = replay(count, arcs, delays);
    ASSERT_EQ(got.size(), count) << "round " << round;
    for (const StreamKind stream : kStreamKinds) {
      std::vector<std::uint32_t> want_here;
      std::vector<std::uint32_t> got_here;
      const auto on_stream = [&](std::uint32_t task) { return streams[task] == stream; };
      std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(want_here), on_stream);
      std::copy_if(got.begin(), got.end(), std::back_inserter(got_here), on_stream);
      ASSERT_EQ(got_here, want_here) << "round " << round;
    }
  }
}

TEST(IssueDelays, AreNoneForProgramOrder) {
  const std::vector<std::uint32_t> order = {0, 1, 2, 3};
  const std::vector<StreamKind> streams(4, StreamKind::COMP_1);
  EXPECT_TRUE(delays_for(order, {}, streams).empty());
}

TEST(IssueRules, KeepNetworksRaceFreeWhenWeightGradientsAreDelayed) {
  for (const char* network : {"mlp", "lenet5", "resnet18"}) {
    const PlanInput input = planned_input(network);
    const auto last_dx = std::find_if(input.tasks.rbegin(), input.tasks.rend(), [](const Task& t) {
      return t.part == TaskPart::dX && t.graph == GraphId::DEEP_FWD_BWD;
    });
    ASSERT_NE(last_dx, input.tasks.rend());
    for (const StepMode step : {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
      StreamPolicy policy = find_policy("renaissance-dataflow").value();
      policy.step = step;
      for (const Task& task : input.tasks) {
        if (task.part == TaskPart::dW && task.graph == GraphId::DEEP_FWD_BWD &&
            task.shape == last_dx->shape)
          policy.issue.push_back({task.name, last_dx->name, 0});
      }
      const auto plan = build_plan(input, policy);
      ASSERT_TRUE(plan.has_value()) << network << ": " << to_string(plan.error());
      const auto proof = prove(*plan);
      ASSERT_TRUE(proof.has_value()) << network << ": " << to_string(proof.error());
      EXPECT_TRUE(proof->race_free()) << network << ": " << proof->races[0].text;
      EXPECT_TRUE(proof->surplus.empty());
    }
  }
}

}  // namespace
}  // namespace quintet::test
