// Every network twin, optimizer and precision: each planned edge taken out in turn is missed by the
// proof, or was named as surplus before.
#include <algorithm>
#include <gtest/gtest.h>

#include "runtime/policy/hazard_proof.h"
#include "tests/runtime/exec/runtime_cases.h"

namespace quintet::test {
namespace {

class DeletedEdge : public testing::TestWithParam<RuntimeCase> {};

/// The whole training step of the usual shape, slot A: slot B repeats it.
bool is_usual_step(const ExecutionPlan& plan, const GraphKey& key) {
  return key.graph == GraphId::WHOLE_STEP_A && plan.shape(key.shape).name == "train" &&
         plan.shape(key.next_shape).name == "train" &&
         key.micro == (plan.micro_batches > 1 ? MicroBatch::first : MicroBatch::single);
}

TEST_P(DeletedEdge, IsMissedUnlessItOrdersNothing) {
  for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
    const auto session = prepare_tiny(
        GetParam().run,
        policy_with("renaissance-dataflow", SyncRule::dataflow, gradients, StepMode::whole_step));
    ExecutionPlan plan = session->plan();
    const auto whole = prove(plan);
    ASSERT_TRUE(whole) << to_string(whole.error());
    ASSERT_TRUE(whole->race_free()) << whole->races.front().text;
    ASSERT_TRUE(whole->surplus.empty()) << whole->surplus.front().text;
    std::size_t missed = 0;
    for (auto& [key, graph] : plan.graphs) {
      if (!is_usual_step(plan, key)) continue;
      const std::vector<Edge> edges = graph.edges;
      for (std::size_t edge = 0; edge < edges.size(); ++edge) {
        graph.edges = edges;
        graph.edges.erase(graph.edges.begin() + static_cast<std::ptrdiff_t>(edge));
        const auto cut = prove(plan);
        ASSERT_TRUE(cut) << to_string(cut.error());
        ASSERT_FALSE(cut->race_free())
            << plan.task(edges[edge].from).name << " -> " << plan.task(edges[edge].to).name;
        ++missed;
      }
      graph.edges = edges;
    }
    EXPECT_GT(missed, 5U);
  }
}

INSTANTIATE_TEST_SUITE_P(Twins, DeletedEdge, testing::ValuesIn(runtime_cases()),
                         [](const auto& twin) { return test_name(twin.param); });

}  // namespace
}  // namespace quintet::test
