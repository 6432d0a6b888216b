#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/learning_rate.h"

namespace quintet {

namespace {

__global__ void lr_from_table(const float* table, std::int64_t entries, const std::int64_t* counter,
                              float* lr) {
  const std::int64_t last = entries - 1;
  const std::int64_t index = *counter;
  *lr = table[index < 0 ? 0 : index > last ? last : index];
}

__global__ void scalar_increment(std::int64_t* counter) {
  ++*counter;
}

class LrFromTable final : public CudaKernel {
 public:
  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = LrFromTableSlots;
    const auto entries = static_cast<std::int64_t>(args.bytes(Slots::table) / sizeof(float));
    lr_from_table<<<1, 1, 0, on.stream>>>(args.read<float>(Slots::table), entries,
                                          args.read<std::int64_t>(Slots::counter),
                                          args.write<float>(Slots::lr));
    check(cudaGetLastError(), "launching lr_from_table");
  }
};

class ScalarIncrement final : public CudaKernel {
 public:
  void launch(const TaskArgs& args, const StreamResources& on) override {
    scalar_increment<<<1, 1, 0, on.stream>>>(
        args.write<std::int64_t>(ScalarIncrementSlots::counter));
    check(cudaGetLastError(), "launching scalar_increment");
  }
};

}  // namespace

std::unique_ptr<CudaKernel> make_lr_from_table_cuda(const Task& /*task*/,
                                                    const TensorTable& /*tensors*/,
                                                    KernelPlanner& /*planner*/) {
  return std::make_unique<LrFromTable>();
}

std::unique_ptr<CudaKernel> make_scalar_increment_cuda(const Task& /*task*/,
                                                       const TensorTable& /*tensors*/,
                                                       KernelPlanner& /*planner*/) {
  return std::make_unique<ScalarIncrement>();
}

}  // namespace quintet
