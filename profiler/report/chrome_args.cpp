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

ChromeWork work_of_span(const Trace& trace, std::size_t span) {
  const SpanColumns& spans = trace.spans;
  return {spans.task[span],
          spans.activity[span],
          spans.lane[span],
          spans.executor_lane[span],
          spans.correlation[span],
          spans.step[span],
          spans.channel[span],
          spans.cpu_ns[span],
          spans.end_ns[span] - spans.begin_ns[span]};
}

ChromeWork work_of_untimed(const TraceUntimed& untimed) {
  return {untimed.task,          untimed.activity,    untimed.lane,
          untimed.executor_lane, untimed.correlation, untimed.step};
}

ChromeArgs::ChromeArgs(const Trace& trace)
    : trace_(trace),
      classes_(task_classes(trace)),
      syncs_(trace.lanes.size()),
      task_names_(trace.tasks.size()),
      activity_names_(trace.activities.size()),
      task_args_(trace.tasks.size()),
      activity_args_(trace.activities.size()),
      lane_names_(trace.lanes.size()) {
  const auto executor = trace.provenance.find("executor");
  imported_ = executor != trace.provenance.end() && executor->second == "imported";
  for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane)
    numbers_.push_back(static_cast<std::int64_t>(lane));
  for (const TraceLaneOrigin& origin : trace.lane_origins) {
    numbers_[origin.lane] = origin.number;
    syncs_[origin.lane] = origin.role == LaneRole::sync;
  }
}

bool ChromeArgs::on_device(const ChromeWork& work) const {
  return trace_.lanes[work.executor_lane].kind != LaneKind::host;
}

bool ChromeArgs::is_started_range(const ChromeWork& work) const {
  return trace_.tasks[work.task].op_kind == "HOST_STARTED_RANGE";
}

std::string_view ChromeArgs::category(const ChromeWork& work) const {
  const bool device = on_device(work);
  if (work.activity == kWholeTask) {
    if (!device) return "cpu_op";
    return classes_[work.task] == SpanClass::transfer ? "gpu_memcpy" : "kernel";
  }
  const TraceActivity& activity = trace_.activities[work.activity];
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
      if (syncs_[work.executor_lane]) return "cuda_sync";
      if (trace_.tasks[work.task].op_kind == "HOST_OVERHEAD") return "overhead";
      return device ? "gpu_user_annotation" : "user_annotation";
    case ActivityKind::api_call:
      return api_category(activity.name);
  }
  return {};
}

const std::string& ChromeArgs::name(const ChromeWork& work) {
  const bool named = work.activity != kWholeTask && !trace_.activities[work.activity].name.empty();
  std::string& made = named ? activity_names_[work.activity] : task_names_[work.task];
  if (made.empty()) {
    made =
        quoted_json(named ? trace_.activities[work.activity].name : trace_.tasks[work.task].name);
  }
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
    if (shape.static_shared_bytes > 0)
      append_member(args, "static shared memory", shape.static_shared_bytes);
    append_extent(args, "grid", shape.grid);
    append_extent(args, "block", shape.block);
    if (shape.occupancy) {
      append_member(args, "est. achieved occupancy %", *shape.occupancy * 100);
      append_member(args, "theoretical occupancy", *shape.occupancy);
    }
  }
  if (activity.bytes) append_member(args, "bytes", *activity.bytes);
  if (activity.graph_node) append_member(args, "graph node id", *activity.graph_node);
  if (activity.captured_node) append_member(args, "captured node id", *activity.captured_node);
  return args;
}

void ChromeArgs::append_place(std::string& json, const ChromeWork& work) {
  append_member(json, "device", std::int64_t{trace_.lanes[work.executor_lane].device});
  append_member(json, "stream", numbers_[work.executor_lane]);
  if (work.channel != kUnknownChannel) append_member(json, "channel", std::uint64_t{work.channel});
  // Of an import nobody knows where work was captured, unless a policy's lane came with it.
  if (imported_ && work.lane == work.executor_lane) return;
  append_member(json, "captured stream", numbers_[work.lane]);
  append_key(json, "logical lane");
  std::string& name = lane_names_[work.lane];
  if (name.empty()) name = quoted_json(trace_.lanes[work.lane].name);
  json += name;
}

void ChromeArgs::append(std::string& json, const ChromeWork& work) {
  if (on_device(work)) append_place(json, work);
  append_member(json, "lane", std::uint64_t{work.executor_lane});
  if (work.lane != work.executor_lane) append_member(json, "policy lane", std::uint64_t{work.lane});
  if (work.correlation != 0) append_member(json, "correlation", std::uint64_t{work.correlation});
  const auto append_made = [&json](const std::string& made) {
    if (made.empty()) return;
    if (json.back() != '{') json += ',';
    json += made;
  };
  if (work.activity != kWholeTask) {
    append_made(of_activity(work.activity));
    const TraceActivity& activity = trace_.activities[work.activity];
    if (activity.kind == ActivityKind::memcpy && activity.bytes && work.duration_ns > 0) {
      // Bytes a nanosecond are GB/s.
      append_member(json, "memory bandwidth (GB/s)",
                    static_cast<double>(*activity.bytes) / static_cast<double>(work.duration_ns));
    }
  }
  append_made(of_task(work.task));
  if (work.step >= 0) append_member(json, "step", std::int64_t{work.step});
  if (work.cpu_ns >= 0) append_member(json, "cpu_ns", work.cpu_ns);
}

}  // namespace quintet
