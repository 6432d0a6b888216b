/// Imports made to be dense: spans that overlap, cover many steps or lie on many lanes, as many as a
/// test asks for.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "profiler/trace/trace.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {

/// Owns: the trace that it builds. Usage: `DenseTrace dense(2); dense.kernel("k", 0, 0, 10);`
class DenseTrace {
 public:
  /// Lanes 0 to `streams` - 1 are streams of one device, the next one is a host's thread.
  explicit DenseTrace(std::uint16_t streams = 1) : thread_(streams) {
    trace.provenance["executor"] = "imported";
    for (std::uint16_t lane = 0; lane <= streams; ++lane) {
      const LaneKind kind = lane == streams ? LaneKind::host : LaneKind::stream;
      trace.lanes.push_back({LaneId(lane), "lane " + std::to_string(lane), kind, 0, 0, 0});
    }
  }

  [[nodiscard]] std::uint16_t thread() const { return thread_; }

  void step(std::int64_t begin, std::int64_t end) {
    TraceStep step;
    step.step = static_cast<std::int64_t>(trace.steps.size());
    step.phase = "train";
    step.begin_ns = begin;
    step.end_ns = end;
    trace.steps.push_back(step);
  }
  void kernel(const std::string& name, std::uint16_t lane, std::int64_t begin, std::int64_t end,
              std::uint32_t correlation = 0) {
    add(name, "KERNEL", ActivityKind::kernel, lane, begin, end, correlation);
  }
  void call(const std::string& name, std::int64_t begin, std::int64_t end,
            std::uint32_t correlation = 0) {
    add(name, "API_CALL", ActivityKind::api_call, thread_, begin, end, correlation);
  }
  void range(const std::string& name, std::int64_t begin, std::int64_t end,
             const std::string& kind = "HOST_RANGE") {
    add(name, kind, ActivityKind::host_range, thread_, begin, end, 0);
  }
  void untimed(const std::string& name, ActivityKind kind, std::uint16_t lane) {
    const auto [task, activity] = named(name, "GRAPH", kind);
    trace.untimed.push_back({task, -1, lane, lane, activity, 0, 0, 0});
  }

  Trace trace;

 private:
  struct Named {
    std::uint32_t task = 0;
    std::uint32_t activity = 0;
  };

  Named named(const std::string& name, const std::string& op_kind, ActivityKind kind) {
    const auto [found, fresh] = known_.try_emplace({op_kind, name});
    if (fresh) {
      found->second = {static_cast<std::uint32_t>(trace.tasks.size()),
                       static_cast<std::uint32_t>(trace.activities.size())};
      TraceTask task;
      task.name = name;
      task.op_kind = op_kind;
      trace.tasks.push_back(std::move(task));
      TraceActivity activity;
      activity.kind = kind;
      activity.name = name;
      trace.activities.push_back(std::move(activity));
    }
    return found->second;
  }

  void add(const std::string& name, const std::string& op_kind, ActivityKind kind,
           std::uint16_t lane, std::int64_t begin, std::int64_t end, std::uint32_t correlation) {
    const auto [task, activity] = named(name, op_kind, kind);
    append_span(trace.spans, {begin, end, -1, task, -1, lane, lane, activity, correlation});
  }

  std::uint16_t thread_;
  std::map<std::pair<std::string, std::string>, Named> known_;
};

}  // namespace quintet
