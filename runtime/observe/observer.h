/// What the runtime tells whoever watches it. Views are const and live only during the call; an
/// observer never changes a run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "runtime/model/execution_plan.h"
#include "runtime/model/nanos.h"

namespace quintet {

/// One run of one task on one lane. Times: monotonic_ns of this machine.
struct TaskRun {
  TaskId task;
  std::int64_t step =
      0;        ///< the step it served, counted over the run from 0, training and evaluation alike
  LaneId lane;  ///< where the policy put it (host tasks: the actor's lane)
  LaneId executor_lane;       ///< where the executor ran it
  std::int64_t begin_ns = 0;  ///< half-open: [begin_ns, end_ns)
  std::int64_t end_ns = 0;
  std::int64_t cpu_ns = -1;  ///< CPU time of the thread over the run; -1 = unknown
};

/// A host actor that blocked, and on what.
struct HostWaitRun {
  HostActor actor = HostActor::MAIN;
  std::int64_t step = 0;
  CommandKind kind = CommandKind::host_sync;  ///< host_sync or host_wait
  StreamKind stream = StreamKind::COMP_1;     ///< host_sync only
  StepEvent event = StepEvent::step_done;     ///< host_wait only
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

/// A launch of one captured graph.
struct LaunchRun {
  GraphKey graph;
  StreamKind stream = StreamKind::COMP_1;
  std::int64_t step = 0;
  std::int64_t begin_ns = 0;  ///< the host's call
  std::int64_t end_ns = 0;
};

/// One node of a graph that has been captured, and whose it is. `node` is the executor's own handle of it (CUDA:
/// a cudaGraphNode_t), valid during the call.
struct CapturedNode {
  TaskId task;
  StreamKind stream = StreamKind::COMP_1;
  void* node = nullptr;
};

/// A step from the host's first command to its last finished work. Results arrive with the step's
/// end.
struct StepRun {
  std::int64_t step = 0;
  StepVariant variant;
  std::int64_t batch = 0;  ///< samples in the step
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::optional<double> loss;           ///< mean over the batch; nothing = not read (yet)
  std::optional<std::int64_t> correct;  ///< right predictions in the batch
  double learning_rate = 0;             ///< 0 for evaluation
};

/// Called from several threads: on_task_begin and on_task from the thread that runs the task (never
/// two at once for one executor lane), the rest from the thread that runs the step program or the loader.
/// Implementations synchronise for themselves and must not throw.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Before anything else: what is about to be captured and run.
  virtual void on_plan(const ExecutionPlan& /*plan*/) {}
  /// A GPU executor enqueues one task on a stream, from on_enqueue to on_enqueued, on the calling thread: while
  /// it captures a graph, and to warm up.
  virtual void on_enqueue(TaskId /*task*/, StreamKind /*stream*/) {}
  virtual void on_enqueued(TaskId /*task*/, StreamKind /*stream*/) {}
  /// A graph has been captured and is about to be instantiated; the nodes of each task, in the order in which they run.
  virtual void on_captured(const GraphKey& /*graph*/, std::span<const CapturedNode> /*nodes*/) {}
  /// The host is about to run a task, on the calling thread; on_task follows there, unless the task throws.
  virtual void on_task_begin(TaskId /*task*/, std::int64_t /*step*/) {}
  virtual void on_task(const TaskRun& /*run*/) {}
  /// MAIN is about to issue a step.
  virtual void on_step_begin(std::int64_t /*step*/) {}
  /// The host is about to launch a graph, on the calling thread; `step` is the one that it serves.
  virtual void on_launch_begin(const GraphKey& /*graph*/, StreamKind /*stream*/,
                               std::int64_t /*step*/) {}
  virtual void on_launch(const LaunchRun& /*run*/) {}
  /// A host actor is about to wait, on the calling thread; on_host_wait follows there, unless the wait throws.
  virtual void on_host_wait_begin(HostActor /*actor*/, CommandKind /*kind*/,
                                  std::int64_t /*step*/) {}
  virtual void on_host_wait(const HostWaitRun& /*run*/) {}
  /// Steps end in order; every task of the step has been reported before, but the prefetch for the
  /// next one.
  virtual void on_step(const StepRun& /*run*/) {}
  /// After the last step, all work done.
  virtual void on_end() {}
};

}  // namespace quintet
