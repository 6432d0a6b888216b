/// Records what a GPU does in a run beside what the host does: an observer of the CUDA executor.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "profiler/capture/device_trace.h"
#include "profiler/capture/host_recorder.h"

namespace quintet {

/// Tells `host` everything an observer is told, and adds the spans of the device. Never ends a run: where
/// the driver cannot be recorded, findings say why and the host's half is recorded all the same.
/// Threads: as Observer; the device's records arrive on CUPTI's.
///
///   DeviceRecorder recorder(host, DeviceRecording::sampled);  // before the executor is made
///   session.run(&recorder, ...);
///   host.finish();
class DeviceRecorder final : public Observer {
 public:
  DeviceRecorder(HostRecorder& host, DeviceRecording mode, const SamplingWindows& windows = {});
  ~DeviceRecorder() override;

  void on_plan(const ExecutionPlan& plan) override;
  void on_enqueue(TaskId task, StreamKind stream) override;
  void on_enqueued(TaskId task, StreamKind stream) override;
  void on_captured(const GraphKey& graph, std::span<const CapturedNode> nodes) override;
  void on_task_begin(TaskId task, std::int64_t step) override;
  void on_task(const TaskRun& run) override;
  void on_step_begin(std::int64_t step) override;
  void on_launch_begin(const GraphKey& graph, StreamKind stream, std::int64_t step) override;
  void on_launch(const LaunchRun& run) override;
  void on_host_wait_begin(HostActor actor, CommandKind kind, std::int64_t step) override;
  void on_host_wait(const HostWaitRun& run) override;
  void on_step(const StepRun& run) override;
  void on_end() override;

  /// After on_end.
  [[nodiscard]] const DeviceSpanCounts& counts() const { return device_.counts(); }
  [[nodiscard]] const NodeTable& nodes() const { return device_.nodes(); }
  [[nodiscard]] bool attached() const { return device_.attached(); }

 private:
  void begin_recording();
  void tell_findings();
  void tell_provenance();

  HostRecorder& host_;
  DeviceRecording mode_;
  const ExecutionPlan* plan_ = nullptr;
  std::map<GraphKey, std::uint32_t> graph_index_;
  std::map<std::pair<GraphKey, TaskId>, std::int32_t> step_offset_;
  DeviceTrace device_;
};

}  // namespace quintet
