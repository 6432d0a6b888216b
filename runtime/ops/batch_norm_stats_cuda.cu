#include <cassert>
#include <cmath>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/batch_norm_stats.h"
#include "runtime/ops/range_step.cuh"

namespace quintet {

namespace {

constexpr unsigned kThreads = 128;

/// One thread for each channel.
__global__ void __launch_bounds__(kThreads)
    batch_norm_eq(const float* __restrict__ gamma, const float* __restrict__ beta,
                  const float* __restrict__ running, float* __restrict__ eq, unsigned channels,
                  double epsilon) {
  const unsigned c = blockIdx.x * kThreads + threadIdx.x;
  if (c >= channels) return;
  const double variance = static_cast<double>(running[channels + c]);
  const double scale = static_cast<double>(gamma[c]) / sqrt(variance + epsilon);
  eq[c] = static_cast<float>(scale);
  eq[channels + c] =
      static_cast<float>(static_cast<double>(beta[c]) - static_cast<double>(running[c]) * scale);
}

class BatchNormEq final : public CudaKernel {
 public:
  explicit BatchNormEq(const BatchNormHyper& hyper)
      : epsilon_(static_cast<double>(hyper.epsilon)) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = BatchNormEqSlots;
    const auto channels = static_cast<unsigned>(args.bytes(Slots::gamma) / sizeof(float));
    const unsigned blocks = (channels + kThreads - 1) / kThreads;
    batch_norm_eq<<<blocks, kThreads, 0, on.stream>>>(
        args.read<float>(Slots::gamma), args.read<float>(Slots::beta),
        args.read<float>(Slots::running), args.write<float>(Slots::eq), channels, epsilon_);
    check(cudaGetLastError(), "launching batch_norm_eq");
  }

 private:
  double epsilon_;
};

struct MovingAverageStep {
  float rest;
  float momentum;

  __device__ void read_scalars() const {}
  __device__ void operator()(float& running, const float& batch) const {
    running = rest * running + momentum * batch;
  }
};

class RangeBnStats final : public CudaKernel {
 public:
  explicit RangeBnStats(const BatchNormHyper& hyper)
      : step_{1.0F - hyper.momentum, hyper.momentum} {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = BatchNormStatsSlots;
    assert(args.bytes(Slots::running) == args.bytes(Slots::batch));
    launch_range_step(on.stream, step_, args.bytes(Slots::running) / sizeof(float), nullptr,
                      args.write<float>(Slots::running), args.read<float>(Slots::batch));
  }

 private:
  MovingAverageStep step_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_batch_norm_eq_cuda(const Task& task,
                                                    const TensorTable& /*tensors*/,
                                                    KernelPlanner& /*planner*/) {
  return std::make_unique<BatchNormEq>(std::get<BatchNormHyper>(task.attributes));
}

std::unique_ptr<CudaKernel> make_range_bn_stats_cuda(const Task& task,
                                                     const TensorTable& /*tensors*/,
                                                     KernelPlanner& /*planner*/) {
  return std::make_unique<RangeBnStats>(std::get<BatchNormHyper>(task.attributes));
}

}  // namespace quintet
