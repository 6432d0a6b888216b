/// A step as flat arrays for the simulator: nodes, queues, edges. A search changes queues and order
/// in place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace quintet {

/// Position in SimGraph::nodes.
using SimIndex = std::uint32_t;

inline constexpr std::uint16_t kNoQueue = std::numeric_limits<std::uint16_t>::max();

/// The priority of a stream as its nodes have it.
constexpr std::int8_t sim_priority(int priority) {
  return static_cast<std::int8_t>(std::clamp(priority, -128, 127));
}

/// A piece of work: a task on the device, a call of the host, or an instant (work_ns = 0).
struct SimNode {
  double work_ns = 0;              ///< alone
  float sm_share = 0;              ///< 0 = does not contend (hosts, copy engines)
  float bandwidth_share = 0;       ///< of all that memory can move
  float block_ns = 0;              ///< after which it gives way to a more urgent one
  float queue_gap_ns = 0;          ///< least time after the end of the node before it in its queue
  std::uint16_t queue = kNoQueue;  ///< nodes of a queue run one after the other, in issue order
  std::int8_t priority = 0;        ///< who contends: lower is more urgent, as CUDA counts
};

/// `to` begins `gap_ns` or more after `from` ends. Between nodes of one queue it is ignored: their
/// order says it already.
struct SimEdge {
  SimIndex from = 0;
  SimIndex to = 0;
  float gap_ns = 0;
};

/// Order within queues and edges together must have no cycle.
struct SimGraph {
  std::vector<SimNode> nodes;
  std::vector<SimIndex> order;       ///< issue order: each node once
  std::vector<SimEdge> edges;        ///< sorted by `from`; seal() does it
  std::vector<SimIndex> first_edge;  ///< of each node in `edges`, and the end; made by seal()
  /// Nodes whose ends are ends of consecutive steps. A step lasts as the mean of those after the
  /// first `warm_up_ends`; where none are left, as long as all of it.
  std::vector<SimIndex> step_ends;
  std::uint32_t warm_up_ends = 1;
  double between_steps_ns = 0;  ///< without step ends: added to the makespan
  double least_step_ns = 0;     ///< what the host needs to issue a step

  /// Sorts the edges and indexes them. To be called after edges or nodes were added; changes of
  /// queue, work and order need no second call.
  void seal();
};

}  // namespace quintet
