#include "profiler/capture/device_recorder.h"

#include <cstdlib>
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <utility>

#include "profiler/capture/cupti_records.h"
#include "profiler/capture/plan_to_trace.h"
#include "runtime/cuda/cuda_device.h"
#include "runtime/model/nanos.h"

namespace quintet {

namespace {

/// Beyond it the two clocks have been set against each other during the run.
constexpr std::int64_t kClockSlackNs = 100'000;

MultiprocessorLimits limits_of_device() {
  int device = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
    return {};
  }
  const auto number = [](int value) { return static_cast<std::uint32_t>(value); };
  return {number(properties.multiProcessorCount),
          number(properties.warpSize),
          number(properties.maxThreadsPerMultiProcessor),
          number(properties.maxBlocksPerMultiProcessor),
          number(properties.regsPerMultiprocessor),
          properties.sharedMemPerMultiprocessor,
          properties.reservedSharedMemPerBlock};
}

/// Unix time as the driver counts it, minus the trace's time, now.
std::int64_t unix_offset() {
  return CuptiSession::now_ns() - monotonic_ns();
}

}  // namespace

DeviceRecorder::DeviceRecorder(HostRecorder& host, DeviceRecording mode,
                               const SamplingWindows& windows)
    : host_(host), mode_(mode), sampling_(mode, windows) {}

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
  issuing_ = std::this_thread::get_id();
  if (mode_ != DeviceRecording::off) open_session();
}

void DeviceRecorder::open_session() {
  Result<std::unique_ptr<CuptiSession>> session = CuptiSession::open(*this);
  if (session) {
    session_ = std::move(*session);
    // Before anything is instantiated: a graph that is older than the wish crashes the driver at its
    // next launch. What comes before the first step is left out by its correlation.
    if (mode_ == DeviceRecording::graph) session_->start_graphs();
    return;
  }
  host_.add_finding({Severity::notice, "no_gpu_spans",
                     "what the GPU did is not recorded: " + to_string(session.error()), 1});
}

void DeviceRecorder::on_enqueue(TaskId task, StreamKind /*stream*/) {
  enqueuing_ = task;
}

void DeviceRecorder::on_enqueued(TaskId /*task*/, StreamKind /*stream*/) {
  enqueuing_.reset();
}

void DeviceRecorder::on_captured(const GraphKey& graph, std::span<const CapturedNode> nodes) {
  if (!session_) return;
  const std::lock_guard lock(nodes_mutex_);
  for (const CapturedNode& node : nodes) {
    const std::optional<std::uint64_t> id = CuptiSession::node_id(node.node);
    if (!id) continue;
    const auto offset = step_offset_.find({graph, node.task});
    nodes_.captured(*id,
                    {node.task.value(), static_cast<std::uint16_t>(lane_of(node.stream).value()),
                     graph_index_.at(graph), offset == step_offset_.end() ? 0 : offset->second});
  }
}

void DeviceRecorder::node_created(std::uint64_t node) {
  const bool ours = std::this_thread::get_id() == issuing_;
  const std::lock_guard lock(nodes_mutex_);
  nodes_.created(node, ours && enqueuing_ ? std::optional(enqueuing_->value()) : std::nullopt);
}

void DeviceRecorder::node_cloned(std::uint64_t original, std::uint64_t node) {
  const std::lock_guard lock(nodes_mutex_);
  nodes_.cloned(original, node);
}

/// Everything is captured: from here on each record belongs to a run.
void DeviceRecorder::begin_recording() {
  recording_ = true;
  if (!session_) return;
  unix_offset_ns_ = unix_offset();
  DeviceSpansStart start;
  const Trace plan = trace_of_plan(*plan_);
  start.lanes = plan.lanes.size();
  start.tasks = plan.tasks.size();
  for (const TraceGraph& graph : plan.graphs)
    start.graphs.push_back(graph.name);
  start.rank = plan.lanes.empty() ? 0 : plan.lanes.front().rank;
  start.unix_offset_ns = unix_offset_ns_;
  start.legacy_stream = CuptiSession::legacy_stream();
  start.limits = limits_of_device();
  spans_ = std::make_unique<DeviceSpans>(std::move(start));
  if (mode_ == DeviceRecording::node) session_->start_nodes();
}

void DeviceRecorder::on_step_begin(std::int64_t step) {
  if (!recording_) begin_recording();
  const StepSampling::Action action = sampling_.step(step, monotonic_ns());
  if (session_) switch_tracing(action);
  // The first step still sets things up.
  if (step == 1) counting_ = true;
}

void DeviceRecorder::switch_tracing(StepSampling::Action action) {
  if (action == StepSampling::Action::none) return;
  const bool counting = counting_.exchange(false);
  // Work in flight would be recorded in part.
  static_cast<void>(cudaDeviceSynchronize());
  if (action == StepSampling::Action::start) {
    session_->start_nodes();
  } else {
    session_->stop_nodes();
    session_->flush(false);
  }
  counting_ = counting;
}

void DeviceRecorder::on_launch_begin(const GraphKey& graph, StreamKind stream, std::int64_t step) {
  if (!recording_) begin_recording();
  launched_correlation_ = 0;
  launching_ = LaunchNote{static_cast<std::int32_t>(step),
                          static_cast<std::uint16_t>(lane_of(stream).value()),
                          graph_index_.at(graph), monotonic_ns()};
}

void DeviceRecorder::graph_launched(std::uint32_t correlation) {
  if (std::this_thread::get_id() != issuing_ || !launching_) return;
  launched_correlation_ = correlation;
  const std::lock_guard lock(notes_mutex_);
  notes_.push_back({correlation, *launching_});
}

void DeviceRecorder::on_launch(const LaunchRun& run) {
  launching_.reset();
  host_.add_launch(run, launched_correlation_);
}

void DeviceRecorder::driver_called(DriverCall call) {
  if (!counting_.load(std::memory_order_relaxed)) return;
  switch (call) {
    case DriverCall::allocation:
      allocations_.fetch_add(1, std::memory_order_relaxed);
      return;
    case DriverCall::host_sync:
      host_syncs_.fetch_add(1, std::memory_order_relaxed);
      return;
  }
}

void DeviceRecorder::recorded(std::span<const DeviceRecord> records) {
  if (!spans_) return;
  std::vector<Note> notes;
  {
    const std::lock_guard lock(notes_mutex_);
    notes.swap(notes_);
  }
  for (const Note& note : notes)
    spans_->launched(note.correlation, note.launch);
  {
    const std::lock_guard lock(nodes_mutex_);
    for (const DeviceRecord& record : records)
      spans_->add(record, nodes_);
  }
  host_.add_device(spans_->take());
}

void DeviceRecorder::on_task(const TaskRun& run) {
  host_.on_task(run);
}

void DeviceRecorder::on_host_wait(const HostWaitRun& run) {
  host_.on_host_wait(run);
}

void DeviceRecorder::on_step(const StepRun& run) {
  host_.add_step(run, session_ ? sampling_.recording_of(run.step) : StepRecording::none);
}

void DeviceRecorder::on_end() {
  counting_ = false;
  const bool recorded = session_ && recording_;
  if (recorded) end_recording();
  host_.on_end();
  if (recorded) tell_findings();
  tell_provenance();
}

void DeviceRecorder::end_recording() {
  static_cast<void>(cudaDeviceSynchronize());
  if (mode_ == DeviceRecording::graph) {
    session_->stop_graphs();
  } else {
    session_->stop_nodes();
  }
  session_->flush(true);
  session_->drain();
}

void DeviceRecorder::tell_findings() {
  for (const Finding& finding : spans_->findings())
    host_.add_finding(finding);
  const auto tell = [&](Severity severity, const char* name, std::int64_t count,
                        const std::string& message) {
    if (count != 0) host_.add_finding({severity, name, message, count});
  };
  tell(Severity::data_loss, "dropped_records", session_->dropped(),
       fmt::format("the driver dropped {} records for want of a buffer", session_->dropped()));
  tell(Severity::data_loss, "invalid_records", session_->invalid(),
       fmt::format("{} buffers of the driver could not be read to their end", session_->invalid()));
  const auto mismatches = static_cast<std::int64_t>(nodes_.mismatches());
  tell(Severity::error, "attribution_mismatch", mismatches,
       fmt::format("of {} graph nodes the capture and the driver disagree whose they are",
                   mismatches));
  tell(Severity::error, "allocation_in_step", allocations_.load(),
       fmt::format("{} allocations or releases of memory while steps ran", allocations_.load()));
  tell(Severity::notice, "host_sync_in_step", host_syncs_.load(),
       fmt::format("{} calls while steps ran that wait for the whole device", host_syncs_.load()));
  const std::int64_t drift = unix_offset() - unix_offset_ns_;
  tell(Severity::notice, "clock_drift", std::abs(drift) > kClockSlackNs ? 1 : 0,
       fmt::format("host and device clocks moved {} ns against each other during the run", drift));
  const bool nothing = spans_->counts().records == 0 &&
                       (mode_ != DeviceRecording::sampled || sampling_.windows() > 0);
  tell(Severity::error, "no_device_records", nothing ? 1 : 0,
       "graphs were launched and the driver told of nothing that they did");
  for (const std::string& failure : session_->failures())
    host_.add_finding({Severity::error, "cupti_failure", failure, 1});
}

void DeviceRecorder::tell_provenance() {
  host_.set_provenance("record_mode", std::string(name_of(mode_)));
  if (mode_ == DeviceRecording::sampled)
    host_.set_provenance("sampled_windows", std::to_string(sampling_.windows()));
  const Result<std::vector<CudaDevice>> devices = list_cuda_devices();
  if (!devices || devices->empty()) return;
  const CudaVersions versions = cuda_versions();
  host_.set_provenance("gpu", devices->front().name);
  host_.set_provenance("multiprocessors", std::to_string(devices->front().multiprocessors));
  host_.set_provenance("cuda_driver", versions.driver);
  host_.set_provenance("cuda_runtime", versions.runtime);
  host_.set_provenance("cudnn", versions.cudnn);
  host_.set_provenance("cupti", std::to_string(kCuptiRecordsVersion));
}

}  // namespace quintet
