/// A long recording whose every step is known by hand.
#pragma once

#include "profiler/trace/span_order.h"
#include "profiler/trace/trace_batch.h"
#include "tests/support/tiny_trace.h"

namespace quintet::viewer {

/// The rows of tiny_trace() moved later by `times` of its lengths, for steps that go on counting.
inline TraceBatch tiny_steps(std::int64_t times) {
  const Trace tiny = tiny_trace();
  const auto steps = static_cast<std::int64_t>(tiny.steps.size());
  const std::int64_t later = times * steps * 1000;
  TraceBatch batch;
  batch.spans = tiny.spans;
  for (std::size_t span = 0; span < batch.spans.size(); ++span) {
    batch.spans.begin_ns[span] += later;
    batch.spans.end_ns[span] += later;
    batch.spans.step[span] += static_cast<std::int32_t>(times * steps);
  }
  const auto move = [&](auto rows, auto& to) {
    for (auto& row : rows) {
      row.begin_ns += later;
      row.end_ns += later;
      row.step += static_cast<decltype(row.step)>(times * steps);
      to.push_back(row);
    }
  };
  move(tiny.steps, batch.steps);
  move(tiny.launches, batch.launches);
  move(tiny.host_waits, batch.host_waits);
  return batch;
}

/// tiny_trace(), so many times one after the other.
inline Trace repeated_trace(std::int64_t times) {
  Trace trace = tiny_trace();
  for (std::int64_t time = 1; time < times; ++time)
    append(trace, tiny_steps(time));
  return trace;
}

}  // namespace quintet::viewer
