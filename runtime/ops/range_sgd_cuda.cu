#include <cassert>

#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/overflow_flag.h"
#include "runtime/ops/range_sgd.h"
#include "runtime/ops/range_step.cuh"

namespace quintet {

namespace {

template <bool nesterov>
struct SgdStep {
  const float* lr;
  float momentum;
  float weight_decay;
  float rate = 0;

  __device__ void read_scalars() { rate = *lr; }
  __device__ void operator()(float& w, const float& g, float& m) const {
    const float decayed = g + weight_decay * w;
    m = momentum * m + decayed;
    w -= rate * (nesterov ? decayed + momentum * m : m);
  }
};

template <bool nesterov>
class RangeSgd final : public CudaKernel {
 public:
  explicit RangeSgd(const SgdHyper& hyper) : hyper_(hyper) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = RangeSgdSlots;
    assert(args.bytes(Slots::weights) == args.bytes(Slots::gradients));
    assert(args.bytes(Slots::weights) == args.bytes(Slots::momentum));
    const SgdStep<nesterov> step{args.read<float>(Slots::lr), hyper_.momentum, hyper_.weight_decay};
    launch_range_step(on.stream, step, args.bytes(Slots::weights) / sizeof(float),
                      overflow_flag(args, Slots::found_inf), args.write<float>(Slots::weights),
                      args.read<float>(Slots::gradients), args.write<float>(Slots::momentum));
  }

 private:
  SgdHyper hyper_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_range_sgd_cuda(const Task& task, const TensorTable& /*tensors*/,
                                                KernelPlanner& /*planner*/) {
  const auto& hyper = std::get<SgdHyper>(task.attributes);
  if (hyper.nesterov) return std::make_unique<RangeSgd<true>>(hyper);
  return std::make_unique<RangeSgd<false>>(hyper);
}

}  // namespace quintet
