/// The arrows of a timeline: from a call to what it launched, and along the edges of task graphs.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profiler/report/slice_stream.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// What begins and what ends at one slice: ids of arrows, each of which joins two slices.
struct FlowEnds {
  std::vector<std::uint64_t> begins;
  std::vector<std::uint64_t> ends;
};

/// Which arrows touch which slice.
///  * Edge of a task graph: from the last span of a task in a step to the first span of the other
///    one in that step, if they began in this order.
///  * Correlation: from a graph launch to the first span it launched on each lane that the graph's
///    tasks have; from another call to the first span it launched, or to the call from what began
///    before it.
/// Borrows the trace. Holds 2 bits a span, and an entry for each call that has launched nothing yet.
class TraceFlows {
 public:
  explicit TraceFlows(const Trace& trace);
  /// Of the next slice of a SliceStream; every slice in its turn.
  const FlowEnds& at(const Slice& slice);

 private:
  void read_edges();
  void find_run_ends();
  void read_launch_lanes();
  void find_early_work();
  void join_tasks(std::size_t span);
  void join_launched(std::size_t span);
  void open_call(std::uint16_t lane, std::uint32_t correlation, std::uint64_t lanes);

  const Trace& trace_;
  FlowEnds found_;
  std::vector<std::vector<std::uint64_t>> out_;  ///< edges by task; empty: no graph has any
  std::vector<std::vector<std::uint64_t>> in_;
  std::vector<bool> first_;  ///< by span: the first of its task in its step
  std::vector<bool> last_;
  std::vector<std::int32_t> open_edges_;     ///< by edge: the step whose arrow has only begun
  std::vector<std::uint64_t> launch_lanes_;  ///< by graph: a set of lane bits
  /// By rank and correlation: the lanes to which an arrow still has to lead.
  std::unordered_map<std::uint64_t, std::uint64_t> open_calls_;
  /// Likewise: calls that began after what they launched, as clocks that disagree say. True once the
  /// arrow has begun, at the work.
  std::unordered_map<std::uint64_t, bool> early_;
};

}  // namespace quintet
