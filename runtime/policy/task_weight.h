/// What a task weighs when streams are chosen for it: its time alone and how much of the device it
/// takes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/model/task.h"

namespace quintet {

struct TaskWeight {
  double alone_ns = 0;         ///< with nothing beside it
  double sm_share = 1;         ///< of the device's multiprocessors: 0 to 1
  double bandwidth_share = 0;  ///< of the device's memory bandwidth: 0 to 1
};

/// Weights of all tasks of a plan.
struct TaskWeights {
  std::vector<TaskWeight> of_task;  ///< by TaskId
  std::string source;               ///< as a policy's description names it
};

/// Weights from flops and bytes alone, for scenarios that were never recorded: the larger of the
/// times for arithmetic and for memory on a device of the H200's size, and at least what a small
/// kernel takes. Good for telling heavy tasks from light ones, not for times.
TaskWeights estimated_weights(std::span<const Task> tasks);

/// True where the task waits for memory rather than for arithmetic: few flops for each byte.
bool is_memory_bound(const Task& task);

}  // namespace quintet
