// The proof over the real networks: every built-in policy, rule, gradient mode and step mode, with
// tail and evaluation, and every planned edge deleted in turn.

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/plan_builder.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/runtime/policy/network_input.h"

namespace quintet::test {
namespace {

/// Calls `check` for each combination that a policy file could ask for.
template <class Check>
void for_each_plan(std::string_view network, Check&& check) {
  const PlanInput input = planned_input(network);
  for (const BuiltinPolicy& builtin : policy_catalog()) {
    auto policy = find_policy(std::string(builtin.name));
    ASSERT_TRUE(policy.has_value()) << to_string(policy.error());
    for (const SyncRule rule :
         {SyncRule::adjacent, SyncRule::adjacent_conflicts, SyncRule::dataflow}) {
      for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
        for (const StepMode mode :
             {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
          policy->sync = rule;
          policy->gradients = gradients;
          policy->step = mode;
          SCOPED_TRACE(testing::Message() << network << " " << builtin.name << " " << name_of(rule)
                                          << " " << name_of(gradients) << " " << name_of(mode));
          auto plan = build_plan(input, *policy);
          ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
          check(*plan, rule);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

struct Networks : testing::TestWithParam<const char*> {};

TEST_P(Networks, AreRaceFreeUnderEveryExactRule) {
  std::size_t proved = 0;
  for_each_plan(GetParam(), [&](const ExecutionPlan& plan, SyncRule rule) {
    const auto report = prove(plan);
    ASSERT_TRUE(report.has_value()) << to_string(report.error());
    ASSERT_GT(report->conflicting_pairs, 1000U);
    if (rule == SyncRule::adjacent) return;
    ++proved;
    ASSERT_TRUE(report->race_free())
        << report->races.size() << " races, the first: " << report->races[0].text << "; "
        << report->races[0].cure;
    if (rule == SyncRule::dataflow) {
      ASSERT_TRUE(report->surplus.empty()) << report->surplus[0].text;
    }
  });
  EXPECT_EQ(proved, policy_catalog().size() * 12);
}

TEST_P(Networks, MissNoEdgeThatIsTakenOut) {
  std::size_t caught = 0;
  for_each_plan(GetParam(), [&](const ExecutionPlan& planned, SyncRule rule) {
    if (rule == SyncRule::adjacent) return;
    ExecutionPlan plan = planned;
    const auto whole = prove(plan);
    ASSERT_TRUE(whole.has_value());
    for (auto& [key, graph] : plan.graphs) {
      // The proof launches each graph of the plan's usual shapes; slot B repeats slot A.
      const bool launched =
          key.graph == GraphId::DEEP_FWD_BWD || key.graph == GraphId::WHOLE_STEP_A;
      if (!launched || plan.shape(key.shape).name != "train") continue;
      if (key.graph == GraphId::WHOLE_STEP_A && plan.shape(key.next_shape).name != "train")
        continue;
      const TaskGraph before = graph;
      for (std::size_t edge = 0; edge < before.edges.size(); ++edge) {
        graph.edges.erase(graph.edges.begin() + static_cast<std::ptrdiff_t>(edge));
        const auto report = prove(plan);
        ASSERT_TRUE(report.has_value());
        const bool surplus = std::any_of(
            whole->surplus.begin(), whole->surplus.end(), [&](const SurplusEdge& candidate) {
              return candidate.graph == key && candidate.from == before.edges[edge].from &&
                     candidate.to == before.edges[edge].to;
            });
        ASSERT_EQ(report->race_free(), surplus) << plan.task(before.edges[edge].from).name << " -> "
                                                << plan.task(before.edges[edge].to).name;
        if (!surplus) ++caught;
        graph.edges = before.edges;
      }
    }
  });
  EXPECT_GT(caught, 50U);
}

/// The plan without the waits of one kind for one event (nothing = any), in every step program.
ExecutionPlan without_waits(ExecutionPlan plan, CommandKind kind, std::optional<StepEvent> event) {
  for (auto& [variant, program] : plan.programs) {
    std::erase_if(program.commands, [&](const Command& command) {
      return command.kind == kind && (!event || command.event.event == *event);
    });
  }
  return plan;
}

TEST_P(Networks, NeedTheWaitsOfTheirStepPrograms) {
  for_each_plan(GetParam(), [&](const ExecutionPlan& plan, SyncRule rule) {
    if (rule != SyncRule::dataflow) return;
    const auto racy = [&](CommandKind kind, std::optional<StepEvent> event) {
      const auto report = prove(without_waits(plan, kind, event));
      return report.has_value() && !report->race_free();
    };
    // The pinned batch, whatever the mode: filled before it is copied, copied before it is
    // refilled.
    ASSERT_TRUE(racy(CommandKind::host_wait, StepEvent::batch_readable));
    ASSERT_TRUE(racy(CommandKind::host_wait, StepEvent::batch_copied));
    switch (plan.mode) {
      case StepMode::host_sync:
        ASSERT_TRUE(racy(CommandKind::host_sync, std::nullopt));
        break;
      case StepMode::event_sync:
        ASSERT_TRUE(racy(CommandKind::host_wait, StepEvent::step_done));
        if (plan.policy != "serial") {
          ASSERT_TRUE(racy(CommandKind::wait, StepEvent::batch_copied));
          ASSERT_TRUE(racy(CommandKind::wait, StepEvent::batch_released));
          ASSERT_TRUE(racy(CommandKind::wait, StepEvent::optimizer_done));
          ASSERT_TRUE(racy(CommandKind::wait, StepEvent::gradients_zeroed));
        }
        break;
      case StepMode::whole_step:
        ASSERT_TRUE(racy(CommandKind::host_wait, StepEvent::step_done));
        break;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, Networks, testing::Values("mlp", "lenet5"),
                         [](const auto& network) { return std::string(network.param); });

}  // namespace
}  // namespace quintet::test
