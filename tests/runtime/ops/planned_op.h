/// An op case ready to run on the host: lowered, kernels planned, memory laid out.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "runtime/host/host_kernel.h"
#include "runtime/model/lowering.h"
#include "tests/runtime/ops/op_cases.h"
#include "tests/support/task_arena.h"

namespace quintet {

/// Not a number: what a kernel must neither swallow nor invent.
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Host tasks (part host) have no kernel: theirs is null and run() skips them.
struct PlannedOp {
  OpCase op_case;
  std::vector<Task> tasks;
  std::vector<std::unique_ptr<HostKernel>> kernels;
  MemoryPlan memory;

  /// The stream the tests place every task on.
  static constexpr StreamKind kStream = StreamKind::COMP_2;

  void run(TaskArena& arena);
};

/// Throws where a kind has no case, does not lower or has no kernel: the test that calls it fails
/// and says why.
std::unique_ptr<PlannedOp> plan_op(OpKind kind, TestRandom& random);

/// Plans a case that the test made itself.
std::unique_ptr<PlannedOp> plan_op(OpCase op_case);

/// Plans several ops over the tensors of a case.
std::unique_ptr<PlannedOp> plan_ops(OpCase op_case, const std::vector<Op>& ops, Lowering lowering);

}  // namespace quintet
