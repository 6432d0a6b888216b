#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/range_clear.h"

namespace quintet {

namespace {

class RangeClear final : public CudaKernel {
 public:
  void launch(const TaskArgs& args, const StreamResources& on) override {
    for (std::size_t slot = 0; slot < args.size(); ++slot) {
      // An empty region (a network of one layer has no DEEP_*) has no address to clear.
      if (args.bytes(slot) == 0) continue;
      check(cudaMemsetAsync(args.write<std::byte>(slot), 0, args.bytes(slot), on.stream),
            "clearing a region");
    }
  }
};

}  // namespace

std::unique_ptr<CudaKernel> make_range_clear_cuda(const Task& /*task*/,
                                                  const TensorTable& /*tensors*/,
                                                  KernelPlanner& /*planner*/) {
  return std::make_unique<RangeClear>();
}

}  // namespace quintet
