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

/// A node: one run of a task, or a command (launch begin, launch end, record, wait, host wait,
/// ...).
struct OrderNode {
  std::optional<TaskId> task;  ///< a task run; nothing = a command
  std::int64_t step =
      0;  ///< the step it serves (commands: the step whose program holds it); -1 = prologue
  GraphKey graph;  ///< the launch it is part of, or the host task's graph
  std::size_t launch =
      0;  ///< which launch of the sequence, counted from 0; task runs of launches only
  std::string
      label;  ///< for reports: "step 2: conv1/CONV_FP32_BWD/dW", "step 1: wait COMP_1 for lr_ready"
};

/// Why `from` comes before `to`.
enum class OrderCause : std::uint8_t {
  issue,         ///< the host issues one command after what it did before
  stream,        ///< launches, records and waits of one physical stream
  launch,        ///< launch begin to a task, a task to launch end
  graph_stream,  ///< stream order inside one captured graph
  graph_edge,    ///< an edge of the task graph; `detail` = index into TaskGraph::edges
  event,         ///< record to wait
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
};

/// Unrolls the plan's step programs over a sequence of variants (a prologue first). Policy streams
/// inside a captured graph are not ordered with the physical streams of other launches. Errors: a
/// wait for an event that is recorded only later (in issue order), a launch of a graph that the
/// plan does not hold, a cycle; each names the command.
Result<OrderGraph> unroll(const ExecutionPlan& plan, const StepSequence& sequence);

/// The sequence the proof runs over: prologue, three full training steps, the epoch's tail,
/// evaluation with its tail (each where the plan has such a shape), one training step after it,
/// epilogue. Slots alternate A/B.
StepSequence proof_sequence(const ExecutionPlan& plan);

}  // namespace quintet
