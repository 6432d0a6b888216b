#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/block_reduction.cuh"
#include "runtime/ops/metrics.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

constexpr int kThreads = 1024;
constexpr int kLoadsInFlight = 8;

/// True where probability k shows that the first largest is not the label's, whose probability is
/// `own`. NaN is never larger than what stands before it, and nothing is larger than a NaN in the
/// first place.
__device__ bool beats_label(float value, int k, float own, int label) {
  if (k > label) return own < value;
  if (k == label) return false;
  return k == 0 ? !(value < own) : value >= own;
}

/// Whether one warp's sample is a hit; the same in all lanes.
__device__ bool is_hit(const float* __restrict__ p, int classes, int label) {
  if (label < 0 || label >= classes) return false;
  const float own = p[label];
  bool beaten = false;
#pragma unroll kLoadsInFlight
  for (int k = static_cast<int>(threadIdx.x % kWarpThreads); k < classes; k += kWarpThreads)
    beaten |= beats_label(p[k], k, own, label);
  return __any_sync(0xFFFFFFFFU, beaten ? 1 : 0) == 0;
}

/// One block: a warp takes every 32nd sample. `result` may be host memory: one thread writes it
/// once.
__global__ void __launch_bounds__(kThreads)
    metrics_kernel(const float* __restrict__ losses, const float* __restrict__ probabilities,
                   const std::int32_t* __restrict__ labels, double2* __restrict__ result,
                   const int samples, const int classes) {
  __shared__ double shared_sums[kMaxWarps];
  __shared__ int shared_hits[kMaxWarps];
  const int thread = static_cast<int>(threadIdx.x);
  double sum = 0;
  for (int n = thread; n < samples; n += kThreads)
    sum += static_cast<double>(losses[n]);
  int hits = 0;
  for (int n = thread / kWarpThreads; n < samples; n += kThreads / kWarpThreads) {
    const bool hit = is_hit(probabilities + static_cast<std::int64_t>(n) * classes, classes,
                            static_cast<int>(labels[n]));
    hits += hit && thread % kWarpThreads == 0 ? 1 : 0;
  }
  sum = reduced_over_block(sum, Plus{}, shared_sums);
  hits = reduced_over_block(hits, Plus{}, shared_hits);
  if (thread == 0) *result = make_double2(sum / samples, static_cast<double>(hits));
}

class Metrics final : public CudaKernel {
 public:
  explicit Metrics(const Shape& probabilities)
      : samples_(static_cast<int>(probabilities.dim(0))),
        classes_(static_cast<int>(probabilities.dim(1))) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = MetricsSlots;
    metrics_kernel<<<1, kThreads, 0, on.stream>>>(
        args.read<float>(Slots::losses), args.read<float>(Slots::probabilities),
        args.read<std::int32_t>(Slots::labels), args.write<double2>(Slots::result), samples_,
        classes_);
    check(cudaGetLastError(), "launching metrics");
  }

 private:
  int samples_;
  int classes_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_metrics_cuda(const Task& task, const TensorTable& tensors,
                                              KernelPlanner& /*planner*/) {
  return std::make_unique<Metrics>(operand_shape(task, tensors, MetricsSlots::probabilities));
}

}  // namespace quintet
