/// Which tasks of a trace are ordered by what: conflicts of their byte ranges, edges of captured
/// graphs, and the launches that started them.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "profiler/analysis/launch_calls.h"
#include "profiler/analysis/run_interval.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// The host blocked, for a stream where the recording names one.
struct HostWait {
  Interval time;
  std::optional<LaneId> stream;
};

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
  /// The call that started `run`: that of its correlation; without one the latest launch, before
  /// the run began, of a graph that holds its task. Null where none was recorded. Hosts run ahead
  /// of devices, so the latest launch may be one for a later step: only correlations are sure.
  [[nodiscard]] const LaunchCall* launch_of(const RunInterval& run) const;
  /// The last wait of the host between `call`, one of `calls()`, and the launch before it; null
  /// where it waited for nothing. Waits of a loader's thread delay no launch.
  [[nodiscard]] const HostWait* wait_before(const LaunchCall& call) const;
  /// False for tasks that nothing can be ordered with: no accesses, in no edge.
  [[nodiscard]] bool has_relations(std::uint32_t task) const {
    return footprints_.at(task).touched != 0 || in_edge_.at(task);
  }
  /// True for a lane on whose thread batches are filled: nothing waits for it but its batches.
  [[nodiscard]] bool is_loader(LaneId lane) const {
    return lane.value() < loader_.size() && loader_[lane.value()];
  }
  /// Every launch, by begin.
  [[nodiscard]] const std::vector<LaunchCall>& calls() const { return calls_; }

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
  void index_calls();
  void index_host_waits();
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
  std::vector<bool> in_edge_;         ///< per task
  std::vector<bool> loader_;          ///< per lane
  std::vector<HostWait> host_waits_;  ///< of what launches, by end
  std::vector<LaunchCall> calls_;
  CallIndex call_of_correlation_;
  std::vector<std::vector<std::uint32_t>> calls_of_graph_;  ///< by begin
};

}  // namespace quintet
