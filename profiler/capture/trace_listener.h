/// Told what a recorder writes, as it writes it: for those who show a run while it goes on.
#pragma once

#include "profiler/trace/trace.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {

/// on_plan is called on the thread that starts the recorder, before anything runs; on_batch afterwards, on the
/// recorder's own thread, never two at once. Must not throw. What is told has been written before, unless the
/// recording has stopped or there is none.
class TraceListener {
 public:
  virtual ~TraceListener() = default;
  /// The static half of the trace.
  virtual void on_plan(const Trace& /*plan*/) {}
  virtual void on_batch(TraceBatch /*batch*/) {}
};

}  // namespace quintet
