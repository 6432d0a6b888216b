#include "profiler/report/perfetto_notes.h"

#include <fmt/format.h>

#include "profiler/report/format.h"
#include "profiler/report/perfetto_schema.h"
#include "profiler/report/wire_format.h"

namespace quintet {

using namespace perfetto;

namespace {

/// An annotation around its value; `value` appends that.
template <class Value>
void append_note(std::string& event, std::uint64_t name, Value value) {
  std::string note;  // short enough to need no memory
  wire::append_integer(note, annotation::kNameIid, name);
  value(note);
  wire::append_bytes(event, event::kAnnotation, note);
}

}  // namespace

PerfettoNotes::PerfettoNotes(const Trace& trace, PerfettoPackets& packets)
    : trace_(trace),
      packets_(packets),
      step_(packets.note_name("step")),
      correlation_(packets.note_name("correlation")),
      channel_(packets.note_name("channel")),
      cpu_ns_(packets.note_name("cpu_ns")),
      tasks_(trace.tasks.size()),
      activities_(trace.activities.size()),
      policy_lanes_(trace.lanes.size()),
      executor_lanes_(trace.lanes.size()) {}

void PerfettoNotes::add_text(std::string& event, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  append_note(event, packets_.note_name(name), [this, text](std::string& note) {
    wire::append_integer(note, annotation::kTextIid, packets_.note_text(text));
  });
}

void PerfettoNotes::add_signed(std::string& event, std::uint64_t name, std::int64_t value) const {
  append_note(event, name, [value](std::string& note) {
    wire::append_integer(note, annotation::kSigned, static_cast<std::uint64_t>(value));
  });
}

void PerfettoNotes::add_unsigned(std::string& event, std::uint64_t name,
                                 std::uint64_t value) const {
  append_note(event, name, [value](std::string& note) {
    wire::append_integer(note, annotation::kUnsigned, value);
  });
}

void PerfettoNotes::add_double(std::string& event, std::uint64_t name, double value) const {
  append_note(event, name, [value](std::string& note) {
    wire::append_double(note, annotation::kDouble, value);
  });
}

const std::string& PerfettoNotes::of_task(std::uint32_t index) {
  std::string& notes = tasks_[index];
  if (!notes.empty()) return notes;
  const TraceTask& task = trace_.tasks[index];
  add_text(notes, "task", task.name);
  add_text(notes, "layer", task.layer);
  add_text(notes, "op", task.op_kind);
  add_text(notes, "part", task.part);
  add_text(notes, "graph", task.graph);
  add_text(notes, "shape", task.shape);
  // Imported tasks have neither: 0 there is unknown.
  if (task.flops > 0) add_double(notes, packets_.note_name("flops"), task.flops);
  if (task.bytes > 0) add_double(notes, packets_.note_name("moved_bytes"), task.bytes);
  return notes;
}

const std::string& PerfettoNotes::of_activity(std::uint32_t index) {
  std::string& notes = activities_[index];
  if (!notes.empty()) return notes;
  const TraceActivity& activity = trace_.activities[index];
  const auto number = [&](std::string_view name, std::uint64_t value) {
    add_unsigned(notes, packets_.note_name(name), value);
  };
  add_text(notes, "activity", name_of(activity.kind));
  add_text(notes, "activity_name", activity.name);
  if (activity.graph_node) number("graph_node", *activity.graph_node);
  if (activity.captured_node) number("captured_node", *activity.captured_node);
  if (activity.bytes) number("bytes", *activity.bytes);
  if (!activity.launch) return notes;
  const LaunchShape& shape = *activity.launch;
  add_text(notes, "grid", format_extent(shape.grid));
  add_text(notes, "block", format_extent(shape.block));
  number("registers", shape.registers);
  number("static_shared_bytes", shape.static_shared_bytes);
  number("dynamic_shared_bytes", shape.dynamic_shared_bytes);
  if (shape.occupancy) add_double(notes, packets_.note_name("occupancy"), *shape.occupancy);
  return notes;
}

const std::string& PerfettoNotes::of_lane(std::vector<std::string>& cache, std::string_view name,
                                          std::uint16_t lane) {
  std::string& notes = cache[lane];
  if (notes.empty()) add_text(notes, name, trace_.lanes[lane].name);
  return notes;
}

void PerfettoNotes::add_span(std::string& event, std::size_t span) {
  const SpanColumns& spans = trace_.spans;
  event += of_task(spans.task[span]);
  if (spans.activity[span] != kWholeTask) event += of_activity(spans.activity[span]);
  if (spans.step[span] >= 0) add_signed(event, step_, spans.step[span]);
  const std::uint16_t lane = spans.lane[span];
  if (trace_.lanes[lane].kind == LaneKind::stream)
    event += of_lane(policy_lanes_, "policy stream", lane);
  if (trace_.lanes[lane].kind != LaneKind::host)
    event += of_lane(executor_lanes_, "executor stream", spans.executor_lane[span]);
  if (spans.correlation[span] != 0) add_unsigned(event, correlation_, spans.correlation[span]);
  if (spans.channel[span] != kUnknownChannel) add_unsigned(event, channel_, spans.channel[span]);
  if (spans.cpu_ns[span] >= 0) add_signed(event, cpu_ns_, spans.cpu_ns[span]);
}

void PerfettoNotes::add_span_copy(std::string& event, std::size_t span) {
  const SpanColumns& spans = trace_.spans;
  if (spans.step[span] >= 0) add_signed(event, step_, spans.step[span]);
  event += of_lane(policy_lanes_, "policy stream", spans.lane[span]);
}

void PerfettoNotes::add_step(std::string& event, const TraceStep& step) {
  add_signed(event, step_, step.step);
  add_text(event, "phase", step.phase);
  add_text(event, "shape", step.shape);
  add_text(event, "slot", step.slot);
  add_text(event, "recording", name_of(step.recording));
  add_signed(event, packets_.note_name("batch"), step.batch);
  if (step.loss) add_double(event, packets_.note_name("loss"), *step.loss);
  if (step.correct) add_signed(event, packets_.note_name("correct"), *step.correct);
  add_double(event, packets_.note_name("learning_rate"), step.learning_rate);
}

void PerfettoNotes::add_host_wait(std::string& event, const TraceHostWait& wait) {
  if (wait.step >= 0) add_signed(event, step_, wait.step);
  add_text(event, "target", wait.target);
}

void PerfettoNotes::add_launch(std::string& event, const TraceLaunch& launch) {
  if (launch.step >= 0) add_signed(event, step_, launch.step);
  add_text(event, "graph", trace_.graphs[launch.graph].name);
  add_text(event, "launched on", trace_.lanes[launch.lane.value()].name);
  if (launch.correlation != 0) add_unsigned(event, correlation_, launch.correlation);
}

}  // namespace quintet
