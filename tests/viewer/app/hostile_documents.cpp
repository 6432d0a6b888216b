#include "tests/viewer/app/hostile_documents.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "profiler/trace/span_order.h"
#include "tests/support/tiny_trace.h"

namespace quintet::viewer {

namespace {

constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max() / 4;

void add_span(Trace& trace, std::int64_t begin, std::int64_t end, std::uint16_t lane = 0,
              std::int32_t step = -1) {
  SpanColumns& spans = trace.spans;
  spans.begin_ns.push_back(begin);
  spans.end_ns.push_back(end);
  spans.cpu_ns.push_back(-1);
  spans.task.push_back(0);
  spans.step.push_back(step);
  spans.lane.push_back(lane);
  spans.executor_lane.push_back(lane);
  spans.activity.push_back(kWholeTask);
  spans.correlation.push_back(0);
  spans.channel.push_back(kUnknownChannel);
}

/// One task on one lane, nothing else.
Trace bare() {
  Trace trace;
  trace.lanes.push_back({LaneId(0), "lane", LaneKind::stream, 0, 0, 0});
  TraceTask task;
  task.name = "task";
  task.policy_lane = LaneId(0);
  trace.tasks.push_back(task);
  return trace;
}

Trace empty() {
  return {};
}

Trace lanes_alone() {
  Trace trace;
  trace.lanes = runtime_lanes();
  return trace;
}

Trace one_span() {
  Trace trace = bare();
  add_span(trace, 100, 200);
  return trace;
}

Trace zero_durations() {
  Trace trace = bare();
  for (int span = 0; span < 50; ++span)
    add_span(trace, span / 5, span / 5);
  return trace;
}

Trace overlapping() {
  Trace trace = bare();
  for (int span = 0; span < 200; ++span)
    add_span(trace, span, 1000 - span / 2);
  sort_spans(trace.spans);
  return trace;
}

Trace many_lanes() {
  Trace trace = bare();
  trace.lanes.clear();
  for (std::uint32_t lane = 0; lane < 10'000; ++lane) {
    trace.lanes.push_back(
        {LaneId(lane), "stream " + std::to_string(lane), LaneKind::stream, 0, 0, 0});
    add_span(trace, lane, lane + 50, static_cast<std::uint16_t>(lane));
  }
  return trace;
}

Trace far_apart() {
  Trace trace = bare();
  add_span(trace, -kLatest, -kLatest + 10);
  add_span(trace, 0, 10);
  add_span(trace, kLatest - 10, kLatest);
  return trace;
}

Trace steps_without_spans() {
  Trace trace = bare();
  for (std::int64_t step = 0; step < 9; ++step) {
    TraceStep each;
    each.step = step * 7 - 20;
    each.phase = step % 2 == 0 ? "train" : "evaluate";
    each.begin_ns = step * 100;
    each.end_ns = step * 100 + 100;
    each.recording = step % 3 == 0 ? StepRecording::none : StepRecording::disturbed;
    trace.steps.push_back(each);
  }
  return trace;
}

Trace untold() {
  Trace trace = tiny_trace();
  trace.provenance.clear();
  for (TraceTask& task : trace.tasks) {
    task.accesses.clear();
    task.policy_lane.reset();
    task.flops = 0;
    task.bytes = 0;
  }
  trace.state = RecordingState::abandoned;
  trace.findings = {{Severity::data_loss, "dropped_spans", std::string(3000, 'x'), INT64_MAX},
                    {Severity::error, "", "", 0}};
  return trace;
}

Trace strange_names() {
  Trace trace = one_span();
  trace.tasks[0].name = "%s%n##id###\xF0\x9F\x9A\x80 " + std::string(20'000, 'w');
  trace.tasks[0].layer = "\xFF\xFE broken";
  trace.lanes[0].name = std::string(5'000, 'l') + "%d";
  trace.provenance["policy"] = "%s%s%s" + std::string(2'000, 'p');
  trace.provenance["gpu"] = "\x01\x02";
  return trace;
}

}  // namespace

std::span<const HostileDocument> hostile_documents() {
  static constexpr auto kDocuments = std::to_array<HostileDocument>({
      {"Empty", &empty},
      {"LanesAlone", &lanes_alone},
      {"OneSpan", &one_span},
      {"ZeroDurations", &zero_durations},
      {"Overlapping", &overlapping},
      {"ManyLanes", &many_lanes},
      {"FarApart", &far_apart},
      {"StepsWithoutSpans", &steps_without_spans},
      {"Untold", &untold},
      {"StrangeNames", &strange_names},
  });
  return kDocuments;
}

}  // namespace quintet::viewer
