/// Everything known before the first step: tensors, tasks, memory, graphs and step programs of one
/// scenario under one policy.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/model/graph_atlas.h"
#include "runtime/model/lane.h"
#include "runtime/model/lowering.h"
#include "runtime/model/memory_plan.h"
#include "runtime/model/step_program.h"
#include "runtime/model/task.h"
#include "runtime/model/task_graph.h"
#include "runtime/model/tensor.h"

namespace quintet {

/// A batch shape of the run. Index 0 of ExecutionPlan::shapes is the shape-independent
/// pseudo-variant.
struct ShapeVariant {
  ShapeId id;
  std::string name;  ///< "any", "train", "train_tail", "eval", "eval_tail"
  std::int64_t batch = 0;
  bool training = false;
};

/// The steps of a run in order: each names its variant; the epoch's tail and evaluation are steps
/// like any other.
using StepSequence = std::vector<StepVariant>;

struct ExecutionPlan {
  std::string policy;  ///< name of the policy
  Lowering lowering = Lowering::article;
  StepMode mode = StepMode::host_sync;
  LaneTable lanes;
  std::int32_t micro_batches = 1;  ///< batches whose gradients are added up before an update
  std::vector<ShapeVariant> shapes;
  TensorTable tensors;
  std::vector<Task> tasks;  ///< in program order; TaskId indexes it
  MemoryPlan memory;
  std::vector<std::vector<Access>>
      accesses;                          ///< per task; resolve_accesses of where the policy put it
  GraphAtlas atlas;                      ///< every sub-graph, the empty ones included
  std::map<GraphKey, TaskGraph> graphs;  ///< the captured ones: what step programs launch
  std::map<GraphKey, std::vector<TaskId>> host_tasks;  ///< the HOST_* graphs
  std::map<StepVariant, StepProgram> programs;

  [[nodiscard]] const Task& task(TaskId id) const { return tasks.at(id.value()); }
  [[nodiscard]] const ShapeVariant& shape(ShapeId id) const { return shapes.at(id.value()); }
  /// "DEEP_FWD_BWD@train", "WHOLE_STEP_A@train>train_tail last"; the bare name where it has no shape.
  [[nodiscard]] std::string name(const GraphKey& key) const;
};

}  // namespace quintet
