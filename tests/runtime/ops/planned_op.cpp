#include "tests/runtime/ops/planned_op.h"

#include <algorithm>
#include <stdexcept>

#include "runtime/host/openmp_pin.h"
#include "runtime/ops/host_kernel_catalog.h"
#include "runtime/ops/op_catalog.h"
#include "runtime/policy/memory_planner.h"

namespace quintet {

namespace {

template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  return *std::move(result);
}

}  // namespace

void PlannedOp::run(TaskArena& arena) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (kernels[i]) arena.run(tasks[i], kStream, *kernels[i]);
  }
}

std::unique_ptr<PlannedOp> plan_ops(OpCase op_case, const std::vector<Op>& ops, Lowering lowering) {
  pin_openmp_to_one_thread();
  auto planned = std::make_unique<PlannedOp>();
  planned->op_case = std::move(op_case);
  const OpCase& made = planned->op_case;
  planned->tasks = value_or_throw(lower(ops, made.tensors, lowering));
  std::array<std::uint64_t, kStreamCount> workspace{};
  std::uint64_t& most = workspace[index_of(PlannedOp::kStream)];
  for (Task& task : planned->tasks) {
    planned->kernels.emplace_back();
    if (task.part == TaskPart::host) continue;
    planned->kernels.back() = value_or_throw(make_host_kernel(task, made.tensors));
    task.workspace_bytes = planned->kernels.back()->workspace_bytes();
    most = std::max(most, task.workspace_bytes);
  }
  planned->memory = plan_memory(made.tensors, planned->tasks, GradientMode::separate, workspace,
                                FeatureSharing::none);
  return planned;
}

std::unique_ptr<PlannedOp> plan_op(OpCase op_case) {
  const std::vector<Op> ops = {op_case.op};
  return plan_ops(std::move(op_case), ops, Lowering::article);
}

std::unique_ptr<PlannedOp> plan_op(OpKind kind, TestRandom& random) {
  std::optional<OpCase> made = make_op_case(kind, random);
  if (!made) {
    throw std::runtime_error(std::string("no test case for ") + std::string(name_of(kind)) +
                             ": add a maker to op_cases.cpp");
  }
  return plan_op(*std::move(made));
}

}  // namespace quintet
