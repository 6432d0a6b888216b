/// Whose each node of an executable graph is: from what capture told, through instantiation, to the
/// ids that a device's records carry.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace quintet {

/// Ids of tasks, lanes and graphs are those of the trace. Node ids are opaque 64-bit numbers, unique
/// in the process.
struct NodeOwner {
  std::uint32_t task = 0;
  std::uint16_t lane = 0;        ///< the policy's
  std::uint32_t graph = 0;       ///< index into Trace::graphs
  std::int32_t step_offset = 0;  ///< the step it serves, counted from the launch's
  std::uint64_t captured = 0;    ///< the node's id in the captured graph
};

/// Not synchronised. Two independent sources tell whose a captured node is: the capture's frontier
/// after each task (`captured`) and the driver's call while the task is enqueued (`created`). Where
/// they disagree the frontier counts, and the node is a mismatch.
class NodeTable {
 public:
  /// The driver made a node while `task` was enqueued on this thread; nothing = between tasks.
  void created(std::uint64_t node, std::optional<std::uint32_t> task);
  /// The frontier found this node behind the task.
  void captured(std::uint64_t node, const NodeOwner& owner);
  /// Instantiation made `node` of `original`, a captured node or itself a clone.
  void cloned(std::uint64_t original, std::uint64_t node);

  /// Of a node of an executable graph, or of a captured one; null = nobody's.
  [[nodiscard]] const NodeOwner* owner(std::uint64_t node) const;

  /// Nodes of tasks that the two sources give to different tasks, or that only one of them saw.
  [[nodiscard]] std::size_t mismatches() const;
  [[nodiscard]] std::size_t captured_nodes() const { return captured_.size(); }
  [[nodiscard]] std::size_t executable_nodes() const { return clones_.size(); }

 private:
  std::unordered_map<std::uint64_t, std::optional<std::uint32_t>> created_;
  std::unordered_map<std::uint64_t, NodeOwner> captured_;
  std::unordered_map<std::uint64_t, std::uint64_t> clones_;  ///< executable node -> captured node
};

}  // namespace quintet
