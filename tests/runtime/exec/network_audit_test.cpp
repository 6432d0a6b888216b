// Every network twin, optimizer and precision: each task touches exactly what it declares.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "runtime/host/openmp_pin.h"
#include "runtime/ops/host_kernel_catalog.h"
#include "tests/runtime/exec/runtime_cases.h"
#include "tests/support/access_audit.h"

namespace quintet::test {
namespace {

using ::testing::IsEmpty;

/// What decides a kernel's accesses: tasks alike in this are audited once.
std::string likeness(const Task& task, const TensorTable& tensors) {
  std::string text = fmt::format("{} {}", name_of(task.kind), name_of(task.part));
  if (task.fused_with) text += fmt::format(" with {}", name_of(task.fused_with->kind));
  if (const auto* window = std::get_if<Window>(&task.attributes)) {
    text += fmt::format(" {}x{} {} {}", window->kernel_h, window->kernel_w, window->stride_h,
                        window->pad_h);
  }
  for (const Operand& operand : task.operands) {
    text += fmt::format(" {}", name_of(operand.mode));
    if (const auto* region = std::get_if<RegionKind>(&operand.target)) {
      text += fmt::format(" {}", name_of(*region));
    } else {
      const Tensor& tensor = tensors[std::get<TensorId>(operand.target)];
      text += fmt::format(" {} {}", name_of(tensor.dtype), tensor.shape.text());
    }
  }
  return text;
}

class NetworkAudit : public testing::TestWithParam<RuntimeCase> {};

TEST_P(NetworkAudit, FindsNothingInAnyTask) {
  pin_openmp_to_one_thread();
  const auto session =
      prepare_tiny(GetParam().run, policy_with("renaissance", SyncRule::adjacent_conflicts,
                                               GradientMode::in_place, StepMode::event_sync));
  const ExecutionPlan& plan = session->plan();
  std::set<std::string> audited;
  std::uint64_t seed = 1;
  for (const auto& [key, graph] : plan.graphs) {
    for (const PlacedTask& placed : graph.tasks) {
      const Task& task = plan.task(placed.task);
      if (!audited.insert(likeness(task, plan.tensors)).second) continue;
      const auto kernel = make_host_kernel(task, plan.tensors);
      ASSERT_TRUE(kernel) << to_string(kernel.error());
      EXPECT_THAT(audit_accesses(task, placed.stream, plan.tensors, plan.memory, **kernel, ++seed),
                  IsEmpty());
    }
  }
  EXPECT_GT(audited.size(), 20U);
}

INSTANTIATE_TEST_SUITE_P(Twins, NetworkAudit, testing::ValuesIn(runtime_cases()),
                         [](const auto& twin) { return test_name(twin.param); });

}  // namespace
}  // namespace quintet::test
