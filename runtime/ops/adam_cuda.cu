#include <cassert>
#include <cmath>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/adam.h"
#include "runtime/ops/overflow_flag.cuh"
#include "runtime/ops/overflow_flag.h"
#include "runtime/ops/range_step.cuh"

namespace quintet {

namespace {

/// One thread for each beta.
__global__ void __launch_bounds__(2)
    adam_bias_correction(AdamHyper hyper, std::int64_t* t, float* correction,
                         const std::int32_t* found_inf) {
  if (overflow_noted(found_inf)) return;
  const std::int64_t step = *t + 1;
  __syncthreads();
  if (threadIdx.x == 0) *t = step;
  const auto beta = static_cast<double>(threadIdx.x == 0 ? hyper.beta1 : hyper.beta2);
  correction[threadIdx.x] = static_cast<float>(1 / (1 - pow(beta, static_cast<double>(step))));
}

class AdamBiasCorrection final : public CudaKernel {
 public:
  explicit AdamBiasCorrection(const AdamHyper& hyper) : hyper_(hyper) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = AdamBiasCorrectionSlots;
    adam_bias_correction<<<1, 2, 0, on.stream>>>(hyper_, args.write<std::int64_t>(Slots::t),
                                                 args.write<float>(Slots::correction),
                                                 overflow_flag(args, Slots::found_inf));
    check(cudaGetLastError(), "launching adam_bias_correction");
  }

 private:
  AdamHyper hyper_;
};

enum class Decay { into_gradient, of_weight };

template <Decay decay>
struct AdamStep {
  const float* lr;
  const float* correction;
  AdamHyper hyper;
  float rate = 0;
  float variance_correction = 0;
  float kept = 1;  ///< of the weight

  __device__ void read_scalars() {
    rate = *lr * correction[0];
    variance_correction = correction[1];
    if (decay == Decay::of_weight) kept = 1.0F - *lr * hyper.weight_decay;
  }
  __device__ void operator()(float& w, const float& gradient, float& m, float& v) const {
    const float g = decay == Decay::into_gradient ? gradient + hyper.weight_decay * w : gradient;
    m = hyper.beta1 * m + (1.0F - hyper.beta1) * g;
    v = hyper.beta2 * v + (1.0F - hyper.beta2) * g * g;
    w = kept * w - rate * m / (sqrtf(variance_correction * v) + hyper.epsilon);
  }
};

template <Decay decay>
class RangeAdam final : public CudaKernel {
 public:
  explicit RangeAdam(const AdamHyper& hyper) : hyper_(hyper) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = RangeAdamSlots;
    assert(args.bytes(Slots::weights) == args.bytes(Slots::gradients));
    assert(args.bytes(Slots::weights) == args.bytes(Slots::momentum));
    assert(args.bytes(Slots::weights) == args.bytes(Slots::variance));
    const AdamStep<decay> step{args.read<float>(Slots::lr), args.read<float>(Slots::correction),
                               hyper_};
    launch_range_step(on.stream, step, args.bytes(Slots::weights) / sizeof(float),
                      overflow_flag(args, Slots::found_inf), args.write<float>(Slots::weights),
                      args.read<float>(Slots::gradients), args.write<float>(Slots::momentum),
                      args.write<float>(Slots::variance));
  }

 private:
  AdamHyper hyper_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_adam_bias_correction_cuda(const Task& task,
                                                           const TensorTable& /*tensors*/,
                                                           KernelPlanner& /*planner*/) {
  return std::make_unique<AdamBiasCorrection>(std::get<AdamHyper>(task.attributes));
}

std::unique_ptr<CudaKernel> make_range_adam_cuda(const Task& task, const TensorTable& /*tensors*/,
                                                 KernelPlanner& /*planner*/) {
  return std::make_unique<RangeAdam<Decay::into_gradient>>(std::get<AdamHyper>(task.attributes));
}

std::unique_ptr<CudaKernel> make_range_adamw_cuda(const Task& task, const TensorTable& /*tensors*/,
                                                  KernelPlanner& /*planner*/) {
  return std::make_unique<RangeAdam<Decay::of_weight>>(std::get<AdamHyper>(task.attributes));
}

}  // namespace quintet
