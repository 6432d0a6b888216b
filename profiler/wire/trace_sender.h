/// Tells a trace while it is recorded: plan, spans, steps, as much as the link takes.
#pragma once

#include <cstdint>
#include <string>

#include "profiler/trace/trace.h"
#include "profiler/trace/trace_batch.h"
#include "profiler/wire/frame_sender.h"

namespace quintet {

/// Where the link is too slow, spans, untimed activities, waits and launches are left out and counted; tables
/// and steps never are. One thread at a time.
class TraceSender {
 public:
  TraceSender(FrameSender& link, std::int64_t run) : link_(link), run_(run) {}

  /// False: too large for a frame, or a broken link; batches would mean nothing then.
  bool send_plan(const Trace& plan, const std::string& recording);
  void send_batch(TraceBatch batch);

  [[nodiscard]] std::int64_t unsent_spans() const { return unsent_spans_; }
  [[nodiscard]] std::int64_t unsent_rows() const { return unsent_rows_; }

 private:
  void send_spans(TraceBatch batch);

  FrameSender& link_;
  std::int64_t run_;
  std::int64_t sequence_ = 0;
  std::int64_t unsent_spans_ = 0;
  std::int64_t unsent_rows_ = 0;
};

}  // namespace quintet
