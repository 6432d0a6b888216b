/// A trace for Perfetto (ui.perfetto.dev, trace_processor): a stream of binary packets. What it
/// holds stands in profiler/report/README.md.
#pragma once

#include "profiler/report/byte_sink.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// Writes the whole trace in order of time; memory grows with lanes and tasks, by 2 bits a span,
/// and not with the document. Errors: the sink's.
Result<void> write_perfetto_trace(const Trace& trace, const ByteSink& sink);

}  // namespace quintet
