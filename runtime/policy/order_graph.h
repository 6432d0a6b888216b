/// Happens-before of a sequence of steps: every task run and every synchronising command as a node,
/// the orders that count as edges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/model/execution_plan.h"
#include "runtime/model/result.h"

namespace quintet {

/// The `launch` of a node that belongs to none.
inline constexpr std::size_t kNoLaunch = static_cast<std::size_t>(-1);

/// A node: one run of a task, or a command (launch begin, launch end, record, wait, host wait,
/// ...).
struct OrderNode {
  std::optional<TaskId> task;  ///< a task run; nothing = a command
  std::int64_t step =
      0;  ///< the step it serves (commands: the step whose program holds it); -1 = prologue
  GraphKey graph;  ///< the launch it is part of, or the host task's graph
  std::size_t launch =
      kNoLaunch;  ///< index of OrderGraph::launches: a launch's begin, end and task runs
  LaneId lane;    ///< the stream or host actor; of a launch's task runs: where the policy put it
  std::string
      label;  ///< for reports: "step 2: conv1/CONV_FP32_BWD/dW", "step 1: wait COMP_1 for lr_ready"
};

/// One launch of the sequence.
struct OrderLaunch {
  GraphKey graph;
  StreamKind stream = StreamKind::COMP_1;  ///< the physical stream it was launched on
  std::int64_t step = 0;                   ///< the step whose program holds it
  std::uint32_t begin = 0;                 ///< its nodes
  std::uint32_t end = 0;
};

/// Why `from` comes before `to`.
enum class OrderCause : std::uint8_t {
  issue,         ///< the host issues one command after what it did before
  stream,        ///< launches, records and waits of one physical stream
  launch,        ///< launch begin to a task, a task to launch end
  graph_stream,  ///< stream order inside one captured graph
  graph_edge,    ///< an edge of the task graph; `detail` = index into TaskGraph::edges
  event,         ///< record to wait; what a stream did last to the host_sync on it
  host,          ///< order of one host actor
};

struct OrderEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  OrderCause cause = OrderCause::issue;
  std::uint32_t detail = 0;
};

/// Nodes are in an order of issue that is a topological order of the edges.
struct OrderGraph {
  std::vector<OrderNode> nodes;
  std::vector<OrderEdge> edges;
  std::vector<OrderLaunch> launches;
};

/// Unrolls the plan's step programs over a sequence of variants (a prologue first). The prologue is
/// step -1, training and evaluation steps count from 0, the epilogue is one past the last. Policy
/// streams inside a captured graph are not ordered with the physical streams of other launches. A
/// host task that serves a step before the first does not run. An event that the sequence never
/// records holds nothing back. Errors: a variant without a program, a launch of a graph that the
/// plan does not hold, an edge against issue order inside a graph, a wait by MAIN or a stream for
/// an event that MAIN records only later, a cycle of waits; each names the command.
Result<OrderGraph> unroll(const ExecutionPlan& plan, const StepSequence& sequence);

/// The sequence the proof runs over: prologue, three full training steps, the epoch's tail,
/// evaluation with its tail (each where the plan has such a shape), one training step after it,
/// epilogue. Slots alternate A/B from A at step 0; each step prefetches the next one's shape, the
/// last one nothing. Prologue and epilogue are those of plan.programs whose A/B sub-graphs serve
/// steps of their own slot; left out where the plan has none.
StepSequence proof_sequence(const ExecutionPlan& plan);

}  // namespace quintet
