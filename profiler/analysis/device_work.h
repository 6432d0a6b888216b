/// What a span stands for: work that keeps a lane busy, or something that only accompanies work.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "profiler/trace/trace.h"

namespace quintet {

/// True where the trace has a finding of this name.
bool has_finding(const Trace& trace, std::string_view name);

/// The kind of an activity of the trace; nothing for the whole run of a task.
std::optional<ActivityKind> activity_kind(const Trace& trace, std::uint32_t activity);

/// True for kernels, copies and fills: what a device itself does.
bool is_device_activity(const Trace& trace, std::uint32_t activity);

/// True where the span is work: a kernel, copy or fill, or the whole run of a task. Whole launches
/// of graphs, named ranges and calls accompany work: no lane is busy with them.
bool is_work(const Trace& trace, std::size_t span);

/// True for the tasks that importers and recorders make up for all activities of one name: they
/// have no place in a task graph, and each of their spans is a run of its own.
bool is_pseudo_task(const TraceTask& task);

}  // namespace quintet
