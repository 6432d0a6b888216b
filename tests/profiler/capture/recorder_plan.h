/// A plan of three tasks on two streams and a loader, for tests of what is recorded of it.
#pragma once

#include "tests/support/plan_sketch.h"

namespace quintet {

inline constexpr GraphKey kDeep{GraphId::DEEP_FWD_BWD};

/// Tasks 0 and 1 in DEEP_FWD_BWD on COMP_1 and COMP_3, joined by an edge; task 2 fills the batch.
/// DEEP_COMM is empty.
inline test::PlanSketch recorder_plan() {
  using enum StreamKind;
  test::PlanSketch sketch;
  sketch.plan.shapes.push_back({ShapeId(1), "train", 8, true});
  const TaskId dw = sketch.task("conv2/CONV_FP32_BWD/dW", GraphId::DEEP_FWD_BWD, COMP_1,
                                {sketch.reads(RegionKind::FEATURES, 0, 64),
                                 sketch.writes(RegionKind::DEEP_GRADIENTS, 128, 32)});
  const TaskId dx = sketch.part("conv2/CONV_FP32_BWD/dX", TaskPart::dX, COMP_3,
                                {sketch.updates(RegionKind::FEATURES, 0, 64)});
  sketch.task("batch/HOST_FILL_BATCH/host", GraphId::HOST_FILL_A, COMP_1,
              {sketch.writes(RegionKind::HOST_BATCH_A, 0, 512)});
  sketch.plan.tasks[0].kind = ComputeOp::CONV_FP32_BWD;
  sketch.plan.tasks[0].part = TaskPart::dW;
  sketch.plan.tasks[0].covers = {"conv2/CONV_FP32_BWD/dW"};
  sketch.plan.tasks[0].flops = 1e6;
  sketch.plan.tasks[1].kind = ComputeOp::CONV_FP32_BWD;
  sketch.plan.tasks[2].kind = ComputeOp::HOST_FILL_BATCH;
  sketch.edge(dw, dx);
  sketch.graph(GraphId::DEEP_FWD_BWD).tasks[0].reason = "p.toml:3: part dW -> COMP_1";
  sketch.plan.atlas[kDeep].graph.ops.emplace_back();
  sketch.plan.atlas[{GraphId::DEEP_COMM}].stream_kind = UPDATE;
  sketch.plan.atlas[{GraphId::HOST_FILL_A}] = {};
  const StepVariant step{StepPhase::train, BufferSlot::A, ShapeId(1), ShapeId(1)};
  sketch.program(step, {test::host_task(HostActor::LOADER, GraphId::HOST_FILL_A, 1),
                        test::host_record(HostActor::LOADER, StepEvent::batch_readable, 1),
                        test::launch(GraphId::DEEP_FWD_BWD, COMP_1),
                        test::record(StepEvent::deep_done, COMP_1),
                        test::wait(UPDATE, StepEvent::deep_done, -1), test::host_sync(COMP_1)});
  return sketch;
}

}  // namespace quintet
