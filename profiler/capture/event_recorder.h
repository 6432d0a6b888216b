/// Records any program into a .qtrace from a stream of events: who does what on which lane, in which
/// step. Knows no plan and no driver; the C interface stands on it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "profiler/capture/batch_queue.h"
#include "profiler/capture/device_trace.h"
#include "profiler/capture/refusal.h"
#include "profiler/capture/trace_declarations.h"
#include "profiler/trace/trace_writer.h"

namespace quintet {

struct EventRecorderOptions {
  DeviceRecording mode = DeviceRecording::node;
  SamplingWindows windows;
  Provenance provenance;  ///< what the program says of itself
  std::int64_t flush_interval_ns = 250'000'000;
  std::size_t flush_spans = 1 << 16;
  std::size_t most_queued_batches = 64;  ///< beyond it spans are dropped, and counted
};

/// What is known of a step at its end.
struct StepResult {
  std::int64_t end_ns = 0;  ///< 0 = now
  std::int64_t batch = 0;   ///< samples
  std::optional<double> loss;
  double learning_rate = 0;
};

/// What the recording holds, once it is finished.
struct EventCounts {
  std::int64_t steps = 0;
  std::int64_t device_records = 0;
  std::int64_t unattributed = 0;  ///< of them, to no task
  std::int64_t dropped_spans = 0;
};

/// Owns the file, the device's half and one thread that writes. Threads: any; captures, tasks and
/// launches are those of the calling thread. Throws nothing but std::bad_alloc. First declare(), then
/// start(), then steps, launches and spans, then finish(); tasks and captures may be begun before start()
/// too. Destroyed without finish() it leaves a recording that says `abandoned`.
class EventRecorder {
 public:
  /// Where the device cannot be recorded, the finding "no_gpu_spans" says why. Errors: the file.
  static Accepted<std::unique_ptr<EventRecorder>> open(const std::string& path,
                                                       EventRecorderOptions options,
                                                       const OpenDeviceSource& device);
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  /// Calls `declare(TraceDeclarations&)` and returns what it returns; refused after start().
  template <class Declare>
  auto declare(Declare declare) -> decltype(declare(std::declval<TraceDeclarations&>())) {
    const std::lock_guard lock(mutex_);
    if (auto open = check_phase(Phase::declaring, "declare"); !open)
      return tl::unexpected(open.error());
    return declare(declarations_);
  }
  /// Puts the file with all that was declared in place. From here on work is recorded.
  Accepted<void> start();

  /// What this thread enqueues until end_task belongs to the task; `lane` nothing = the task's own.
  Accepted<void> begin_task(std::uint32_t task, std::optional<std::uint32_t> lane);
  Accepted<void> end_task();
  /// This thread captures a graph: tasks begun until end_graph are its tasks.
  Accepted<void> begin_graph(std::uint32_t graph);
  Accepted<void> end_graph();

  /// Steps are numbered upwards, by one; several may be open, and they end in order.
  Accepted<void> begin_step(std::int64_t step);
  Accepted<void> end_step(std::int64_t step, const StepResult& result);
  Accepted<void> begin_launch(std::uint32_t graph, std::uint32_t lane, std::int64_t step);
  Accepted<void> end_launch();
  /// What a host thread did; times as monotonic_ns counts. `step` -1 = none.
  Accepted<void> host_span(std::uint32_t task, std::uint32_t lane, std::int64_t step,
                           std::int64_t begin_ns, std::int64_t end_ns);

  /// Waits for the device, writes what is left, completes the file.
  Accepted<void> finish();

  /// Refused before finish().
  Accepted<void> check_finished(const char* what);
  // After finish():
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
  [[nodiscard]] EventCounts counts() const { return counts_; }

 private:
  enum class Phase : std::uint8_t { declaring, recording, finished };
  /// What the calling thread has begun.
  struct Begun {
    std::optional<std::uint32_t> task;
    std::optional<std::uint32_t> graph;
    std::optional<TraceLaunch> launch;
  };

  EventRecorder(std::unique_ptr<TraceWriter> writer, EventRecorderOptions options);
  Accepted<void> check_phase(Phase needed, const char* what) const;
  Accepted<void> check_open(const char* what) const;
  Begun& begun() { return threads_[std::this_thread::get_id()]; }
  void add(TraceBatch batch);
  void push_pending();
  void close_steps();
  void gather_findings();

  EventRecorderOptions options_;
  std::unique_ptr<TraceWriter> writer_;

  std::mutex mutex_;
  Phase phase_ = Phase::declaring;
  TraceDeclarations declarations_;
  std::map<std::thread::id, Begun> threads_;
  std::vector<TraceStep> open_steps_;
  std::int64_t first_step_ = 0;
  std::int64_t next_step_ = -1;  ///< -1 = none has begun
  std::int64_t non_finite_ = 0;
  std::int64_t late_captures_ = 0;
  std::int64_t unfinished_steps_ = 0;
  std::vector<Finding> findings_;
  EventCounts counts_;

  std::mutex pending_mutex_;
  TraceBatch pending_;
  std::int64_t last_push_ns_ = 0;
  std::int64_t dropped_spans_ = 0;
  std::unique_ptr<BatchQueue<TraceBatch>> queue_;
  DeviceTrace device_;  ///< last: its thread hands over what it knows
};

}  // namespace quintet
