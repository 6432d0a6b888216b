#include "tests/bench/device_tasks.h"

#include <algorithm>
#include <stdexcept>

#include "runtime/exec/cuda_backend.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/network/scenario_spec.h"
#include "runtime/ops/cuda_kernel_catalog.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet {

double median_of(std::vector<double> values) {
  if (values.empty()) return -1;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

DeviceTasks::DeviceTasks(const Scenario& scenario, const std::string& plans_file) {
  const auto data = value_or_throw(open_data(scenario));
  std::shared_ptr<CudaBackend> backend =
      value_or_throw(CudaBackend::open(PlanSearch::measured, plans_file));
  StreamPolicy policy = value_or_throw(find_policy("serial"));
  policy.gradients = GradientMode::separate;
  session_ = value_or_throw(TrainingSession::prepare(
      value_or_throw(spec_of(scenario, shape_of(*data))), data, policy, backend));
  store_ = std::make_unique<PlanStore>(PlanSearch::measured);
  if (const auto loaded = store_->load(plans_file); !loaded) {
    throw std::runtime_error(to_string(loaded.error()));
  }
  planner_ = std::make_unique<KernelPlanner>(*store_);
  context_ = std::make_unique<DeviceContext>(plan().lanes);
  arena_ = std::make_unique<DeviceArena>(plan(), ArenaMode::one_allocation);
}

std::vector<TaskId> DeviceTasks::of_training() const {
  std::vector<TaskId> tasks;
  for (const auto& [key, graph] : plan().graphs) {
    for (const PlacedTask& placed : graph.tasks) {
      if (plan().shape(plan().task(placed.task).shape).name != "eval") tasks.push_back(placed.task);
    }
  }
  return tasks;
}

DeviceTask DeviceTasks::make(TaskId id) {
  const Task& task = plan().task(id);
  DeviceTask made;
  made.id = id;
  made.name = task.name;
  made.kernel = value_or_throw(make_cuda_kernel(task, plan().tensors, *planner_));
  const std::vector<Access>& accesses = plan().accesses[id.value()];
  for (std::size_t slot = 0; slot < task.operands.size(); ++slot) {
    made.operands.push_back(
        {arena_->at(task.operands[slot].target), accesses[slot].bytes, accesses[slot].mode});
  }
  made.workspace_bytes = task.workspace_bytes;
  if (task.workspace_bytes > 0) {
    made.workspace = CudaMemory(MemoryKind::device, task.workspace_bytes, "scratch of a task");
  }
  made.kernel->bind(made.args());
  return made;
}

}  // namespace quintet
