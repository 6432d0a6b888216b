#include "profiler/trace/trace_parts.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "profiler/trace/span_columns.h"

namespace quintet {

namespace {

/// How many spans must be there before a step of this number may be.
using SpansOfStep = std::unordered_map<std::int64_t, std::size_t>;

/// Behind the last span that serves each step.
SpansOfStep last_served(const Trace& trace) {
  SpansOfStep ends;
  for (const TraceStep& step : trace.steps)
    ends[step.step] = 0;
  if (ends.empty()) return ends;
  const std::vector<std::int32_t>& steps = trace.spans.step;
  for (std::size_t span = 0; span < steps.size(); ++span) {
    const bool last_of_run = span + 1 == steps.size() || steps[span + 1] != steps[span];
    if (!last_of_run) continue;
    if (const auto found = ends.find(steps[span]); found != ends.end()) found->second = span + 1;
  }
  return ends;
}

std::vector<std::size_t> waits_of_steps(const Trace& trace) {
  const SpansOfStep served = last_served(trace);
  const std::vector<std::int64_t>& begins = trace.spans.begin_ns;
  std::vector<std::size_t> waits;
  waits.reserve(trace.steps.size());
  for (const TraceStep& step : trace.steps) {
    const auto touched = std::upper_bound(begins.begin(), begins.end(), step.end_ns);
    const std::size_t own =
        std::max(static_cast<std::size_t>(touched - begins.begin()), served.at(step.step));
    // A step that waits holds up those behind it.
    waits.push_back(waits.empty() ? own : std::max(own, waits.back()));
  }
  return waits;
}

/// A row that may not wait hurries those before it.
void never_falling(std::vector<std::size_t>& waits) {
  for (std::size_t row = waits.size(); row-- > 1;)
    waits[row - 1] = std::min(waits[row - 1], waits[row]);
}

/// Moves on to the last row that `spans` are enough for; returns where it was.
std::size_t advance(std::size_t& at, const std::vector<std::size_t>& waits, std::size_t spans) {
  const std::size_t before = at;
  while (at < waits.size() && waits[at] <= spans)
    ++at;
  return before;
}

template <class T>
std::vector<T> slice(const std::vector<T>& rows, std::size_t begin, std::size_t end) {
  return {rows.begin() + static_cast<std::ptrdiff_t>(begin),
          rows.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

TraceParts::TraceParts(const Trace& trace, std::size_t spans_a_part)
    : trace_(trace), spans_a_part_(spans_a_part), steps_(waits_of_steps(trace)) {
  assert(spans_a_part > 0);
  assert(std::is_sorted(trace.spans.begin_ns.begin(), trace.spans.begin_ns.end()));
  SpansOfStep ready;
  for (std::size_t row = 0; row < steps_.size(); ++row)
    ready.try_emplace(trace.steps[row].step, steps_[row]);
  const std::vector<std::int64_t>& begins = trace.spans.begin_ns;
  const auto timed = [&](const auto& row) {
    const auto place = std::lower_bound(begins.begin(), begins.end(), row.begin_ns);
    const auto spans = static_cast<std::size_t>(place - begins.begin());
    const auto served = ready.find(row.step);
    return served == ready.end() ? spans : std::min(spans, served->second);
  };
  for (const TraceHostWait& row : trace.host_waits)
    host_waits_.push_back(timed(row));
  for (const TraceLaunch& row : trace.launches)
    launches_.push_back(timed(row));
  for (const TraceUntimed& row : trace.untimed) {
    // One that serves no step here may belong to any of them.
    const auto served = ready.find(row.step);
    untimed_.push_back(served == ready.end() ? 0 : served->second);
  }
  never_falling(host_waits_);
  never_falling(launches_);
  never_falling(untimed_);
}

TraceBatch TraceParts::next() {
  assert(!done_);
  const bool first = spans_ == 0;
  const std::size_t begin = spans_;
  spans_ = std::min(begin + spans_a_part_, trace_.spans.size());
  TraceBatch batch;
  for_each_column([&](auto& to, const auto& from) { to = slice(from, begin, spans_); }, batch.spans,
                  trace_.spans);
  const std::size_t step = advance(step_rows_, steps_, spans_);
  batch.steps = slice(trace_.steps, step, step_rows_);
  const std::size_t wait = advance(wait_rows_, host_waits_, spans_);
  batch.host_waits = slice(trace_.host_waits, wait, wait_rows_);
  const std::size_t launch = advance(launch_rows_, launches_, spans_);
  batch.launches = slice(trace_.launches, launch, launch_rows_);
  const std::size_t untimed = advance(untimed_rows_, untimed_, spans_);
  batch.untimed = slice(trace_.untimed, untimed, untimed_rows_);
  if (first) {
    batch.clocks = trace_.clocks;
    batch.lane_clocks = trace_.lane_clocks;
    batch.clock_pairs = trace_.clock_pairs;
  }
  // No row waits for more spans than there are.
  done_ = spans_ == trace_.spans.size();
  return batch;
}

}  // namespace quintet
