/// The static half of a trace as a message: what is known before the first step.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "profiler/trace/trace.h"
#include "profiler/trace/trace_batch.h"
#include "profiler/wire/field_reader.h"
#include "profiler/wire/rpc_message.h"
#include "runtime/model/result.h"

namespace quintet {

/// Sent once a run, before its first batch.
struct TaskGraphMessage {
  static constexpr std::string_view kMethod = "task_graph";
  std::int64_t run = 0;
  std::string recording;  ///< path on the worker's machine
  Trace plan;             ///< all but what batches bring: spans, steps, untimed, waits, launches

  [[nodiscard]] WireJson to_json() const;
  /// Also refuses indices that point outside their tables.
  static Result<TaskGraphMessage> from_json(const WireJson& json);
};

// Tables that a batch may add to. `read_` functions check neither lanes nor regions: who appends them knows how
// many there are.
WireJson lanes_json(const LaneTable& lanes);
LaneTable read_lanes(FieldReader& reader, const char* key);
WireJson tasks_json(const std::vector<TraceTask>& tasks);
std::vector<TraceTask> read_tasks(FieldReader& reader, const char* key);

WireJson findings_json_of(const std::vector<Finding>& findings);
std::vector<Finding> read_findings(FieldReader& reader, const char* key);
WireJson provenance_json(const Provenance& provenance);
Provenance read_provenance_of(FieldReader& reader, const char* key);

}  // namespace quintet
