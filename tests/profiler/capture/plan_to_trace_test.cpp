#include "profiler/capture/plan_to_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profiler/capture/recorder_plan.h"

namespace quintet {
namespace {

using testing::ElementsAre;

class PlanToTrace : public testing::Test {
 protected:
  ExecutionPlan plan_ = recorder_plan().plan;
  Trace trace_ = trace_of_plan(plan_);
};

TEST_F(PlanToTrace, KeepsTasksInTheOrderOfTheirIds) {
  ASSERT_EQ(trace_.tasks.size(), 3U);
  const TraceTask& dw = trace_.tasks[0];
  EXPECT_EQ(dw.name, "conv2/CONV_FP32_BWD/dW");
  EXPECT_EQ(dw.layer, "conv2");
  EXPECT_EQ(dw.op_kind, "CONV_FP32_BWD");
  EXPECT_EQ(dw.part, "dW");
  EXPECT_EQ(dw.graph, "DEEP_FWD_BWD");
  EXPECT_EQ(dw.shape, "any");
  EXPECT_FALSE(dw.representative);
  EXPECT_TRUE(trace_.tasks[1].representative);
  EXPECT_THAT(dw.covers, ElementsAre("conv2/CONV_FP32_BWD/dW"));
  EXPECT_EQ(dw.accesses, plan_.accesses[0]);
  EXPECT_EQ(dw.flops, 1e6);
}

TEST_F(PlanToTrace, PlacesTasksOnTheLanesOfThePolicyWithItsReason) {
  EXPECT_EQ(trace_.tasks[0].policy_lane, lane_of(StreamKind::COMP_1));
  EXPECT_EQ(trace_.tasks[0].placement_reason, "p.toml:3: part dW -> COMP_1");
  EXPECT_EQ(trace_.tasks[1].policy_lane, lane_of(StreamKind::COMP_3));
}

TEST_F(PlanToTrace, PlacesHostTasksOnTheActorThatRunsThem) {
  EXPECT_EQ(trace_.tasks[2].policy_lane, lane_of(HostActor::LOADER));
  EXPECT_EQ(trace_.tasks[2].placement_reason, "host task of HOST_LOADER");
}

TEST_F(PlanToTrace, LeavesATaskThatNoGraphHoldsWithoutALane) {
  plan_.graphs.begin()->second.tasks.pop_back();
  EXPECT_FALSE(trace_of_plan(plan_).tasks[1].policy_lane);
}

TEST_F(PlanToTrace, ListsCapturedGraphsAndTheOnesWithoutWork) {
  ASSERT_EQ(trace_.graphs.size(), 2U);
  const TraceGraph& deep = trace_.graphs[graph_indices(plan_).at(kDeep)];
  EXPECT_EQ(deep.name, "DEEP_FWD_BWD");
  EXPECT_EQ(deep.primary, lane_of(StreamKind::COMP_1));
  EXPECT_THAT(deep.tasks, ElementsAre(0U, 1U));
  ASSERT_EQ(deep.edges.size(), 1U);
  EXPECT_EQ(deep.edges[0].from, 0U);
  EXPECT_EQ(deep.edges[0].to, 1U);
  EXPECT_EQ(deep.edges[0].rule, "conflict");
  EXPECT_FALSE(deep.empty);
  EXPECT_EQ(trace_.graphs[1].name, "DEEP_COMM");
  EXPECT_EQ(trace_.graphs[1].primary, lane_of(StreamKind::UPDATE));
  EXPECT_TRUE(trace_.graphs[1].empty);
}

std::string line(const TraceCommand& c) {
  return c.kind + "|" + c.actor + "|" + c.stream + "|" + c.graph + "|" + c.event + "|" +
         std::to_string(c.steps);
}

TEST_F(PlanToTrace, WritesCommandsAsText) {
  std::vector<std::string> lines;
  for (const TraceCommand& command : trace_.commands) {
    EXPECT_EQ(command.variant, "train A train>train");
    EXPECT_EQ(command.position, lines.size());
    lines.push_back(line(command));
  }
  EXPECT_THAT(
      lines,
      ElementsAre("host_task|HOST_LOADER||HOST_FILL_A||1",
                  "host_record|HOST_LOADER|||batch_readable|1",
                  "launch|HOST_MAIN|COMP_1|DEEP_FWD_BWD||0", "record|HOST_MAIN|COMP_1||deep_done|0",
                  "wait|HOST_MAIN|UPDATE||deep_done|-1", "host_sync|HOST_MAIN|COMP_1|||0"));
}

TEST_F(PlanToTrace, TakesLanesRegionsAndWhatThePlanKnowsOfItsOrigin) {
  EXPECT_EQ(trace_.lanes.size(), 7U);
  EXPECT_EQ(trace_.regions.size(), plan_.memory.regions().size());
  EXPECT_EQ(trace_.provenance.at("policy"), "sketch");
  EXPECT_EQ(trace_.provenance.at("gradients"), "separate");
  EXPECT_EQ(trace_.provenance.at("lowering"), "article");
}

}  // namespace
}  // namespace quintet
