#include "profiler/report/chrome_args.h"

#include "profiler/report/json_text.h"

namespace quintet {

namespace {

/// Appends `"key":`, after a comma where something stands before.
void append_key(std::string& json, std::string_view key) {
  if (!json.empty() && json.back() != '{') json += ',';
  json += '"';
  json += key;
  json += "\":";
}

template <class Number>
void append_member(std::string& json, std::string_view key, Number value) {
  append_key(json, key);
  append_number(json, value);
}

void append_text(std::string& json, std::string_view key, const std::string& text) {
  if (text.empty()) return;
  append_key(json, key);
  json += quoted_json(text);
}

void append_extent(std::string& json, std::string_view key,
                   const std::array<std::uint32_t, 3>& extent) {
  append_key(json, key);
  for (std::size_t axis = 0; axis < extent.size(); ++axis) {
    json += axis == 0 ? '[' : ',';
    append_number(json, std::uint64_t{extent[axis]});
  }
  json += ']';
}

std::string_view api_category(std::string_view name) {
  return name.starts_with("cu") && !name.starts_with("cuda") ? "cuda_driver" : "cuda_runtime";
}

}  // namespace

ChromeArgs::ChromeArgs(const Trace& trace)
    : trace_(trace),
      classes_(task_classes(trace)),
      task_names_(trace.tasks.size()),
      activity_names_(trace.activities.size()),
      task_args_(trace.tasks.size()),
      activity_args_(trace.activities.size()),
      lane_names_(trace.lanes.size()) {}

bool ChromeArgs::on_device(std::size_t span) const {
  return trace_.lanes[trace_.spans.executor_lane[span]].kind != LaneKind::host;
}

std::string_view ChromeArgs::category(std::size_t span) const {
  const bool device = on_device(span);
  const std::uint32_t index = trace_.spans.activity[span];
  if (index == kWholeTask) {
    if (!device) return "cpu_op";
    return classes_[trace_.spans.task[span]] == SpanClass::transfer ? "gpu_memcpy" : "kernel";
  }
  const TraceActivity& activity = trace_.activities[index];
  switch (activity.kind) {
    case ActivityKind::kernel:
      return "kernel";
    case ActivityKind::memcpy:
      return "gpu_memcpy";
    case ActivityKind::memset:
      return "gpu_memset";
    case ActivityKind::graph:  // many kernels: nobody shall count it as one
      return "gpu_user_annotation";
    case ActivityKind::host_range:
      return device ? "gpu_user_annotation" : "user_annotation";
    case ActivityKind::api_call:
      return api_category(activity.name);
  }
  return {};
}

const std::string& ChromeArgs::name(std::size_t span) {
  const std::uint32_t index = trace_.spans.activity[span];
  const bool named = index != kWholeTask && !trace_.activities[index].name.empty();
  const std::uint32_t task = trace_.spans.task[span];
  std::string& made = named ? activity_names_[index] : task_names_[task];
  if (made.empty())
    made = quoted_json(named ? trace_.activities[index].name : trace_.tasks[task].name);
  return made;
}

const std::string& ChromeArgs::of_task(std::uint32_t index) {
  std::string& args = task_args_[index];
  if (!args.empty()) return args;
  const TraceTask& task = trace_.tasks[index];
  append_text(args, "task", task.name);
  append_text(args, "layer", task.layer);
  append_text(args, "op", task.op_kind);
  append_text(args, "part", task.part);
  append_text(args, "graph", task.graph);
  append_text(args, "shape", task.shape);
  // Imported tasks have neither: 0 there is unknown.
  if (task.flops > 0) append_member(args, "flops", task.flops);
  if (task.bytes > 0) append_member(args, "moved bytes", task.bytes);
  return args;
}

const std::string& ChromeArgs::of_activity(std::uint32_t index) {
  std::string& args = activity_args_[index];
  if (!args.empty()) return args;
  const TraceActivity& activity = trace_.activities[index];
  if (activity.launch) {
    const LaunchShape& shape = *activity.launch;
    append_member(args, "registers per thread", std::uint64_t{shape.registers});
    append_member(args, "shared memory", shape.static_shared_bytes + shape.dynamic_shared_bytes);
    append_extent(args, "grid", shape.grid);
    append_extent(args, "block", shape.block);
    if (shape.occupancy) append_member(args, "est. achieved occupancy %", *shape.occupancy * 100);
  }
  if (activity.bytes) append_member(args, "bytes", *activity.bytes);
  if (activity.graph_node) append_member(args, "graph node id", *activity.graph_node);
  if (activity.captured_node) append_member(args, "captured node id", *activity.captured_node);
  return args;
}

void ChromeArgs::append_place(std::string& json, std::size_t span) {
  const SpanColumns& spans = trace_.spans;
  const std::uint16_t executor = spans.executor_lane[span];
  append_member(json, "device", std::int64_t{trace_.lanes[executor].device});
  append_member(json, "stream", std::uint64_t{executor});
  if (spans.channel[span] != kUnknownChannel)
    append_member(json, "channel", std::uint64_t{spans.channel[span]});
  const std::uint16_t lane = spans.lane[span];
  append_member(json, "captured stream", std::uint64_t{lane});
  append_key(json, "logical lane");
  std::string& name = lane_names_[lane];
  if (name.empty()) name = quoted_json(trace_.lanes[lane].name);
  json += name;
}

void ChromeArgs::append(std::string& json, std::size_t span) {
  const SpanColumns& spans = trace_.spans;
  if (on_device(span)) append_place(json, span);
  if (spans.correlation[span] != 0)
    append_member(json, "correlation", std::uint64_t{spans.correlation[span]});
  const auto append_made = [&json](const std::string& made) {
    if (made.empty()) return;
    if (json.back() != '{') json += ',';
    json += made;
  };
  const std::uint32_t index = spans.activity[span];
  if (index != kWholeTask) {
    append_made(of_activity(index));
    const std::int64_t duration = spans.end_ns[span] - spans.begin_ns[span];
    const TraceActivity& activity = trace_.activities[index];
    if (activity.kind == ActivityKind::memcpy && activity.bytes && duration > 0) {
      // Bytes a nanosecond are GB/s.
      append_member(json, "memory bandwidth (GB/s)",
                    static_cast<double>(*activity.bytes) / static_cast<double>(duration));
    }
  }
  append_made(of_task(spans.task[span]));
  if (spans.step[span] >= 0) append_member(json, "step", std::int64_t{spans.step[span]});
  if (spans.cpu_ns[span] >= 0) append_member(json, "cpu_ns", spans.cpu_ns[span]);
}

}  // namespace quintet
