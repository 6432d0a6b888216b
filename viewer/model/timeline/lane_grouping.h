/// Which lane of a timeline each span of a trace belongs to, under a grouping.
///
/// Work on devices is grouped; below it, per rank, come whole launches of graphs (nothing is known
/// inside them), the calls that launched, what threads did and where they were blocked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet::viewer {

enum class SpanGrouping : std::uint8_t {
  policy_stream,    ///< where the policy put it
  executor_stream,  ///< where the driver ran it
  op_kind,
  layer,
};

constexpr std::string_view name_of(SpanGrouping grouping) {
  switch (grouping) {
    case SpanGrouping::policy_stream:
      return "policy streams";
    case SpanGrouping::executor_stream:
      return "executor streams";
    case SpanGrouping::op_kind:
      return "op kinds";
    case SpanGrouping::layer:
      return "layers";
  }
  return {};
}

/// The kinds of lanes, in the order in which a rank's are stacked.
enum class LaneSection : std::uint8_t {
  work,          ///< kernels, copies, fills, whole runs of tasks
  whole_graphs,  ///< launches of graphs whose nodes were not recorded
  launches,      ///< the host's launches: rows of Trace::launches
  host_work,     ///< named ranges, calls and tasks of a thread
  host_waits,    ///< where a thread was blocked: rows of Trace::host_waits
};

constexpr std::string_view name_of(LaneSection section) {
  switch (section) {
    case LaneSection::work:
      return "streams";
    case LaneSection::whole_graphs:
      return "graphs recorded as a whole";
    case LaneSection::launches:
      return "launches";
    case LaneSection::host_work:
      return "host";
    case LaneSection::host_waits:
      return "host waits";
  }
  return {};
}

/// The table that a lane's items are rows of.
enum class ItemTable : std::uint8_t { spans, launches, host_waits };

constexpr ItemTable table_of(LaneSection section) {
  switch (section) {
    case LaneSection::launches:
      return ItemTable::launches;
    case LaneSection::host_waits:
      return ItemTable::host_waits;
    case LaneSection::work:
    case LaneSection::whole_graphs:
    case LaneSection::host_work:
      return ItemTable::spans;
  }
  return ItemTable::spans;
}

struct TimelineLane {
  static constexpr std::uint32_t kNoLane = 0xFFFFFFFF;

  std::string name;
  LaneSection section = LaneSection::work;
  int rank = 0;
  int device = 0;
  std::uint32_t trace_lane =
      kNoLane;  ///< into Trace::lanes; kNoLane for op kinds, layers, launches
  std::uint64_t items = 0;
};

/// The lanes of a trace and the rule that hands its items to them.
///
/// Owns: tables of the size of the trace's lanes and tasks. Threads: readable from many. Throws:
/// bad_alloc. Usage: `lanes.lanes()[lanes.of_span(trace.spans, i)]`.
class LaneGroups {
 public:
  LaneGroups(const Trace& trace, SpanGrouping grouping);
  /// The lanes of `now`, of which `older` has those of `before`: the same lanes, tasks and activities,
  /// the same first `unchanged` spans, and no fewer launches and waits. Costs the other spans and the
  /// tables.
  LaneGroups(const LaneGroups& older, const Trace& before, const Trace& now, std::size_t unchanged);

  [[nodiscard]] SpanGrouping grouping() const { return grouping_; }
  /// By rank, section, then the lane table's order (names, for op kinds; program order, for
  /// layers). Every stream of the policy is there, used or not; of other kinds only those in use.
  [[nodiscard]] const std::vector<TimelineLane>& lanes() const { return lanes_; }
  /// Per lane, the one of `older` that it is; kNoLane for one that is new. `older` as given to the
  /// constructor, or another of the same tables.
  [[nodiscard]] std::vector<std::uint32_t> lanes_in(const LaneGroups& older) const;

  [[nodiscard]] std::uint32_t of_span(const SpanColumns& spans, std::size_t span) const {
    return place_of_[key_of(spans.lane[span], spans.executor_lane[span], spans.task[span],
                            spans.activity[span])];
  }
  [[nodiscard]] std::uint32_t of_untimed(const TraceUntimed& untimed) const {
    return place_of_[key_of(untimed.lane, untimed.executor_lane, untimed.task, untimed.activity)];
  }
  [[nodiscard]] std::uint32_t of_launch(const TraceLaunch& launch) const {
    return place_of_[launches_ + rank_of(launch.lane.value())];
  }
  [[nodiscard]] std::uint32_t of_host_wait(const TraceHostWait& wait) const {
    return place_of_[waits_ + lane_or_unknown(wait.lane.value())];
  }

 private:
  /// What a trace's activity is to a timeline.
  enum class Part : std::uint8_t { work, whole_graph, host };

  [[nodiscard]] std::size_t key_of(std::uint32_t lane, std::uint32_t executor, std::uint32_t task,
                                   std::uint32_t activity) const {
    const std::size_t policy = lane_or_unknown(lane);
    const Part part = activity < parts_.size() ? parts_[activity] : Part::work;
    if (part == Part::host || host_lane_[policy]) return hosts_ + policy;
    if (part == Part::whole_graph) return graphs_ + policy;
    if (grouping_ == SpanGrouping::policy_stream) return policy;
    if (grouping_ == SpanGrouping::executor_stream) return lane_or_unknown(executor);
    return rank_of(lane) * groups_ + group_of_task_[task < tasks_ ? task : tasks_];
  }
  [[nodiscard]] std::size_t lane_or_unknown(std::uint32_t lane) const {
    return lane < lane_count_ ? lane : lane_count_;
  }
  [[nodiscard]] std::size_t rank_of(std::uint32_t lane) const {
    return rank_of_lane_[lane_or_unknown(lane)];
  }
  void number_ranks(const Trace& trace);
  void number_groups(const Trace& trace);
  void count(const Trace& trace);
  [[nodiscard]] std::size_t key_of(const SpanColumns& spans, std::size_t span) const {
    return key_of(spans.lane[span], spans.executor_lane[span], spans.task[span],
                  spans.activity[span]);
  }
  void place(const Trace& trace);
  [[nodiscard]] TimelineLane lane_for(const Trace& trace, std::size_t key) const;

  SpanGrouping grouping_;
  std::size_t lane_count_ = 0;
  std::size_t tasks_ = 0;
  std::size_t groups_ = 1;  ///< op kinds or layers
  // Keys of the kinds of lanes begin at:
  std::size_t graphs_ = 0;
  std::size_t launches_ = 0;
  std::size_t hosts_ = 0;
  std::size_t waits_ = 0;
  std::vector<Part> parts_;                   ///< per activity
  std::vector<bool> host_lane_;               ///< per lane, then for an unknown one
  std::vector<std::uint32_t> rank_of_lane_;   ///< the place of its rank among the ranks
  std::vector<int> ranks_;                    ///< ascending
  std::vector<std::uint32_t> group_of_task_;  ///< per task, then for an unknown one
  std::vector<std::string> group_names_;
  std::vector<std::uint64_t> items_;     ///< per key
  std::vector<std::uint32_t> place_of_;  ///< per key: the lane
  std::vector<TimelineLane> lanes_;
};

}  // namespace quintet::viewer
