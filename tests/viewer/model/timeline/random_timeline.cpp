#include "tests/viewer/model/timeline/random_timeline.h"

#include <algorithm>
#include <string>

#include "profiler/trace/span_order.h"
#include "profiler/trace/trace_batch.h"

namespace quintet::viewer {

namespace {

std::shared_ptr<Trace> with_lanes(std::uint16_t lanes) {
  auto trace = std::make_shared<Trace>();
  for (std::uint16_t lane = 0; lane < lanes; ++lane) {
    Lane entry;
    entry.id = LaneId(lane);
    entry.name = "stream " + std::to_string(lane);
    trace->lanes.push_back(entry);
  }
  constexpr int kTasks = 24;
  for (int task = 0; task < kTasks; ++task) {
    TraceTask entry;
    entry.layer = "conv" + std::to_string(task / 4);
    entry.op_kind = task % 4 == 0 ? "CONV_FP32_FWD" : "CONV_FP32_BWD";
    entry.part = task % 4 == 0 ? "Y" : task % 4 == 1 ? "dW" : task % 4 == 2 ? "dB" : "dX";
    entry.name = entry.layer + "/" + entry.op_kind + "/" + entry.part;
    entry.policy_lane = LaneId(0);
    trace->tasks.push_back(entry);
  }
  return trace;
}

}  // namespace

std::shared_ptr<Trace> random_timeline(TestRandom& random, const TimelineTraits& traits) {
  auto trace = with_lanes(traits.lanes);
  std::int64_t now = traits.origin_ns;
  for (std::size_t i = 0; i < traits.spans; ++i) {
    now += random.integer(0, traits.most_gap_ns);
    std::int64_t length = random.integer(1, traits.most_duration_ns);
    const double kind = random.real(0, 1);
    if (kind < traits.zero_share) length = 0;
    if (kind > 1 - traits.long_share) length *= 100;
    Span span;
    span.begin_ns = now;
    span.end_ns = now + length;
    span.task = static_cast<std::uint32_t>(random.integer(0, 23));
    span.lane = static_cast<std::uint16_t>(random.integer(0, traits.lanes - 1));
    span.executor_lane = static_cast<std::uint16_t>(random.integer(0, traits.lanes - 1));
    append_span(trace->spans, span);
  }
  sort_spans(trace->spans);
  return trace;
}

std::shared_ptr<Trace> timeline_of(const std::vector<Span>& spans, std::uint16_t lanes) {
  auto trace = with_lanes(lanes);
  for (const Span& span : spans)
    append_span(trace->spans, span);
  sort_spans(trace->spans);
  return trace;
}

}  // namespace quintet::viewer
