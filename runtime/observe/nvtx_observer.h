/// Shows a run to tools that read NVTX (Nsight Systems, CUPTI): ranges in the domain "quintet".
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "runtime/observe/observer.h"

// NVTX's own names of its handles.
struct nvtxDomainRegistration_st;
struct nvtxStringRegistration_st;

namespace quintet {

/// Kinds of ranges, as the tool sees them.
enum class NvtxCategory : std::uint32_t {
  capture = 1,    ///< a task is enqueued or captured; named after the task, payload -1
  launch = 2,     ///< the host launches a graph; named after the graph
  host_task = 3,  ///< the host runs a task; named after the task
  step = 4,       ///< from a step's first command to its last finished work
  wait = 5,       ///< a host actor waits; named after the kind of wait
};

inline constexpr std::size_t kNvtxCategoryCount = 5;

constexpr std::string_view name_of(NvtxCategory category) {
  switch (category) {
    case NvtxCategory::capture:
      return "capture";
    case NvtxCategory::launch:
      return "launch";
    case NvtxCategory::host_task:
      return "host task";
    case NvtxCategory::step:
      return "step";
    case NvtxCategory::wait:
      return "wait";
  }
  return {};
}

/// Owns its domain. Every range carries its step as payload (int64); ranges of steps may overlap and
/// are start/end ranges, all others are pushed and popped on their thread. Strings are registered once, before
/// the run. Names threads: MAIN, and every other by the name that it gave itself. Threads: as Observer.
///
///   const std::unique_ptr<NvtxObserver> nvtx = NvtxObserver::attach();  // null: no tool looks
class NvtxObserver final : public Observer {
 public:
  /// Null where no tool is attached to this process: then nothing needs to be told.
  static std::unique_ptr<NvtxObserver> attach();
  ~NvtxObserver() override;
  NvtxObserver(const NvtxObserver&) = delete;
  NvtxObserver& operator=(const NvtxObserver&) = delete;

  void on_plan(const ExecutionPlan& plan) override;
  void on_enqueue(TaskId task, StreamKind stream) override;
  void on_enqueued(TaskId task, StreamKind stream) override;
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
  using Domain = nvtxDomainRegistration_st*;
  using String = nvtxStringRegistration_st*;

  explicit NvtxObserver(Domain domain);
  void push(NvtxCategory category, String name, std::int64_t step) const;
  void pop() const;
  void name_threads();

  Domain domain_;
  std::vector<String> tasks_;  ///< by TaskId
  std::map<GraphKey, String> graphs_;
  String step_name_ = nullptr;
  String sync_name_ = nullptr;
  String wait_name_ = nullptr;

  std::mutex mutex_;
  std::map<std::int64_t, std::uint64_t> open_steps_;  ///< range of each
  std::set<int> named_threads_;
};

}  // namespace quintet
