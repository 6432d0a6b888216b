/// An op case ready to run on the GPU: lowered, kernels planned and bound, memory laid out.
#pragma once

#include <memory>
#include <vector>

#include "runtime/cuda/cuda_kernel.h"
#include "runtime/cuda/kernel_planner.h"
#include "runtime/cuda/plan_store.h"
#include "runtime/exec/device_context.h"
#include "runtime/model/lowering.h"
#include "tests/runtime/ops/op_cases.h"
#include "tests/support/device_image.h"
#include "tests/support/gpu_fixture.h"

namespace quintet {

/// What the kernels of a test share.
struct CudaTestDevice {
  PlanStore plans{PlanSearch::first};
  KernelPlanner planner{plans};
  DeviceContext context{runtime_lanes()};
};

/// Has a device from before the first test of a suite until after its last.
class CudaOpTest : public GpuTest {
 protected:
  static void TearDownTestSuite() { shared_.reset(); }
  void SetUp() override {
    GpuTest::SetUp();
    if (has_gpu() && !shared_) shared_ = std::make_unique<CudaTestDevice>();
  }
  static CudaTestDevice& device() { return *shared_; }

 private:
  static inline std::unique_ptr<CudaTestDevice> shared_;
};

/// Host tasks (part host) have no kernel: theirs is null and run() skips them.
struct PlannedCudaOp {
  OpCase op_case;
  std::vector<Task> tasks;
  std::vector<std::unique_ptr<CudaKernel>> kernels;
  MemoryPlan memory;
  std::unique_ptr<TaskArena> arena;  ///< what run() works on; weights lie in it as the host's do
  std::unique_ptr<DeviceImage> image;
  CudaTestDevice* device = nullptr;

  /// The stream the tests place every task on.
  static constexpr StreamKind kStream = StreamKind::COMP_2;

  /// Takes all regions from an arena over the same tensors and poisons the rest.
  void take(TaskArena& from, const MemoryPlan& from_plan);
  /// Runs the tasks in program order on the GPU.
  void run();
  /// Runs one task as it is: weights in `bytes` lie as the GPU's do.
  void run_task(std::size_t index, TaskArena& bytes);
};

/// Throws where an op does not lower or has no kernel.
std::unique_ptr<PlannedCudaOp> plan_cuda_ops(OpCase op_case, const std::vector<Op>& ops,
                                             Lowering lowering, CudaTestDevice& device);

std::unique_ptr<PlannedCudaOp> plan_cuda_op(OpCase op_case, CudaTestDevice& device);

}  // namespace quintet
