#include "runtime/model/step_program.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

Command launch(GraphId graph, int steps = 0) {
  return {.kind = CommandKind::launch, .graph = {.graph = graph}, .steps = steps};
}

TEST(StepOffset, ATransferInsideAWholeStepServesTheNextStep) {
  EXPECT_EQ(step_offset_of(GraphId::TRANSFER_A, launch(GraphId::WHOLE_STEP_B)), 1);
  EXPECT_EQ(step_offset_of(GraphId::TRANSFER_B, launch(GraphId::WHOLE_STEP_A)), 1);
  EXPECT_EQ(step_offset_of(GraphId::TRANSFER_B, launch(GraphId::WHOLE_EVAL_A)), 1);
}

TEST(StepOffset, EverythingElseInsideAWholeStepServesTheLaunchedStep) {
  for (const GraphId graph : all_graph_ids()) {
    if (graph == GraphId::TRANSFER_A || graph == GraphId::TRANSFER_B) continue;
    EXPECT_EQ(step_offset_of(graph, launch(GraphId::WHOLE_STEP_A)), 0) << name_of(graph);
  }
}

TEST(StepOffset, ATransferLaunchedAloneServesWhatItsCommandSays) {
  EXPECT_EQ(step_offset_of(GraphId::TRANSFER_A, launch(GraphId::TRANSFER_A)), 0);
  EXPECT_EQ(step_offset_of(GraphId::TRANSFER_B, launch(GraphId::TRANSFER_B, 1)), 1);
}

TEST(StepVariant, OrdersByPhaseSlotAndShapes) {
  const StepVariant a{StepPhase::train, BufferSlot::A, ShapeId(1), ShapeId(1)};
  StepVariant b = a;
  EXPECT_EQ(a, b);
  b.next_shape = ShapeId(2);
  EXPECT_LT(a, b);
  b = a;
  b.slot = BufferSlot::B;
  EXPECT_LT(a, b);
}

}  // namespace
}  // namespace quintet
