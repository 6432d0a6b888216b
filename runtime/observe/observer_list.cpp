#include "runtime/observe/observer_list.h"

namespace quintet {

void ObserverList::on_plan(const ExecutionPlan& plan) {
  for (Observer* observer : observers_)
    observer->on_plan(plan);
}

void ObserverList::on_enqueue(TaskId task, StreamKind stream) {
  for (Observer* observer : observers_)
    observer->on_enqueue(task, stream);
}

void ObserverList::on_enqueued(TaskId task, StreamKind stream) {
  for (Observer* observer : observers_)
    observer->on_enqueued(task, stream);
}

void ObserverList::on_captured(const GraphKey& graph, std::span<const CapturedNode> nodes) {
  for (Observer* observer : observers_)
    observer->on_captured(graph, nodes);
}

void ObserverList::on_task_begin(TaskId task, std::int64_t step) {
  for (Observer* observer : observers_)
    observer->on_task_begin(task, step);
}

void ObserverList::on_task(const TaskRun& run) {
  for (Observer* observer : observers_)
    observer->on_task(run);
}

void ObserverList::on_step_begin(std::int64_t step) {
  for (Observer* observer : observers_)
    observer->on_step_begin(step);
}

void ObserverList::on_launch_begin(const GraphKey& graph, StreamKind stream, std::int64_t step) {
  for (Observer* observer : observers_)
    observer->on_launch_begin(graph, stream, step);
}

void ObserverList::on_launch(const LaunchRun& run) {
  for (Observer* observer : observers_)
    observer->on_launch(run);
}

void ObserverList::on_host_wait_begin(HostActor actor, CommandKind kind, std::int64_t step) {
  for (Observer* observer : observers_)
    observer->on_host_wait_begin(actor, kind, step);
}

void ObserverList::on_host_wait(const HostWaitRun& run) {
  for (Observer* observer : observers_)
    observer->on_host_wait(run);
}

void ObserverList::on_step(const StepRun& run) {
  for (Observer* observer : observers_)
    observer->on_step(run);
}

void ObserverList::on_end() {
  for (Observer* observer : observers_)
    observer->on_end();
}

}  // namespace quintet
