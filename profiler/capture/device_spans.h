/// From what a device reports to spans of tasks: who a record belongs to, and what it cannot tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/capture/device_record.h"
#include "profiler/capture/node_table.h"
#include "profiler/capture/occupancy_limit.h"
#include "profiler/trace/clock_map.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {

/// A launch of an executable graph, as the host saw it.
struct LaunchNote {
  std::int32_t step = -1;     ///< that it serves
  std::uint16_t lane = 0;     ///< it was launched on
  std::uint32_t graph = 0;    ///< index into Trace::graphs
  std::int64_t begin_ns = 0;  ///< of the host's call, on the trace's clock
};

/// A call of the host that put a kernel, copy or fill on a stream, outside any graph.
struct CallNote {
  std::optional<std::uint32_t> task;  ///< that was being enqueued; nothing = none
  std::int32_t step = -1;             ///< begun last
  std::uint16_t lane = 0;             ///< of the task
  std::int64_t begin_ns = 0;          ///< of the call, on the trace's clock
};

/// What came, by kind of trouble; every record is in `records` and in one span or in `untimed`.
struct DeviceSpanCounts {
  std::int64_t records = 0;
  std::int64_t untimed = 0;
  std::int64_t unattributed = 0;  ///< of no task
  std::int64_t on_legacy_stream = 0;
  std::int64_t without_launch = 0;  ///< of a launch that nobody saw: their step is unknown
  std::int64_t wrong_correlation =
      0;                   ///< told of a launch that began after them: another is theirs
  std::int64_t early = 0;  ///< began before their launch did
  std::int64_t most_early_ns = 0;
  std::int64_t clock_set_back = 0;  ///< readings of the clocks
  std::int64_t untimed_overhead = 0;
};

/// Where the tables of the trace end so far, and how its clock lies to Unix time.
struct DeviceSpansStart {
  std::size_t lanes = 0;
  std::size_t tasks = 0;
  std::size_t activities = 0;
  std::vector<std::string> graphs;  ///< names, as in Trace::graphs
  int rank = 0;
  std::int64_t unix_offset_ns = 0;  ///< Unix time minus trace time, until the clocks are compared
  std::optional<std::uint32_t> legacy_stream;
  MultiprocessorLimits limits;
};

/// The clocks of a recording with a device: times of the host are the trace's own.
inline constexpr std::uint16_t kHostClock = 0;
inline constexpr std::uint16_t kDeviceClock = 1;

/// How far host and device clocks may disagree before a correlation is not believed.
inline constexpr std::int64_t kClockTroubleNs = 10'000;

/// Owns what it has interned; one thread at a time. A record in a graph goes to the owner of its
/// node, any other to the task of the call that made it; one that nobody owns becomes a span of a task "unattributed/NAME" of kind UNATTRIBUTED, on
/// the lane where it ran. Executor lanes, such tasks and activities are appended to the tables of
/// the trace.
///
/// Work of a graph that begins more than kClockTroubleNs before its launch is not of that launch, for no
/// clock is so wrong: it belongs to the latest launch of the same graph that began before it.
class DeviceSpans {
 public:
  explicit DeviceSpans(DeviceSpansStart start);

  /// What both clocks told at one moment: records are mapped through all that are known as they
  /// come. One that goes back by the device's clock is counted and not taken.
  void calibrate(const TraceClockPair& pair);
  /// Before the records of the launch come.
  void launched(std::uint32_t correlation, const LaunchNote& note);
  /// Before the record of the call comes.
  void called(std::uint32_t correlation, const CallNote& note);
  void add(const DeviceRecord& record, const NodeTable& nodes);
  /// A span of the task "overhead/NAME", kind HOST_OVERHEAD, on the host lane "overhead". One without
  /// times is left out and counted.
  void add(const OverheadRecord& record);
  /// What was added since the last take.
  TraceBatch take();

  [[nodiscard]] const DeviceSpanCounts& counts() const { return counts_; }
  [[nodiscard]] const ClockMap& clock() const { return clock_; }
  /// One finding per kind of trouble that came up.
  [[nodiscard]] std::vector<Finding> findings() const;

 private:
  struct Place {
    std::uint32_t task = 0;
    std::uint16_t lane = 0;
    std::int32_t step = -1;
  };
  /// A launch that is remembered, or nothing (correlation 0).
  struct Launched {
    std::uint32_t correlation = 0;
    const LaunchNote* note = nullptr;
  };
  Place place_of(const DeviceRecord& record, const Launched& launch, const NodeOwner* owner,
                 std::uint16_t executor_lane);
  [[nodiscard]] Launched launch_of(const DeviceRecord& record, const NodeOwner* owner);
  [[nodiscard]] Launched latest_launch(std::uint32_t graph, std::int64_t before_ns) const;
  std::uint16_t executor_lane(const DeviceRecord& record);
  std::uint16_t overhead_lane();
  std::uint16_t next_lane() const;
  std::uint32_t task_named(const std::string& name, const char* op_kind);
  std::uint32_t activity_of(const DeviceRecord& record, const NodeOwner* owner);
  std::uint32_t new_activity(const DeviceRecord& record, const NodeOwner* owner);
  Place place_of_call(const DeviceRecord& record, std::uint16_t executor_lane);
  void check_times(const DeviceRecord& record, std::int64_t issued_ns);
  /// Says, once, that times on the lane are the device's.
  void note_clock(std::uint16_t lane);

  DeviceSpansStart start_;
  ClockMap clock_;
  std::vector<bool> clock_noted_;  ///< per lane
  DeviceSpanCounts counts_;
  TraceBatch batch_;
  std::unordered_map<std::uint32_t, LaunchNote> launches_;
  std::deque<std::uint32_t> launch_order_;
  std::unordered_map<std::uint32_t, CallNote> calls_;
  std::deque<std::uint32_t> call_order_;
  struct StreamKey {
    std::uint32_t device = 0;
    std::uint32_t context = 0;  ///< in which streams are numbered
    std::uint32_t stream = 0;
    friend auto operator<=>(const StreamKey&, const StreamKey&) = default;
  };
  std::map<StreamKey, std::uint16_t> lanes_;
  std::map<std::string, int> lane_names_;  ///< how often each was given
  std::optional<std::uint16_t> overhead_lane_;
  std::size_t batched_lanes_ = 0;  ///< appended to the trace's
  std::map<std::string, std::uint32_t> tasks_;
  std::unordered_map<std::uint64_t, std::uint32_t> node_activities_;
  std::unordered_map<std::string, std::uint32_t> named_activities_;
  std::vector<std::string> activity_names_;  ///< of those this has interned
};

}  // namespace quintet
