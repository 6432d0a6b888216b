/// A trace in memory: what one run planned, did and measured. Nothing in it knows StreamKind; lanes
/// are a table.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
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
};

/// Columns of equal length, one entry per device or host activity. Sorted by span_order.h once
/// loaded.
struct SpanColumns {
  std::vector<std::int64_t> begin_ns;
  std::vector<std::int64_t> end_ns;
  std::vector<std::int64_t> cpu_ns;  ///< -1 = unknown
  std::vector<std::uint32_t> task;   ///< index into Trace::tasks
  std::vector<std::int32_t> step;    ///< the step served; -1 = none
  std::vector<std::uint16_t> lane;   ///< policy lane
  std::vector<std::uint16_t> executor_lane;

  [[nodiscard]] std::size_t size() const { return begin_ns.size(); }
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
};

enum class Severity : std::uint8_t { info, notice, data_loss, error };

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

/// Well-known provenance keys: scenario, policy, policy_toml, executor, lowering, step_mode, sync,
/// gradients, started (UTC), machine, cpu, quintet_version, onednn_version, verdict,
/// untraced_step_ns, traced_step_ns, weights_hash, test_accuracy, dropped_spans, data,
/// data_generated, network, batch, seed, clock_realtime_offset_ns.
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
  SpanColumns spans;
  std::vector<TraceHostWait> host_waits;
  std::vector<TraceLaunch> launches;
  std::vector<Finding> findings;
};

}  // namespace quintet
