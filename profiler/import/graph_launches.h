/// Finds the launch of a graph's work whose correlation cannot be right: by the graph and by time.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace quintet {

/// How far host and device clocks may disagree before the correlation of a graph's work is not
/// believed: beyond it the work is not of the call that it names.
inline constexpr std::int64_t kCorrelationTroubleNs = 10'000;

/// True for the calls that launch graphs, whatever suffix their names carry.
bool is_graph_launch(std::string_view name);

/// The graph of a node: the upper half of its id, as CUPTI packs it.
constexpr std::uint32_t graph_of_node(std::uint64_t node) {
  return static_cast<std::uint32_t>(node >> 32U);
}

/// The calls of an import that launched graphs. Filled once, then asked; holds positions in the
/// calls, not the calls.
class GraphLaunches {
 public:
  /// `call` is the position of a call that launches a graph; any order.
  void add(std::uint32_t call, std::uint32_t scope, std::int64_t begin_ns);
  /// Work that can be believed says which graph this call launched.
  void tell_graph(std::uint32_t call, std::uint32_t graph) { graph_of_call_.emplace(call, graph); }
  /// To be called once, between the last add() and the first latest().
  void sort();
  /// The latest launch of `graph` in the scope that begins at or before a time: one that is known
  /// to be of it, or that nobody knows of. kNone where there is none.
  [[nodiscard]] std::uint32_t latest(std::uint32_t scope, std::uint32_t graph,
                                     std::int64_t before_ns) const;

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

 private:
  struct Launch {
    std::uint32_t scope = 0;
    std::int64_t begin_ns = 0;
    std::uint32_t call = 0;
    friend auto operator<=>(const Launch&, const Launch&) = default;
  };
  std::vector<Launch> launches_;
  std::unordered_map<std::uint32_t, std::uint32_t> graph_of_call_;
};

}  // namespace quintet
