#include <cmath>

#include "runtime/cuda/cuda_error.h"
#include "runtime/ops/block_reduction.cuh"
#include "runtime/ops/cuda_element_type.h"
#include "runtime/ops/fused_loss.h"
#include "runtime/ops/softmax_ce.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

struct BatchShape {
  int samples, classes;
};

BatchShape batch_shape_of(const Shape& shape) {
  return {static_cast<int>(shape.dim(0)), static_cast<int>(shape.dim(1))};
}

/// A block works on one sample: a warp where the classes are few.
unsigned threads_for(int classes) {
  constexpr int kFewClasses = 256;
  return classes <= kFewClasses ? kWarpThreads : kBlockThreads;
}

struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

/// The mean of z - largest under the target distribution; `total`: its sum over the classes.
__device__ double target_logit(double of_label, double total, double smoothing, int classes) {
  if (smoothing == 0) return of_label;
  return (1 - smoothing) * of_label + smoothing / classes * total;
}

/// The gradient of the loss with respect to one logit, from its probability.
struct LogitGradient {
  double floor, peak, factor;

  /// `loss_scale` may be null.
  __device__ LogitGradient(const BatchShape& shape, double smoothing, const float* loss_scale)
      : floor(smoothing / shape.classes),
        peak(1 - smoothing + floor),
        factor((loss_scale != nullptr ? static_cast<double>(*loss_scale) : 1.0) / shape.samples) {}
  __device__ float of(float probability, bool is_label) const {
    return static_cast<float>((static_cast<double>(probability) - (is_label ? peak : floor)) *
                              factor);
  }
};

/// What the fused task does beside forward; `dlogits` null: nothing.
template <class T>
struct FusedBackward {
  T* dlogits = nullptr;
  const float* loss_scale = nullptr;
};

/// Loss = log(sum exp(z - max)) - sum(target * (z - max)). The exponentials are floats, their sum
/// is double: of a confident sample the loss is what the sum has beyond 1. A NaN among the logits
/// is never the largest, but makes the sum NaN.
template <class T>
__global__ void __launch_bounds__(kBlockThreads)
    softmax_ce_forward_kernel(const T* __restrict__ logits, const std::int32_t* __restrict__ labels,
                              float* probabilities, float* __restrict__ losses,
                              const BatchShape shape, const double smoothing,
                              const FusedBackward<T> backward) {
  const int classes = shape.classes;
  __shared__ float shared_floats[kMaxWarps];
  __shared__ double shared_doubles[kMaxWarps];
  const auto first = static_cast<std::int64_t>(blockIdx.x) * classes;
  const T* const z = logits + first;
  float* const p = probabilities + first;
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);

  float largest = -INFINITY;
  for (int k = thread; k < classes; k += threads)
    largest = fmaxf(largest, widened(z[k]));
  largest = reduced_over_block(largest, Larger{}, shared_floats);

  double sum = 0;
  double total = 0;
  for (int k = thread; k < classes; k += threads) {
    const float below = widened(z[k]) - largest;
    const float exponential = expf(below);
    p[k] = exponential;
    sum += static_cast<double>(exponential);
    total += static_cast<double>(below);
  }
  sum = reduced_over_block(sum, Plus{}, shared_doubles);
  if (smoothing != 0) total = reduced_over_block(total, Plus{}, shared_doubles);

  const auto share = static_cast<float>(1.0 / sum);
  const std::int32_t label = labels[blockIdx.x];
  for (int k = thread; k < classes; k += threads)
    p[k] *= share;
  if (backward.dlogits != nullptr) {
    const LogitGradient gradient(shape, smoothing, backward.loss_scale);
    for (int k = thread; k < classes; k += threads)
      store_floats(backward.dlogits + first + k, Floats<1>{{gradient.of(p[k], k == label)}});
  }
  if (thread != 0) return;
  if (label < 0 || label >= classes) {
    losses[blockIdx.x] = NAN;
    return;
  }
  const double of_label = static_cast<double>(widened(z[label])) - static_cast<double>(largest);
  losses[blockIdx.x] =
      static_cast<float>(log(sum) - target_logit(of_label, total, smoothing, classes));
}

/// `loss_scale` may be null.
template <class T>
__global__ void __launch_bounds__(kBlockThreads)
    softmax_ce_backward_kernel(const float* __restrict__ probabilities,
                               const std::int32_t* __restrict__ labels,
                               const float* __restrict__ loss_scale, T* __restrict__ dlogits,
                               const BatchShape shape, const double smoothing) {
  const auto first = static_cast<std::int64_t>(blockIdx.x) * shape.classes;
  const LogitGradient gradient(shape, smoothing, loss_scale);
  const std::int32_t label = labels[blockIdx.x];
  const int threads = static_cast<int>(blockDim.x);
  for (int k = static_cast<int>(threadIdx.x); k < shape.classes; k += threads) {
    store_floats(dlogits + first + k,
                 Floats<1>{{gradient.of(probabilities[first + k], k == label)}});
  }
}

/// Of SOFTMAX_CE_*_FWD, and of the task that does its backward too.
template <class T>
class SoftmaxCeForward final : public CudaKernel {
 public:
  SoftmaxCeForward(const BatchShape& shape, float smoothing)
      : shape_(shape), smoothing_(static_cast<double>(smoothing)) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = SoftmaxCeForwardSlots;
    const auto blocks = static_cast<unsigned>(shape_.samples);
    FusedBackward<T> backward;
    if (args.size() > FusedLossSlots::dlogits)
      backward.dlogits = args.write<T>(FusedLossSlots::dlogits);
    if (args.size() > FusedLossSlots::loss_scale)
      backward.loss_scale = args.read<float>(FusedLossSlots::loss_scale);
    softmax_ce_forward_kernel<T><<<blocks, threads_for(shape_.classes), 0, on.stream>>>(
        args.read<T>(Slots::logits), args.read<std::int32_t>(Slots::labels),
        args.write<float>(Slots::probabilities), args.write<float>(Slots::losses), shape_,
        smoothing_, backward);
    check(cudaGetLastError(), "launching softmax cross-entropy forward");
  }

 private:
  BatchShape shape_;
  double smoothing_;
};

template <class T>
class SoftmaxCeBackward final : public CudaKernel {
 public:
  SoftmaxCeBackward(const BatchShape& shape, float smoothing)
      : shape_(shape), smoothing_(static_cast<double>(smoothing)) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = SoftmaxCeBackwardSlots;
    const float* const loss_scale =
        args.size() > Slots::loss_scale ? args.read<float>(Slots::loss_scale) : nullptr;
    const auto blocks = static_cast<unsigned>(shape_.samples);
    softmax_ce_backward_kernel<T><<<blocks, threads_for(shape_.classes), 0, on.stream>>>(
        args.read<float>(Slots::probabilities), args.read<std::int32_t>(Slots::labels), loss_scale,
        args.write<T>(Slots::dlogits), shape_, smoothing_);
    check(cudaGetLastError(), "launching softmax cross-entropy backward");
  }

 private:
  BatchShape shape_;
  double smoothing_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_softmax_ce_forward_cuda(const Task& task,
                                                         const TensorTable& tensors,
                                                         KernelPlanner& /*planner*/) {
  constexpr std::size_t kSlot = SoftmaxCeForwardSlots::logits;
  return make_for_dtype<SoftmaxCeForward>(task, tensors, kSlot,
                                          batch_shape_of(operand_shape(task, tensors, kSlot)),
                                          smoothing_of(task.attributes));
}

std::unique_ptr<CudaKernel> make_softmax_ce_backward_cuda(const Task& task,
                                                          const TensorTable& tensors,
                                                          KernelPlanner& /*planner*/) {
  constexpr std::size_t kSlot = SoftmaxCeBackwardSlots::dlogits;
  return make_for_dtype<SoftmaxCeBackward>(task, tensors, kSlot,
                                           batch_shape_of(operand_shape(task, tensors, kSlot)),
                                           smoothing_of(task.attributes));
}

}  // namespace quintet
