#include "profiler/capture/device_recorder.h"

#include <fmt/format.h>

#include "profiler/capture/cupti_session.h"
#include "profiler/capture/device_provenance.h"
#include "profiler/capture/plan_to_trace.h"
#include "runtime/model/nanos.h"

namespace quintet {

namespace {

std::uint16_t lane_number(StreamKind stream) {
  return static_cast<std::uint16_t>(lane_of(stream).value());
}

}  // namespace

DeviceRecorder::DeviceRecorder(HostRecorder& host, DeviceRecording mode,
                               const SamplingWindows& windows)
    : host_(host),
      mode_(mode),
      device_({mode, windows, NodeSources::driver_and_frontier},
              [&host](TraceBatch batch) { host.add_device(std::move(batch)); }) {}

DeviceRecorder::~DeviceRecorder() = default;

void DeviceRecorder::on_plan(const ExecutionPlan& plan) {
  host_.on_plan(plan);
  plan_ = &plan;
  graph_index_ = graph_indices(plan);
  for (const auto& [variant, program] : plan.programs) {
    for (const Command& command : program.commands) {
      if (command.kind != CommandKind::launch) continue;
      for (const PlacedTask& placed : plan.graphs.at(command.graph).tasks) {
        step_offset_[{command.graph, placed.task}] =
            step_offset_of(plan.task(placed.task).graph, command);
      }
    }
  }
  const Result<void> opened =
      device_.open([](DeviceListener& listener) -> Result<std::unique_ptr<DeviceSource>> {
        return CuptiSession::open(listener);
      });
  if (opened) return;
  host_.add_finding({Severity::notice, "no_gpu_spans",
                     "what the GPU did is not recorded: " + to_string(opened.error()), 1});
}

void DeviceRecorder::on_enqueue(TaskId task, StreamKind stream) {
  device_.begin_task({task.value(), lane_number(stream), 0, 0, 0});
}

void DeviceRecorder::on_enqueued(TaskId /*task*/, StreamKind /*stream*/) {
  device_.end_task();
}

void DeviceRecorder::on_captured(const GraphKey& graph, std::span<const CapturedNode> nodes) {
  if (!device_.attached()) return;
  for (const CapturedNode& node : nodes) {
    const std::optional<std::uint64_t> id = CuptiSession::node_id(node.node);
    if (!id) continue;
    const auto offset = step_offset_.find({graph, node.task});
    device_.captured(*id, {node.task.value(), lane_number(node.stream), graph_index_.at(graph),
                           offset == step_offset_.end() ? 0 : offset->second, 0});
  }
}

/// Everything is captured: from here on each record belongs to a run.
void DeviceRecorder::begin_recording() {
  DeviceSpansStart start;
  const Trace plan = trace_of_plan(*plan_);
  start.lanes = plan.lanes.size();
  start.tasks = plan.tasks.size();
  for (const TraceGraph& graph : plan.graphs)
    start.graphs.push_back(graph.name);
  start.rank = plan.lanes.empty() ? 0 : plan.lanes.front().rank;
  device_.start(std::move(start));
}

void DeviceRecorder::on_step_begin(std::int64_t step) {
  if (!device_.started()) begin_recording();
  host_.on_step_begin(step);
  device_.begin_step(step, step);
}

void DeviceRecorder::on_launch_begin(const GraphKey& graph, StreamKind stream, std::int64_t step) {
  if (!device_.started()) begin_recording();
  device_.begin_launch({static_cast<std::int32_t>(step), lane_number(stream),
                        graph_index_.at(graph), monotonic_ns()});
}

void DeviceRecorder::on_launch(const LaunchRun& run) {
  host_.add_launch(run, device_.end_launch());
}

void DeviceRecorder::on_task_begin(TaskId task, std::int64_t step) {
  host_.on_task_begin(task, step);
}

void DeviceRecorder::on_task(const TaskRun& run) {
  host_.on_task(run);
}

void DeviceRecorder::on_host_wait_begin(HostActor actor, CommandKind kind, std::int64_t step) {
  host_.on_host_wait_begin(actor, kind, step);
}

void DeviceRecorder::on_host_wait(const HostWaitRun& run) {
  host_.on_host_wait(run);
}

void DeviceRecorder::on_step(const StepRun& run) {
  host_.add_step(run, device_.recording_of(run.step));
}

void DeviceRecorder::on_end() {
  device_.end();
  host_.on_end();
  if (device_.attached() && device_.started()) tell_findings();
  tell_provenance();
}

void DeviceRecorder::tell_findings() {
  for (const Finding& finding : device_.findings())
    host_.add_finding(finding);
  const StepCalls calls = device_.calls();
  if (calls.allocations > 0) {
    host_.add_finding(
        {Severity::error, "allocation_in_step",
         fmt::format("{} allocations or releases of memory while steps ran", calls.allocations),
         calls.allocations});
  }
  if (calls.host_syncs > 0) {
    host_.add_finding(
        {Severity::notice, "host_sync_in_step",
         fmt::format("{} calls while steps ran that wait for the whole device", calls.host_syncs),
         calls.host_syncs});
  }
}

void DeviceRecorder::tell_provenance() {
  host_.set_provenance("record_mode", std::string(name_of(mode_)));
  if (mode_ == DeviceRecording::sampled)
    host_.set_provenance("sampled_windows", std::to_string(device_.sampled_windows()));
  for (const auto& [key, value] : device_provenance())
    host_.set_provenance(key, value);
}

}  // namespace quintet
