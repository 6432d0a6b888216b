/// Execution plans written by hand, a task and a command at a time, for tests of order and proof.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/execution_plan.h"

namespace quintet::test {

/// The streams that most plans by hand need.
inline constexpr StreamKind kTrans = StreamKind::TRANS;
inline constexpr StreamKind kComp = StreamKind::COMP_1;
inline constexpr StreamKind kUpdate = StreamKind::UPDATE;

Command launch(GraphId graph, StreamKind stream, int steps = 0);
Command record(StepEvent event, StreamKind stream, int steps = 0);
Command wait(StreamKind stream, StepEvent event, int steps = 0);
Command host_record(HostActor actor, StepEvent event, int steps = 0);
Command host_wait(HostActor actor, StepEvent event, int steps = 0);
Command host_sync(StreamKind stream);
Command host_task(HostActor actor, GraphId graph, int steps = 0);

/// Training step without shapes; the slot is all that tells variants apart.
StepVariant train_step(BufferSlot slot = BufferSlot::A);

/// Builds `plan` up. Tasks come in program order; each sub-graph is its own graph, launched by
/// hand.
///   PlanSketch sketch;
///   const TaskId copy = sketch.task("batch/H2D_COPY/copy", GraphId::TRANSFER_A, StreamKind::TRANS,
///                                   {sketch.reads(RegionKind::HOST_BATCH_A, 0, 64), ...});
///   sketch.program(train_step(), {launch(GraphId::TRANSFER_A, StreamKind::TRANS)});
class PlanSketch {
 public:
  PlanSketch();

  [[nodiscard]] Access reads(RegionKind region, std::uint64_t offset, std::uint64_t bytes) const;
  [[nodiscard]] Access writes(RegionKind region, std::uint64_t offset, std::uint64_t bytes) const;
  [[nodiscard]] Access updates(RegionKind region, std::uint64_t offset, std::uint64_t bytes) const;
  /// Scratch in the workspace of a stream.
  [[nodiscard]] Access scratch(StreamKind stream, std::uint64_t bytes) const;

  /// A task that is an op of its own. `stream` counts for sub-graphs that are launched.
  TaskId task(std::string name, GraphId graph, StreamKind stream, std::vector<Access> accesses);
  /// A further part of the op of the task added last; the representative is the part added last.
  TaskId part(std::string name, TaskPart part, StreamKind stream, std::vector<Access> accesses);
  void edge(TaskId from, TaskId to, EdgeRule rule = EdgeRule::conflict);
  void program(StepVariant variant, std::vector<Command> commands);

  [[nodiscard]] TaskGraph& graph(GraphId graph) { return plan.graphs[GraphKey{graph}]; }

  ExecutionPlan plan;

 private:
  [[nodiscard]] Access access(RegionId region, MemorySpace space, AccessMode mode,
                              std::uint64_t offset, std::uint64_t bytes) const;
  TaskId add(Task task, StreamKind stream, std::vector<Access> accesses);
};

}  // namespace quintet::test
