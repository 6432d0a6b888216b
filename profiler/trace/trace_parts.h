/// A trace that is whole in memory, cut into the batches of a recording: whoever stops early leaves
/// a recording of fewer steps, not one of idle steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {

/// Hands out what was measured, part by part: spans in their order, each step not before the last
/// span that serves it or touches its time, each wait, launch and untimed activity not after the
/// step that it serves or touches. Rows keep their order. Clocks come with the first part.
class TraceParts {
 public:
  /// Refers to `trace`, whose spans are in order of their begin.
  TraceParts(const Trace& trace, std::size_t spans_a_part);
  /// True once everything was handed out. There is at least one part.
  [[nodiscard]] bool done() const { return done_; }
  TraceBatch next();
  /// How many spans were handed out.
  [[nodiscard]] std::size_t spans() const { return spans_; }

 private:
  const Trace& trace_;
  std::size_t spans_a_part_;
  // By how many spans each row must wait (steps) or may wait (all others), never falling.
  std::vector<std::size_t> steps_;
  std::vector<std::size_t> host_waits_;
  std::vector<std::size_t> launches_;
  std::vector<std::size_t> untimed_;
  // What was handed out.
  std::size_t spans_ = 0;
  std::size_t step_rows_ = 0;
  std::size_t wait_rows_ = 0;
  std::size_t launch_rows_ = 0;
  std::size_t untimed_rows_ = 0;
  bool done_ = false;
};

}  // namespace quintet
