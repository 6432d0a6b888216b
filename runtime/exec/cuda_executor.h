/// Runs a plan on a GPU: five non-blocking streams, every sub-graph captured once and launched as
/// one executable graph.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "runtime/cuda/cuda_event.h"
#include "runtime/cuda/cuda_graph.h"
#include "runtime/exec/device_arena.h"
#include "runtime/exec/device_context.h"
#include "runtime/exec/executor.h"
#include "runtime/exec/graph_capture.h"
#include "runtime/host/host_counter.h"
#include "runtime/host/host_kernel.h"
#include "runtime/observe/observer.h"

namespace quintet {

/// What runs the tasks of a plan, by TaskId: of each task one of the two.
struct CudaTaskKernels {
  std::vector<std::unique_ptr<CudaKernel>> device;
  std::vector<std::unique_ptr<HostKernel>> host;  ///< of HOST_* tasks
};

/// Owns memory, streams, kernels and graphs. Threads: as Executor says. Throws CudaError. Usage:
/// CudaExecutor executor(plan, std::move(kernels), observer);
class CudaExecutor final : public Executor {
 public:
  /// Warms every kernel up, makes the memory what it is at the start of a run, captures and
  /// instantiates every graph of the plan. `plan` and `observer` (may be null) outlive the executor.
  CudaExecutor(const ExecutionPlan& plan, CudaTaskKernels kernels, Observer* observer,
               ArenaMode memory);
  ~CudaExecutor() override;

  [[nodiscard]] std::string_view name() const override { return "cuda"; }
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
  void upload(TensorId tensor, std::span<const std::byte> bytes) override;
  void download(TensorId tensor, std::span<std::byte> bytes) const override;
  [[nodiscard]] std::string implementation(TaskId task) const override;

  /// What the graphs were captured as, for the proof on captured graphs.
  [[nodiscard]] const std::map<GraphKey, CapturedTasks>& captured() const { return captured_; }

 private:
  struct BoundTask {
    std::vector<BoundOperand> operands;
    std::span<std::byte> workspace;
  };
  class StepEvents;

  void bind_tasks();
  void warm_up();
  void forget_warm_up(ArenaMode memory);
  void capture_graphs();
  void tell_captured(const GraphKey& key, const CapturedTasks& captured) const;
  void launch_task(TaskId task, StreamKind stream);

  const ExecutionPlan& plan_;
  CudaTaskKernels kernels_;
  Observer* observer_;
  DeviceContext context_;
  DeviceArena arena_;
  std::vector<BoundTask> bound_;
  std::map<GraphKey, CapturedTasks> captured_;
  std::map<GraphKey, ExecutableGraph> graphs_;
  std::unique_ptr<StepEvents> events_;
};

}  // namespace quintet
