/// A trace in memory: what one run planned, did and measured. Nothing in it knows StreamKind; lanes
/// are a table.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/access.h"
#include "runtime/model/lane.h"
#include "runtime/model/region.h"

namespace quintet {

struct TraceTask {
  std::string name;  ///< "conv1/CONV_FP32_BWD/dW"
  std::string layer;
  std::string op_kind;
  std::string part;
  std::string graph;  ///< its sub-graph, "DEEP_FWD_BWD"
  std::string shape;  ///< shape variant, "train"
  bool representative = true;
  std::optional<LaneId> policy_lane;  ///< nothing = never placed
  std::string placement_reason;
  std::vector<std::string> covers;
  std::vector<Access> accesses;
  std::uint64_t workspace_bytes = 0;
  double flops = 0;
  double bytes = 0;
};

/// A captured graph: its tasks in issue order and its explicit edges (indices into Trace::tasks).
struct TraceEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::string rule;
  std::string reason;
};

struct TraceGraph {
  std::string name;  ///< "DEEP_FWD_BWD@train"
  LaneId primary;    ///< the lane it is launched on
  std::vector<std::uint32_t> tasks;
  std::vector<TraceEdge> edges;
  bool empty = false;  ///< a sub-graph of the article's step that had no work
};

/// A command of a step program, as text fields: what a reader of the recording needs, without the
/// runtime's types.
struct TraceCommand {
  std::string variant;  ///< "train A train>train_tail"
  std::uint32_t position = 0;
  std::string kind;
  std::string actor;
  std::string stream;
  std::string graph;
  std::string event;
  std::int32_t steps = 0;
  std::string why;
};

struct TraceTensor {
  std::string name;
  std::string shape;
  std::string dtype;
  std::string variant;
  RegionId region;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// What was recorded inside a step.
enum class StepRecording : std::uint8_t {
  all,   ///< every span of it
  none,  ///< its times alone: spans were not asked for
  disturbed,  ///< its times and perhaps some spans; the recorder itself held it up, so its length tells nothing
};

inline constexpr std::array<StepRecording, 3> kStepRecordings = {
    StepRecording::all, StepRecording::none, StepRecording::disturbed};

constexpr std::string_view name_of(StepRecording recording) {
  switch (recording) {
    case StepRecording::all:
      return "all";
    case StepRecording::none:
      return "none";
    case StepRecording::disturbed:
      return "disturbed";
  }
  return {};
}

struct TraceStep {
  std::int64_t step = 0;
  std::string phase;  ///< "train", "evaluate"
  std::string shape;  ///< shape variant
  std::string slot;   ///< "A" or "B"
  std::int64_t batch = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::optional<double> loss;
  std::optional<std::int64_t> correct;
  double learning_rate = 0;
  StepRecording recording = StepRecording::all;
};

/// What kind of thing a span is.
enum class ActivityKind : std::uint8_t {
  kernel,      ///< on a device
  memcpy,      ///< on a device
  memset,      ///< on a device
  graph,       ///< a whole launch of an executable graph, whose nodes were not recorded one by one
  host_range,  ///< a named range of a host thread
  api_call,    ///< a host thread's call into the driver or the runtime
};

inline constexpr std::size_t kActivityKindCount = 6;

constexpr std::string_view name_of(ActivityKind kind) {
  switch (kind) {
    case ActivityKind::kernel:
      return "kernel";
    case ActivityKind::memcpy:
      return "memcpy";
    case ActivityKind::memset:
      return "memset";
    case ActivityKind::graph:
      return "graph";
    case ActivityKind::host_range:
      return "host_range";
    case ActivityKind::api_call:
      return "api_call";
  }
  return {};
}

/// How a kernel was launched.
struct LaunchShape {
  std::array<std::uint32_t, 3> grid = {1, 1, 1};   ///< blocks
  std::array<std::uint32_t, 3> block = {1, 1, 1};  ///< threads
  std::uint32_t registers = 0;                     ///< of a thread
  std::uint64_t static_shared_bytes = 0;           ///< of a block
  std::uint64_t dynamic_shared_bytes = 0;          ///< of a block
  /// Resident warps / most resident warps of a multiprocessor, by its limits; nothing = unknown.
  std::optional<double> occupancy;
  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

/// What spans have in common that run the same thing: one graph node, or one kernel in one shape.
struct TraceActivity {
  ActivityKind kind = ActivityKind::kernel;
  std::string name;                            ///< of the kernel, copy, call or range
  std::optional<std::uint64_t> graph_node;     ///< in the executable graph; nothing = in none
  std::optional<std::uint64_t> captured_node;  ///< the node it was instantiated from
  std::optional<LaunchShape> launch;           ///< kernels
  std::optional<std::uint64_t> bytes;          ///< copies and fills
  friend bool operator==(const TraceActivity&, const TraceActivity&) = default;
};

/// No activity: the span is the whole run of its task, as the host executor times it.
inline constexpr std::uint32_t kWholeTask = 0xFFFFFFFF;
inline constexpr std::uint16_t kUnknownChannel = 0xFFFF;

struct Span {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t cpu_ns = -1;                 ///< -1 = unknown
  std::uint32_t task = 0;                   ///< index into Trace::tasks
  std::int32_t step = -1;                   ///< the step served; -1 = none
  std::uint16_t lane = 0;                   ///< policy lane
  std::uint16_t executor_lane = 0;          ///< where it ran
  std::uint32_t activity = kWholeTask;      ///< index into Trace::activities
  std::uint32_t correlation = 0;            ///< joins an API call with what it launched; 0 = none
  std::uint16_t channel = kUnknownChannel;  ///< the hardware's queue
};

/// Columns of equal length, one entry per device or host activity. Sorted by span_order.h once
/// loaded. 46 bytes a span.
struct SpanColumns {
  std::vector<std::int64_t> begin_ns;
  std::vector<std::int64_t> end_ns;
  std::vector<std::int64_t> cpu_ns;
  std::vector<std::uint32_t> task;
  std::vector<std::int32_t> step;
  std::vector<std::uint16_t> lane;
  std::vector<std::uint16_t> executor_lane;
  std::vector<std::uint32_t> activity;
  std::vector<std::uint32_t> correlation;
  std::vector<std::uint16_t> channel;

  [[nodiscard]] std::size_t size() const { return begin_ns.size(); }
};

/// An activity that happened and whose times the device could not tell (both zero, or end before
/// begin): listed, never drawn at time 0.
struct TraceUntimed {
  std::uint32_t task = 0;
  std::int32_t step = -1;
  std::uint16_t lane = 0;
  std::uint16_t executor_lane = 0;
  std::uint32_t activity = 0;
  std::uint32_t correlation = 0;
  std::int64_t raw_begin_ns = 0;  ///< as told
  std::int64_t raw_end_ns = 0;
};

/// A host actor that blocked.
struct TraceHostWait {
  LaneId lane;
  std::int32_t step = 0;
  std::string kind;    ///< "host_sync" or "host_wait"
  std::string target;  ///< stream or event name
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

struct TraceLaunch {
  std::uint32_t graph = 0;  ///< index into Trace::graphs
  LaneId lane;
  std::int32_t step = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::uint32_t correlation = 0;  ///< of the spans it launched; 0 = unknown
};

/// A clock that times of the trace come from. All times are the trace's own, clock 0's; others were
/// mapped to it.
struct TraceClock {
  std::string name;  ///< "host", "device, by CUPTI"
};

/// Whose clock told the times on a lane. A lane in no row is of clock 0.
struct TraceLaneClock {
  std::uint16_t lane = 0;
  std::uint16_t clock = 0;  ///< index into Trace::clocks
};

/// Two clocks read at one moment, as nearly as could be.
struct TraceClockPair {
  std::uint16_t clock = 0;    ///< index into Trace::clocks, never 0
  std::int64_t clock_ns = 0;  ///< what it told
  std::int64_t trace_ns = 0;  ///< what clock 0 told
  std::int64_t width_ns = 0;  ///< the moment's length: how far off the pair can be
};

/// What a lane of an import carries.
enum class LaneRole : std::uint8_t {
  stream,    ///< of a device: kernels, copies, fills
  executor,  ///< of a device: where work ran that a policy put elsewhere
  range,     ///< of a device's stream: annotations projected onto it
  sync,      ///< of a device's stream: waits for it
  thread,    ///< of a host process
  started,   ///< of a host thread: ranges that an id pairs, which need not nest with others
};

inline constexpr std::array<LaneRole, 6> kLaneRoles = {LaneRole::stream, LaneRole::executor,
                                                       LaneRole::range,  LaneRole::sync,
                                                       LaneRole::thread, LaneRole::started};

constexpr std::string_view name_of(LaneRole role) {
  switch (role) {
    case LaneRole::stream:
      return "stream";
    case LaneRole::executor:
      return "executor";
    case LaneRole::range:
      return "range";
    case LaneRole::sync:
      return "sync";
    case LaneRole::thread:
      return "thread";
    case LaneRole::started:
      return "started";
  }
  return {};
}

/// What the profiler of an import called a lane. Lanes of our own runs are in no row.
struct TraceLaneOrigin {
  std::uint16_t lane = 0;
  LaneRole role = LaneRole::stream;
  std::int64_t process = 0;  ///< of streams 0 where it was not reported
  std::int64_t context = 0;  ///< of streams, likewise
  std::int64_t number = 0;   ///< of the stream or thread
};

enum class Severity : std::uint8_t { info, notice, data_loss, error };

inline constexpr std::array<Severity, 4> kSeverities = {Severity::info, Severity::notice,
                                                        Severity::data_loss, Severity::error};

constexpr std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::notice:
      return "notice";
    case Severity::data_loss:
      return "data_loss";
    case Severity::error:
      return "error";
  }
  return {};
}

/// Something odd, by name and counted: "non_finite_loss", "dropped_spans", "race".
struct Finding {
  Severity severity = Severity::info;
  std::string name;
  std::string message;
  std::int64_t count = 1;
};

enum class RecordingState : std::uint8_t { growing, complete, abandoned };

constexpr std::string_view name_of(RecordingState state) {
  switch (state) {
    case RecordingState::growing:
      return "growing";
    case RecordingState::complete:
      return "complete";
    case RecordingState::abandoned:
      return "abandoned";
  }
  return {};
}

/// Well-known provenance keys: title, memo, scenario, scenario_toml, epochs, steps, data_shape, policy, policy_toml, executor, lowering, step_mode, sync,
/// gradients, started (UTC), machine, cpu, quintet_version, onednn_version, verdict,
/// untraced_step_ns, traced_step_ns, weights_hash, test_accuracy, dropped_spans, data,
/// data_generated, network, batch, seed, clock_realtime_offset_ns; of a GPU gpu, multiprocessors, connections, record_mode; of an
/// import source_file, source_format.
using Provenance = std::map<std::string, std::string>;

struct Trace {
  RecordingState state = RecordingState::complete;
  Provenance provenance;
  LaneTable lanes;
  std::vector<Region> regions;
  std::vector<TraceTensor> tensors;
  std::vector<TraceTask> tasks;
  std::vector<TraceGraph> graphs;
  std::vector<TraceCommand> commands;
  std::vector<TraceStep> steps;
  std::vector<TraceActivity> activities;
  SpanColumns spans;
  std::vector<TraceUntimed> untimed;
  std::vector<TraceHostWait> host_waits;
  std::vector<TraceLaunch> launches;
  std::vector<TraceClock> clocks;  ///< none = nothing is said about clocks
  std::vector<TraceLaneClock> lane_clocks;
  std::vector<TraceClockPair> clock_pairs;    ///< of each clock in time order
  std::vector<TraceLaneOrigin> lane_origins;  ///< by lane
  std::vector<Finding> findings;
};

}  // namespace quintet
