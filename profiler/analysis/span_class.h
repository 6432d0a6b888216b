/// What kind of work a task is: transfer, communication, update or compute. Told from the task, and
/// of copies from what was copied, never from the lane, because which lane does what is the
/// policy's choice.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

enum class SpanClass : std::uint8_t { compute, transfer, comm, update, host };

inline constexpr std::size_t kSpanClassCount = 5;

constexpr std::string_view name_of(SpanClass span_class) {
  switch (span_class) {
    case SpanClass::compute:
      return "compute";
    case SpanClass::transfer:
      return "transfer";
    case SpanClass::comm:
      return "comm";
    case SpanClass::update:
      return "update";
    case SpanClass::host:
      return "host";
  }
  return {};
}

/// transfer: copies between host and device, or between devices. comm: all-reduces, and in
/// imported traces kernels of NCCL and its like, and collectives of XLA. update: sub-graphs that maintain weights, gradients, statistics and
/// results rather than propagate them. host: what a host lane does, named ranges and calls.
/// compute: the rest; fills and copies within a device included.
SpanClass class_of(const TraceTask& task, const LaneTable& lanes);

/// Per task of the trace. A program names its ops as it likes: a task that is compute by its name,
/// and on devices did nothing but copies that leave a device's memory, is a transfer.
std::vector<SpanClass> task_classes(const Trace& trace);

/// The class of one span, given those of the tasks: its task's, but of a task that is compute a copy
/// that leaves the device's memory is a transfer all the same.
SpanClass class_of_span(const Trace& trace, const std::vector<SpanClass>& task_classes,
                        std::size_t span);

}  // namespace quintet
