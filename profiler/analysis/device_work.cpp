#include "profiler/analysis/device_work.h"

#include <algorithm>
#include <array>

namespace quintet {

namespace {

constexpr auto kPseudoKinds =
    std::to_array<std::string_view>({"KERNEL", "MEMSET", "HOST_RANGE", "HOST_STARTED_RANGE",
                                     "HOST_OVERHEAD", "API_CALL", "GRAPH", "UNATTRIBUTED"});

}  // namespace

bool has_finding(const Trace& trace, std::string_view name) {
  return std::any_of(trace.findings.begin(), trace.findings.end(),
                     [name](const Finding& finding) { return finding.name == name; });
}

std::optional<ActivityKind> activity_kind(const Trace& trace, std::uint32_t activity) {
  if (activity >= trace.activities.size()) return std::nullopt;
  return trace.activities[activity].kind;
}

bool is_device_activity(const Trace& trace, std::uint32_t activity) {
  const std::optional<ActivityKind> kind = activity_kind(trace, activity);
  if (!kind) return false;
  switch (*kind) {
    case ActivityKind::kernel:
    case ActivityKind::memcpy:
    case ActivityKind::memset:
      return true;
    case ActivityKind::graph:
    case ActivityKind::host_range:
    case ActivityKind::api_call:
      return false;
  }
  return false;
}

bool is_work(const Trace& trace, std::size_t span) {
  const std::uint32_t activity = trace.spans.activity[span];
  return !activity_kind(trace, activity) || is_device_activity(trace, activity);
}

bool is_pseudo_task(const TraceTask& task) {
  return task.op_kind.starts_with("MEMCPY") ||
         std::find(kPseudoKinds.begin(), kPseudoKinds.end(), task.op_kind) != kPseudoKinds.end();
}

}  // namespace quintet
