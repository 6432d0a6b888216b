#include "profiler/capture/host_recorder.h"

#include <cassert>
#include <chrono>
#include <fmt/format.h>
#include <utility>

#include "profiler/capture/plan_to_trace.h"
#include "runtime/model/nanos.h"

namespace quintet {

namespace {

/// What to add to the trace's clock to get Unix time.
std::int64_t host_realtime_offset_ns() {
  const std::int64_t unix_ns =
      std::chrono::duration_cast<Nanos>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  return unix_ns - monotonic_ns();
}

}  // namespace

HostRecorder::HostRecorder(std::unique_ptr<TraceWriter> writer, HostRecorderOptions options)
    : options_(std::move(options)), mode_(options_.mode), writer_(std::move(writer)) {}

HostRecorder::~HostRecorder() {
  on_end();
}

Result<void> HostRecorder::start(const ExecutionPlan& plan) {
  assert(!converter_ && "one recorder records one run");
  converter_.emplace(plan);
  trace_ = trace_of_plan(plan);
  trace_.provenance["clock_realtime_offset_ns"] = std::to_string(host_realtime_offset_ns());
  for (const auto& [key, value] : options_.provenance)
    trace_.provenance[key] = value;
  lane_count_ = plan.lanes.size();
  lanes_ = std::make_unique<LaneBuffer[]>(lane_count_);
  last_flush_ns_ = monotonic_ns();
  if (writer_) {
    if (auto written = writer_->write_static(trace_); !written) {
      start_error_ = written.error();
      writer_.reset();
      return tl::unexpected(*start_error_);
    }
  }
  if (options_.listener != nullptr) options_.listener->on_plan(trace_);
  queue_ = std::make_unique<BatchQueue<RunBatch>>(
      options_.most_queued_batches, [this](RunBatch batch) { write(std::move(batch)); },
      [this] {
        if (writer_) writer_->heartbeat();
      });
  return {};
}

void HostRecorder::set_mode(RecordMode mode) {
  mode_.store(mode, std::memory_order_relaxed);
}

void HostRecorder::on_plan(const ExecutionPlan& plan) {
  if (converter_) return;
  if (const auto started = start(plan); !started) start_error_ = started.error();
}

void HostRecorder::on_task(const TaskRun& run) {
  if (mode_.load(std::memory_order_relaxed) == RecordMode::off) return;
  assert(run.executor_lane.value() < lane_count_);
  LaneBuffer& buffer = lanes_[run.executor_lane.value()];
  const std::lock_guard lock(buffer.mutex);
  buffer.runs.push_back(run);
}

void HostRecorder::on_launch(const LaunchRun& run) {
  add_launch(run, 0);
}

void HostRecorder::add_launch(const LaunchRun& run, std::uint32_t correlation) {
  if (mode_.load(std::memory_order_relaxed) == RecordMode::off) return;
  const std::lock_guard lock(host_mutex_);
  host_.launches.push_back({run, correlation});
}

void HostRecorder::on_host_wait(const HostWaitRun& run) {
  if (mode_.load(std::memory_order_relaxed) == RecordMode::off) return;
  const std::lock_guard lock(host_mutex_);
  host_.waits.push_back(run);
}

void HostRecorder::on_step(const StepRun& run) {
  const bool off = mode_.load(std::memory_order_relaxed) == RecordMode::off;
  add_step(run, off ? StepRecording::none : StepRecording::all);
}

void HostRecorder::add_device(TraceBatch batch) {
  const std::lock_guard lock(host_mutex_);
  append(host_.device, std::move(batch));
}

void HostRecorder::add_step(const StepRun& run, StepRecording recording) {
  std::int64_t steps = 0;
  {
    const std::lock_guard lock(host_mutex_);
    host_.steps.push_back({run, recording});
    steps = static_cast<std::int64_t>(host_.steps.size());
  }
  const bool due = monotonic_ns() - last_flush_ns_ >= options_.flush_interval_ns;
  if (steps >= options_.flush_steps || due) flush();
}

void HostRecorder::on_end() {
  if (!queue_) return;
  queue_->close(gather());
  queue_.reset();
}

/// Takes what was seen so far; each lane gets an empty buffer as large as it last needed.
RunBatch HostRecorder::gather() {
  RunBatch batch;
  {
    const std::lock_guard lock(host_mutex_);
    batch = std::exchange(host_, {});
  }
  for (std::size_t lane = 0; lane < lane_count_; ++lane) {
    LaneBuffer& buffer = lanes_[lane];
    std::vector<TaskRun> runs;
    runs.reserve(buffer.last_size + buffer.last_size / 4);
    {
      const std::lock_guard lock(buffer.mutex);
      runs.swap(buffer.runs);
    }
    buffer.last_size = runs.size();
    batch.tasks.push_back(std::move(runs));
  }
  return batch;
}

void HostRecorder::flush() {
  RunBatch batch = gather();
  last_flush_ns_ = monotonic_ns();
  // Without a queue the recording did not start, and findings() says why.
  if (!queue_ || queue_->push(batch)) return;
  ++dropped_batches_;
  dropped_spans_ += batch.spans();
  // Later spans refer to the tables, so those stay, as do the steps.
  batch.device.spans = {};
  dropped_spans_ += static_cast<std::int64_t>(std::exchange(batch.device.untimed, {}).size());
  const std::lock_guard lock(host_mutex_);
  host_.steps = std::move(batch.steps);
  append(batch.device, std::move(host_.device));
  host_.device = std::move(batch.device);
}

void HostRecorder::write(RunBatch runs) {
  TraceBatch batch = converter_->convert(std::move(runs));
  if (options_.keep_trace) append(trace_, batch);
  if (options_.listener == nullptr) {
    if (writer_) writer_->append_batch(std::move(batch));
    return;
  }
  // The file first: whoever is told of a step finds it there, even if this process is killed now.
  if (writer_) writer_->append_batch(batch);
  options_.listener->on_batch(std::move(batch));
}

void HostRecorder::set_provenance(const std::string& key, const std::string& value) {
  trace_.provenance[key] = value;
  if (writer_) writer_->set_provenance(key, value);
}

void HostRecorder::add_finding(const Finding& finding) {
  added_.push_back(finding);
}

std::vector<Finding> HostRecorder::findings() const {
  assert(!queue_ && "findings are complete after on_end");
  std::vector<Finding> findings = added_;
  if (converter_) {
    if (const auto losses = converter_->non_finite_losses()) findings.push_back(*losses);
  }
  if (dropped_spans_ > 0) {
    findings.push_back({Severity::data_loss, "dropped_spans",
                        fmt::format("{} spans in {} batches were dropped: the disk could not keep "
                                    "up with the run",
                                    dropped_spans_, dropped_batches_),
                        dropped_spans_});
  }
  std::optional<Error> error = start_error_;
  std::int64_t lost = 0;
  if (writer_) {
    error = writer_->status().error;
    lost = writer_->status().dropped_spans;
  }
  if (error) {
    findings.push_back({Severity::data_loss, "recording_stopped",
                        fmt::format("{}: {} spans were not recorded", to_string(*error), lost),
                        lost});
  }
  return findings;
}

Result<void> HostRecorder::finish() {
  on_end();
  if (start_error_) return tl::unexpected(*start_error_);
  set_provenance("dropped_spans", std::to_string(dropped_spans_));
  if (!writer_) return {};
  for (const Finding& finding : findings()) {
    // The writer tells of its own end itself.
    if (finding.name != "recording_stopped") writer_->add_finding(finding);
  }
  return writer_->finish();
}

Trace HostRecorder::take_trace() {
  on_end();
  assert(options_.keep_trace);
  for (Finding& finding : findings())
    trace_.findings.push_back(std::move(finding));
  return std::exchange(trace_, {});
}

}  // namespace quintet
