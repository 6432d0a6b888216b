/// Several observers of one run as one.
#pragma once

#include <vector>

#include "runtime/observe/observer.h"

namespace quintet {

/// Tells each observer, in the order in which they were added. Owns none of them. Threads: as Observer,
/// once all are added.
///
///   ObserverList observers;
///   observers.add(recorder);
///   session.run(&observers, ...);
class ObserverList final : public Observer {
 public:
  void add(Observer& observer) { observers_.push_back(&observer); }

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

 private:
  std::vector<Observer*> observers_;
};

}  // namespace quintet
