#include <cuda_fp16.h>

#include "runtime/cuda/cuda_error.h"
#include "runtime/ops/cuda_vector.cuh"
#include "runtime/ops/narrow_fc.h"

namespace quintet {

namespace {

constexpr int kMostOutputs = 16;
constexpr std::int64_t kMostWeights = 24 * 1024;  ///< 48 KiB of halves
constexpr int kSamplesPerBlock = 4;
constexpr int kThreads = kSamplesPerBlock * kWarpThreads;

struct Sizes {
  int samples, inputs, outputs;
};

/// One warp a sample: lanes share the inputs, each has a sum per output, and the sums are added up
/// over the warp in a fixed tree.
__global__ void __launch_bounds__(kThreads)
    narrow_fc(const __half* __restrict__ x, const __half* __restrict__ w,
              const __half* __restrict__ b, __half* __restrict__ y, const Sizes sizes) {
  extern __shared__ __half weights[];
  const int count = sizes.inputs * sizes.outputs;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads)
    weights[i] = w[i];
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % kWarpThreads;
  const int sample = static_cast<int>(blockIdx.x) * kSamplesPerBlock +
                     static_cast<int>(threadIdx.x) / kWarpThreads;
  if (sample >= sizes.samples) return;
  const __half* const row = x + static_cast<std::int64_t>(sample) * sizes.inputs;
  float sums[kMostOutputs] = {};
  for (int i = lane; i < sizes.inputs; i += kWarpThreads) {
    const float value = __half2float(row[i]);
#pragma unroll
    for (int k = 0; k < kMostOutputs; ++k) {
      if (k < sizes.outputs) sums[k] += value * __half2float(weights[i * sizes.outputs + k]);
    }
  }
#pragma unroll
  for (int k = 0; k < kMostOutputs; ++k) {
#pragma unroll
    for (int step = kWarpThreads / 2; step > 0; step /= 2)
      sums[k] += __shfl_xor_sync(0xFFFFFFFFU, sums[k], step);
  }
#pragma unroll
  for (int k = 0; k < kMostOutputs; ++k) {
    if (k != lane || k >= sizes.outputs) continue;
    const float bias = b != nullptr ? __half2float(b[k]) : 0.0F;
    y[static_cast<std::int64_t>(sample) * sizes.outputs + k] = __float2half_rn(sums[k] + bias);
  }
}

}  // namespace

bool NarrowFc::fits() const {
  return outputs <= kMostOutputs && outputs % 8 != 0 && inputs * outputs <= kMostWeights &&
         samples < (std::int64_t{1} << 30);
}

void NarrowFc::launch(const void* x, const void* w, const void* b, void* y,
                      cudaStream_t stream) const {
  const auto blocks = static_cast<unsigned>((samples + kSamplesPerBlock - 1) / kSamplesPerBlock);
  const auto bytes = static_cast<std::size_t>(inputs * outputs) * sizeof(__half);
  narrow_fc<<<blocks, kThreads, bytes, stream>>>(
      static_cast<const __half*>(x), static_cast<const __half*>(w), static_cast<const __half*>(b),
      static_cast<__half*>(y),
      Sizes{static_cast<int>(samples), static_cast<int>(inputs), static_cast<int>(outputs)});
  check(cudaGetLastError(), "launching a narrow matrix product");
}

}  // namespace quintet
