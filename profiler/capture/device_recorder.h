/// Records what a GPU does in a run beside what the host does: an observer of the CUDA executor.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "profiler/capture/cupti_session.h"
#include "profiler/capture/device_spans.h"
#include "profiler/capture/host_recorder.h"
#include "profiler/capture/node_table.h"
#include "profiler/capture/step_sampling.h"

namespace quintet {

/// Tells `host` everything an observer is told, and adds the spans of the device. Never ends a run: where
/// the driver cannot be recorded, findings say why and the host's half is recorded all the same.
/// Threads: as Observer; the device's records arrive on CUPTI's.
///
///   DeviceRecorder recorder(host, DeviceRecording::sampled);  // before the executor is made
///   session.run(&recorder, ...);
///   host.finish();
class DeviceRecorder final : public Observer, private CuptiListener {
 public:
  DeviceRecorder(HostRecorder& host, DeviceRecording mode, const SamplingWindows& windows = {});
  ~DeviceRecorder() override;

  void on_plan(const ExecutionPlan& plan) override;
  void on_enqueue(TaskId task, StreamKind stream) override;
  void on_enqueued(TaskId task, StreamKind stream) override;
  void on_captured(const GraphKey& graph, std::span<const CapturedNode> nodes) override;
  void on_task(const TaskRun& run) override;
  void on_step_begin(std::int64_t step) override;
  void on_launch_begin(const GraphKey& graph, StreamKind stream, std::int64_t step) override;
  void on_launch(const LaunchRun& run) override;
  void on_host_wait(const HostWaitRun& run) override;
  void on_step(const StepRun& run) override;
  void on_end() override;

  /// After on_end.
  [[nodiscard]] const DeviceSpanCounts& counts() const { return spans_->counts(); }
  [[nodiscard]] const NodeTable& nodes() const { return nodes_; }
  [[nodiscard]] bool attached() const { return session_ != nullptr; }

 private:
  struct Note {
    std::uint32_t correlation = 0;
    LaunchNote launch;
  };

  void node_created(std::uint64_t node) override;
  void node_cloned(std::uint64_t original, std::uint64_t node) override;
  void graph_launched(std::uint32_t correlation) override;
  void driver_called(DriverCall call) override;
  void recorded(std::span<const DeviceRecord> records) override;

  void open_session();
  void begin_recording();
  void switch_tracing(StepSampling::Action action);
  void end_recording();
  void tell_findings();
  void tell_provenance();

  HostRecorder& host_;
  DeviceRecording mode_;
  StepSampling sampling_;
  const ExecutionPlan* plan_ = nullptr;
  std::map<GraphKey, std::uint32_t> graph_index_;
  std::map<std::pair<GraphKey, TaskId>, std::int32_t> step_offset_;
  std::unique_ptr<CuptiSession> session_;
  bool recording_ = false;           ///< between the first launch and on_end
  std::int64_t unix_offset_ns_ = 0;  ///< of the driver's clock to ours, as recording began

  // The thread that issues a run, and what it is about to do.
  std::thread::id issuing_;
  std::optional<TaskId> enqueuing_;
  std::optional<LaunchNote> launching_;
  std::uint32_t launched_correlation_ = 0;

  std::mutex nodes_mutex_;
  NodeTable nodes_;
  std::mutex notes_mutex_;
  std::vector<Note> notes_;             ///< launches that spans_ has not been told of
  std::unique_ptr<DeviceSpans> spans_;  ///< the decoder's, until on_end

  std::atomic<bool> counting_{false};  ///< calls that a step should not make
  std::atomic<std::int64_t> allocations_{0};
  std::atomic<std::int64_t> host_syncs_{0};
};

}  // namespace quintet
