/// Which tasks of a trace are ordered by what: conflicts of their byte ranges, edges of captured
/// graphs, and the launches that started them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

/// Owns: indices over a trace, which must outlive it. Threads: not shareable, answers are
/// remembered. Throws: nothing of its own. Usage: `TaskRelations relations(trace);
/// relations.conflict(a, b)`.
class TaskRelations {
 public:
  explicit TaskRelations(const Trace& trace);

  /// True where the tasks touch a common byte and one writes it: they must be ordered.
  [[nodiscard]] bool conflict(std::uint32_t a, std::uint32_t b) { return answer(a, b) != 0; }
  /// A conflict that carries data or protects it: not one of scratch alone, which another placement
  /// of the workspaces would remove.
  [[nodiscard]] bool data_conflict(std::uint32_t a, std::uint32_t b) {
    return (answer(a, b) & kData) != 0;
  }
  /// True where some captured graph has the edge `from` -> `to`.
  [[nodiscard]] bool graph_edge(std::uint32_t from, std::uint32_t to) const {
    return edges_.contains(key(from, to));
  }
  /// The launch that started a run of `task` which began at `begin_ns`: the latest one of a graph
  /// that holds the task; null where none was recorded.
  [[nodiscard]] const TraceLaunch* launch_of(std::uint32_t task, std::int64_t begin_ns) const;

  /// True where the step programs make lane `waiter` wait for an event that `source` records.
  [[nodiscard]] bool waits_for(LaneId waiter, LaneId source) const {
    return lane_waits_.contains(key(waiter.value(), source.value()));
  }

 private:
  static constexpr std::uint8_t kAny = 1;
  static constexpr std::uint8_t kData = 2;
  static std::uint64_t key(std::uint32_t a, std::uint32_t b) {
    return (std::uint64_t{a} << 32) | b;
  }
  std::uint8_t answer(std::uint32_t a, std::uint32_t b);
  void index_lane_waits();

  /// Which regions a task touches and writes, modulo 64: most pairs are told apart by it alone.
  struct Footprint {
    std::uint64_t touched = 0;
    std::uint64_t written = 0;
  };

  const Trace& trace_;
  std::vector<Footprint> footprints_;
  std::unordered_map<std::uint64_t, std::uint8_t> answers_;
  std::unordered_set<std::uint64_t> edges_;
  std::unordered_set<std::uint64_t> lane_waits_;
  std::vector<std::vector<std::uint32_t>> graphs_of_task_;
  std::vector<std::vector<const TraceLaunch*>> launches_of_graph_;  ///< by begin
};

}  // namespace quintet
