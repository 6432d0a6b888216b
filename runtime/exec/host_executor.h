/// Runs a plan on five host streams: real training without a GPU, and the numeric oracle of other
/// executors.
#pragma once

#include <array>
#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/exec/executor.h"
#include "runtime/host/host_arena.h"
#include "runtime/host/host_counter.h"
#include "runtime/host/host_kernel.h"
#include "runtime/host/host_stream.h"
#include "runtime/observe/observer.h"

namespace quintet {

class HostGraph;

/// Called before each task run, on its thread; for tests that delay or meet inside tasks.
using TaskHook = std::function<void(const Task& task, std::int64_t step)>;

/// Owns arena, streams, frozen graphs and kernels. Usage: HostExecutor executor(plan,
/// std::move(kernels), observer);
class HostExecutor final : public Executor {
 public:
  /// `kernels` by TaskId, host tasks included. `plan` and `observer` (may be null) outlive the
  /// executor.
  HostExecutor(const ExecutionPlan& plan, std::vector<std::unique_ptr<HostKernel>> kernels,
               Observer* observer, TaskHook before_task = {});
  ~HostExecutor() override;

  [[nodiscard]] std::string_view name() const override { return "host"; }
  [[nodiscard]] const ExecutionPlan& plan() const override { return plan_; }
  void launch(const GraphKey& graph, StreamKind stream, std::int64_t step) override;
  void record(StepEvent event, std::int64_t step, StreamKind stream) override;
  void wait(StreamKind stream, StepEvent event, std::int64_t step) override;
  void host_record(StepEvent event, std::int64_t step) override;
  void host_wait(StepEvent event, std::int64_t step) override;
  void host_sync(StreamKind stream) override;
  void run_host_task(TaskId task, HostActor actor, std::int64_t step) override;
  void release_host_waits() override;
  [[nodiscard]] std::optional<std::int64_t> event_time_ns(StepEvent event,
                                                          std::int64_t step) const override;
  [[nodiscard]] std::string implementation(TaskId task) const override;
  void upload(TensorId tensor, std::span<const std::byte> bytes) override;
  void download(TensorId tensor, std::span<std::byte> bytes) const override;

  /// Runs a task in the calling thread, on no stream: for runs in an order of the caller's choice.
  /// The thread must have OpenMP pinned.
  void run_inline(TaskId task, std::int64_t step);
  [[nodiscard]] const HostArena& arena() const { return arena_; }

 private:
  friend class HostGraph;
  struct BoundTask {
    std::vector<BoundOperand> operands;
    std::span<std::byte> workspace;
  };
  struct Event;

  void bind_tasks();
  /// The one place where a kernel runs: announces accesses, times, reports, catches.
  void run_task(TaskId task, LaneId lane, LaneId executor_lane, std::int64_t step) noexcept;
  void rethrow_failure();
  HostStream& stream(StreamKind kind) { return *streams_[index_of(kind)]; }

  const ExecutionPlan& plan_;
  std::vector<std::unique_ptr<HostKernel>> kernels_;
  Observer* observer_;
  TaskHook before_task_;
  HostArena arena_;
  std::vector<BoundTask> bound_;
  std::vector<std::unique_ptr<Event>> events_;
  std::map<GraphKey, std::unique_ptr<HostGraph>> graphs_;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};
  std::array<std::unique_ptr<HostStream>, kStreamCount>
      streams_;  // last: joined before what it uses goes
};

}  // namespace quintet
