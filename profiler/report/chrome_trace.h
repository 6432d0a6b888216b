/// A trace as Chrome Trace Event JSON with Kineto's conventions, for tools that read PyTorch's
/// traces. What is ours beside them stands in profiler/report/README.md.
#pragma once

#include "profiler/report/byte_sink.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// Writes every span, host wait, launch and step once, in order of begin; memory grows with lanes
/// and tasks and not with the document. Times are whole nanoseconds, written as microseconds with
/// three decimals. Errors: the sink's.
Result<void> write_chrome_trace(const Trace& trace, const ByteSink& sink);

}  // namespace quintet
