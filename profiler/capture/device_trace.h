/// A device's half of a recording: who its work belongs to, from the enqueueing of a task to the spans
/// of what it did. Knows no plan and no driver.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "profiler/capture/device_source.h"
#include "profiler/capture/device_spans.h"
#include "profiler/capture/node_table.h"
#include "profiler/capture/step_sampling.h"

namespace quintet {

/// Where it is known from whose a captured node is.
enum class NodeSources : std::uint8_t {
  driver,               ///< from the driver's word while the task is enqueued
  driver_and_frontier,  ///< and from the client's walk over the captured graph, which counts
};

struct DeviceTraceOptions {
  DeviceRecording mode = DeviceRecording::node;
  SamplingWindows windows;
  NodeSources sources = NodeSources::driver;
  std::int64_t clock_period_ns = 250'000'000;  ///< at least, between two comparisons of the clocks
};

/// Calls that a step should not make, from the second step on.
struct StepCalls {
  std::int64_t allocations = 0;
  std::int64_t host_syncs = 0;
};

/// Owns the source and what is known of nodes and launches. Threads: what a thread enqueues and
/// launches is its own; steps, start and end come from one thread at a time. Throws nothing.
///
///   DeviceTrace trace(options, [&](TraceBatch batch) { ... });  // on the source's thread
///   trace.open(open_source);                // before the first capture
///   trace.begin_task(owner); kernel<<<...>>>(); trace.end_task();
///   trace.start(start);                     // all is captured: from here on records belong to a run
///   trace.begin_step(0, 0);
///   trace.begin_launch(note); cudaGraphLaunch(...); trace.end_launch();
///   trace.end();
class DeviceTrace final : private DeviceListener {
 public:
  using Deliver = std::function<void(TraceBatch)>;

  DeviceTrace(const DeviceTraceOptions& options, Deliver deliver);
  ~DeviceTrace() override;
  DeviceTrace(const DeviceTrace&) = delete;
  DeviceTrace& operator=(const DeviceTrace&) = delete;

  /// Mode `off` opens nothing. Errors: the source's; nothing of the device is recorded then.
  Result<void> open(const OpenDeviceSource& open);
  [[nodiscard]] bool attached() const { return source_ != nullptr; }

  /// This thread enqueues a task, or captures it, until end_task. Work outside a graph goes to the
  /// task too, and to the step begun last, where the source watches such work.
  void begin_task(const NodeOwner& owner);
  void end_task();
  /// The frontier of a capture found this node behind its task.
  void captured(std::uint64_t node, const NodeOwner& owner);

  /// Tables and names as given; what the source knows of clock, streams and limits is filled in.
  void start(DeviceSpansStart start);
  [[nodiscard]] bool started() const { return started_; }

  /// Before a step is issued. `ordinal` counts the steps of the recording from 0.
  void begin_step(std::int64_t ordinal, std::int64_t step);
  [[nodiscard]] StepRecording recording_of(std::int64_t ordinal) const;
  /// This thread launches a graph; end_launch returns the correlation, 0 = the driver said nothing.
  void begin_launch(const LaunchNote& note);
  std::uint32_t end_launch();

  /// Waits for the device and for its last records.
  void end();

  // After end():
  [[nodiscard]] const DeviceSpanCounts& counts() const { return spans_->counts(); }
  [[nodiscard]] const NodeTable& nodes() const { return nodes_; }
  [[nodiscard]] StepCalls calls() const { return {allocations_.load(), host_syncs_.load()}; }
  [[nodiscard]] std::int64_t sampled_windows() const { return sampling_.windows(); }
  /// One per kind of trouble; nothing of calls(), which mean what the client says.
  [[nodiscard]] std::vector<Finding> findings() const;

 private:
  /// What a thread is about to do.
  struct Issuer {
    std::optional<NodeOwner> task;
    std::optional<LaunchNote> launch;
    std::uint32_t launched = 0;
  };
  struct Launch {
    std::uint32_t correlation = 0;
    LaunchNote note;
  };
  struct Call {
    std::uint32_t correlation = 0;
    CallNote note;
  };

  void node_created(std::uint64_t node) override;
  void node_cloned(std::uint64_t original, std::uint64_t node) override;
  void graph_launched(std::uint32_t correlation) override;
  void work_enqueued(std::uint32_t correlation) override;
  void driver_called(DriverCall call) override;
  void recorded(std::span<const DeviceRecord> records) override;
  void overhead(std::span<const OverheadRecord> records) override;

  void compare_clocks(std::int64_t now_ns);
  void switch_tracing(StepSampling::Action action);
  void trace_nodes(bool on);

  DeviceTraceOptions options_;
  Deliver deliver_;
  StepSampling sampling_;
  bool started_ = false;
  std::int64_t compared_ns_ = 0;  ///< when the clocks were compared last

  std::mutex nodes_mutex_;
  NodeTable nodes_;
  std::mutex issuers_mutex_;
  std::map<std::thread::id, Issuer> issuers_;
  std::vector<Launch> launches_;        ///< that spans_ has not been told of
  std::vector<Call> calls_;             ///< likewise
  std::vector<TraceClockPair> pairs_;   ///< likewise
  std::int64_t issued_ = 0;             ///< launches and calls whose work should be recorded
  std::unique_ptr<DeviceSpans> spans_;  ///< the source's, between start and end

  std::atomic<std::int32_t> step_{-1};      ///< begun last
  std::atomic<bool> tracing_nodes_{false};  ///< kernels are recorded one by one
  std::atomic<bool> counting_{false};       ///< calls that a step should not make
  std::atomic<std::int64_t> allocations_{0};
  std::atomic<std::int64_t> host_syncs_{0};
  std::unique_ptr<DeviceSource> source_;  ///< last: gone before what it tells of
};

}  // namespace quintet
