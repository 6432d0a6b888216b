/// Builds what a recording says before anything has run: lanes, regions, tasks, accesses, graphs and
/// edges, each checked as it comes.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "profiler/capture/refusal.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// Owns the tables. Ids count 0, 1, 2, ... in the order of declaration, each kind for itself. One
/// thread at a time. Throws nothing but std::bad_alloc.
class TraceDeclarations {
 public:
  /// Of kind stream or host; names are unique. The id that `lane` comes with is ignored.
  Accepted<std::uint32_t> add_lane(Lane lane);
  /// A named area of memory. In the recording it is a tensor of that name, alone in its region.
  Accepted<std::uint32_t> add_region(const std::string& name, MemorySpace space, int device,
                                     std::uint64_t bytes);
  /// Names are unique; the task's lane, if it names one, is declared.
  Accepted<std::uint32_t> add_task(TraceTask task);
  /// The bytes lie in the region; space and device are the region's.
  Accepted<void> add_access(std::uint32_t task, Access access);
  Accepted<std::uint32_t> add_graph(const std::string& name, std::uint32_t lane);
  /// `to` waits for `from` inside the graph.
  Accepted<void> add_edge(std::uint32_t graph, std::uint32_t from, std::uint32_t to,
                          const std::string& reason);

  /// The graph is captured (again): its tasks follow, in issue order.
  void begin_capture(std::uint32_t graph);
  void captured(std::uint32_t graph, std::uint32_t task);

  /// What an id must be to be one; the refusal says how many there are.
  [[nodiscard]] Accepted<void> check_lane(std::uint32_t id) const;
  [[nodiscard]] Accepted<void> check_task(std::uint32_t id) const;
  [[nodiscard]] Accepted<void> check_graph(std::uint32_t id) const;

  [[nodiscard]] const Trace& trace() const { return trace_; }

 private:
  Trace trace_;
  std::set<std::string> lane_names_;
  std::set<std::string> region_names_;
  std::set<std::string> task_names_;
  std::set<std::string> graph_names_;
};

}  // namespace quintet
