/// Records a run of the host executor: into a .qtrace file, into memory, or both.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "profiler/capture/batch_queue.h"
#include "profiler/capture/run_batch.h"
#include "profiler/capture/trace_listener.h"
#include "profiler/trace/trace.h"
#include "profiler/trace/trace_writer.h"
#include "runtime/model/result.h"
#include "runtime/observe/observer.h"

namespace quintet {

/// `off` records steps (their times and losses) and nothing inside them.
enum class RecordMode : std::uint8_t { off, all };

constexpr std::string_view name_of(RecordMode mode) {
  switch (mode) {
    case RecordMode::off:
      return "off";
    case RecordMode::all:
      return "all";
  }
  return {};
}

struct HostRecorderOptions {
  Provenance provenance;  ///< beside, and over, what the plan itself knows
  RecordMode mode = RecordMode::all;
  bool keep_trace = false;  ///< for take_trace(); all of it stays in memory
  std::int64_t flush_steps = 64;
  std::int64_t flush_interval_ns = 250'000'000;
  std::size_t most_queued_batches = 64;  ///< beyond it batches are dropped, and counted
  TraceListener* listener = nullptr;     ///< told all that is written; outlives the recorder
};

/// Owns the writer and one thread, which does all the writing: the run never waits for the disk.
/// on_task takes one uncontended lock and appends to its lane's buffer. Where the disk cannot keep
/// up, whole batches of spans are dropped and counted; steps never are. Where it fails, the run
/// goes on, and findings() says so. Throws nothing after construction.
///
///   HostRecorder recorder(std::move(writer), options);  // writer may be null: memory only
///   if (auto started = recorder.start(plan); !started) ...
///   session.run(&recorder, ...);                        // ends with on_end: all is flushed
///   recorder.set_provenance("weights_hash", hash);
///   recorder.finish();                                  // without it the file says `abandoned`
class HostRecorder final : public Observer {
 public:
  HostRecorder(std::unique_ptr<TraceWriter> writer, HostRecorderOptions options);
  ~HostRecorder() override;
  HostRecorder(const HostRecorder&) = delete;
  HostRecorder& operator=(const HostRecorder&) = delete;

  /// Puts the file with the plan in place. on_plan does it too, but cannot tell of an error before
  /// finish().
  Result<void> start(const ExecutionPlan& plan);
  /// Between any two tasks: what is recorded from now on.
  void set_mode(RecordMode mode);

  void on_plan(const ExecutionPlan& plan) override;
  void on_task(const TaskRun& run) override;
  void on_launch(const LaunchRun& run) override;
  void on_host_wait(const HostWaitRun& run) override;
  void on_step(const StepRun& run) override;
  void on_end() override;

  /// As on_step, for who knows better what of the step was recorded.
  void add_step(const StepRun& run, StepRecording recording);
  /// As on_launch, for who knows the correlation of what was launched.
  void add_launch(const LaunchRun& run, std::uint32_t correlation);
  /// What a GPU did; from any thread. Where spans must be dropped, the tables they need are not.
  void add_device(TraceBatch batch);

  // After on_end, from one thread:
  void set_provenance(const std::string& key, const std::string& value);
  void add_finding(const Finding& finding);
  /// Everything odd so far: non_finite_loss, dropped_spans, recording_stopped, and what was added.
  [[nodiscard]] std::vector<Finding> findings() const;
  /// Completes the file. An error where the recording stopped early; the run is not affected.
  Result<void> finish();
  /// The whole trace (keep_trace). Once.
  Trace take_trace();

 private:
  struct alignas(64) LaneBuffer {
    std::mutex mutex;
    std::vector<TaskRun> runs;
    std::size_t last_size = 0;  ///< of the flush before; gather()'s own
  };

  RunBatch gather();
  void flush();
  void write(RunBatch runs);

  HostRecorderOptions options_;
  std::atomic<RecordMode> mode_;
  std::unique_ptr<TraceWriter> writer_;
  std::optional<RunConverter> converter_;  ///< once started
  std::optional<Error> start_error_;
  Trace trace_;  ///< the plan; with keep_trace everything

  std::unique_ptr<LaneBuffer[]> lanes_;
  std::size_t lane_count_ = 0;
  std::mutex host_mutex_;
  RunBatch host_;  ///< steps, waits, launches, device work since the last flush
  std::int64_t last_flush_ns_ = 0;

  std::int64_t dropped_spans_ = 0;
  std::int64_t dropped_batches_ = 0;
  std::vector<Finding> added_;
  std::unique_ptr<BatchQueue<RunBatch>> queue_;  ///< between start and on_end
};

}  // namespace quintet
