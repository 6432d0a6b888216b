/// How many nodes of a graph each of its launches left in a file.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace quintet {

/// Launches that share a node are of one graph. Holds an entry for each node and each launch of a
/// graph.
class GraphNodeCounts {
 public:
  /// Work of a node that a call launched; a node in a loop counts once a launch. `node` means the
  /// same in one scope of correlations.
  void add(std::uint32_t call, std::int64_t call_begin_ns, std::uint32_t scope, std::uint64_t node);
  /// How many launches have fewer nodes than an earlier launch of their graph.
  [[nodiscard]] std::int64_t launches_with_fewer();

  struct Launch {
    std::uint32_t graph = 0;
    std::uint64_t node = 0;  ///< one of them
    std::int64_t nodes = 0;
    std::int64_t begin_ns = 0;
  };
  /// By call.
  [[nodiscard]] const std::unordered_map<std::uint32_t, Launch>& launches() const {
    return launches_;
  }

 private:
  struct Node {
    std::uint32_t scope = 0;
    std::uint64_t id = 0;
    bool operator==(const Node&) const = default;
  };
  struct NodeHash {
    std::size_t operator()(const Node& node) const;
  };
  struct Seen {
    std::uint32_t graph = 0;
    std::uint32_t call = 0;  ///< the last one that ran the node
  };
  [[nodiscard]] std::uint32_t root_of(std::uint32_t graph);

  std::vector<std::uint32_t> parent_;  ///< of graphs that turned out to be one
  std::unordered_map<Node, Seen, NodeHash> nodes_;
  std::unordered_map<std::uint32_t, Launch> launches_;
};

}  // namespace quintet
