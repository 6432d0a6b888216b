#include <cassert>

#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/overflow_flag.h"
#include "runtime/ops/range_ema.h"
#include "runtime/ops/range_step.cuh"

namespace quintet {

namespace {

struct EmaStep {
  float decay;
  float rest;

  __device__ void read_scalars() const {}
  __device__ void operator()(float& average, const float& w) const {
    average = decay * average + rest * w;
  }
};

class RangeEma final : public CudaKernel {
 public:
  explicit RangeEma(const EmaHyper& hyper) : step_{hyper.decay, 1.0F - hyper.decay} {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = RangeEmaSlots;
    assert(args.bytes(Slots::average) == args.bytes(Slots::weights));
    launch_range_step(on.stream, step_, args.bytes(Slots::average) / sizeof(float),
                      overflow_flag(args, Slots::found_inf), args.write<float>(Slots::average),
                      args.read<float>(Slots::weights));
  }

 private:
  EmaStep step_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_range_ema_cuda(const Task& task, const TensorTable& /*tensors*/,
                                                KernelPlanner& /*planner*/) {
  return std::make_unique<RangeEma>(std::get<EmaHyper>(task.attributes));
}

}  // namespace quintet
