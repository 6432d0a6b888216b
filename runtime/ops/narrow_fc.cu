#include <cuda_fp16.h>

#include "runtime/cuda/cuda_error.h"
#include "runtime/ops/cuda_vector.cuh"
#include "runtime/ops/narrow_fc.h"

namespace quintet {

namespace {

constexpr int kMostOutputs = 16;
constexpr std::int64_t kMostWeights = 24 * 1024;  ///< 48 KiB of halves
constexpr int kSamplesPerBlock = 4;
constexpr int kInFlight = 16;  ///< inputs that a lane loads before it uses the first
constexpr int kThreads = kSamplesPerBlock * kWarpThreads;

struct Sizes {
  int samples, inputs, outputs;
};

/// The weights into shared memory, 16 bytes an access.
__device__ void load_weights(const __half* w, int count, __half* weights) {
  constexpr int kWidth = kVectorWidth<__half>;
  const int thread = static_cast<int>(threadIdx.x);
#pragma unroll 4
  for (int i = thread * kWidth; i + kWidth <= count; i += kThreads * kWidth)
    store_packed(weights + i, load_packed<kWidth>(w + i));
  const int rest = count / kWidth * kWidth + thread;
  if (rest < count) weights[rest] = w[rest];
}

/// One warp a sample: lanes share the inputs, each has a sum per output, and the sums are added up
/// over the warp in a fixed tree.
__global__ void __launch_bounds__(kThreads)
    narrow_fc(const __half* __restrict__ x, const __half* __restrict__ w,
              const __half* __restrict__ b, __half* __restrict__ y, const Sizes sizes) {
  extern __shared__ __align__(16) __half weights[];
  const int lane = static_cast<int>(threadIdx.x) % kWarpThreads;
  const int sample = static_cast<int>(blockIdx.x) * kSamplesPerBlock +
                     static_cast<int>(threadIdx.x) / kWarpThreads;
  const bool there = sample < sizes.samples;
  const __half* const row = x + static_cast<std::int64_t>(there ? sample : 0) * sizes.inputs;
  load_weights(w, sizes.inputs * sizes.outputs, weights);
  float sums[kMostOutputs] = {};
  bool loaded = false;
  for (int begin = 0; begin < sizes.inputs; begin += kWarpThreads * kInFlight) {
    // All inputs of a round are on their way before the first is used.
    __half values[kInFlight];
#pragma unroll
    for (int j = 0; j < kInFlight; ++j) {
      const int i = begin + j * kWarpThreads + lane;
      values[j] = i < sizes.inputs ? row[i] : __half{};
    }
    if (!loaded) __syncthreads();
    loaded = true;
#pragma unroll
    for (int j = 0; j < kInFlight; ++j) {
      const int i = begin + j * kWarpThreads + lane;
      if (i >= sizes.inputs) break;
      const float value = __half2float(values[j]);
      const __half* const of_input = weights + i * sizes.outputs;
#pragma unroll
      for (int k = 0; k < kMostOutputs; ++k) {
        if (k < sizes.outputs) sums[k] += value * __half2float(of_input[k]);
      }
    }
  }
#pragma unroll
  for (int k = 0; k < kMostOutputs; ++k) {
#pragma unroll
    for (int step = kWarpThreads / 2; step > 0; step /= 2)
      sums[k] += __shfl_xor_sync(0xFFFFFFFFU, sums[k], step);
  }
  if (!there) return;
#pragma unroll
  for (int k = 0; k < kMostOutputs; ++k) {
    if (k != lane || k >= sizes.outputs) continue;
    const float bias = b != nullptr ? __half2float(b[k]) : 0.0F;
    y[static_cast<std::int64_t>(sample) * sizes.outputs + k] = __float2half_rn(sums[k] + bias);
  }
}

constexpr int kGradientSamples = 16;  ///< of a block
constexpr int kGradientWidth = kVectorWidth<__half>;
constexpr int kGradientVectors = 8;  ///< of inputs, a block
constexpr int kGradientInputs = kGradientVectors * kGradientWidth;
constexpr int kGradientThreads = kGradientSamples * kGradientVectors;

/// A thread has one vector of inputs of one sample. The block's rows of W and dY lie in shared memory
/// as floats, W by outputs, so that threads side by side read side by side.
__global__ void __launch_bounds__(kGradientThreads)
    narrow_fc_input_gradient(const __half* __restrict__ dy, const __half* __restrict__ w,
                             const std::uint8_t* __restrict__ mask, __half* __restrict__ dx,
                             const Sizes sizes) {
  __shared__ __align__(16) float weights[kMostOutputs][kGradientInputs + 4];  // fewer banks shared
  __shared__ float gradients[kGradientSamples][kMostOutputs + 1];
  const int thread = static_cast<int>(threadIdx.x);
  const int first_input = static_cast<int>(blockIdx.x) * kGradientInputs;
  const int first_sample = static_cast<int>(blockIdx.y) * kGradientSamples;
  const int row = thread / kGradientVectors;
  const int own = thread % kGradientVectors * kGradientWidth;
  const bool there = first_sample + row < sizes.samples && first_input + own < sizes.inputs;
  const std::int64_t at =
      there ? static_cast<std::int64_t>(first_sample + row) * sizes.inputs + first_input + own : 0;
  Packed<std::uint8_t, kGradientWidth> passed{};
  if (mask != nullptr) passed = load_packed<kGradientWidth>(mask + at);

  const int inputs = min(kGradientInputs, sizes.inputs - first_input);
  const __half* const rows = w + static_cast<std::int64_t>(first_input) * sizes.outputs;
#pragma unroll 8
  for (int i = thread; i < inputs * sizes.outputs; i += kGradientThreads)
    weights[i % sizes.outputs][i / sizes.outputs] = __half2float(rows[i]);
  const int samples = min(kGradientSamples, sizes.samples - first_sample);
  const __half* const scores = dy + static_cast<std::int64_t>(first_sample) * sizes.outputs;
#pragma unroll 2
  for (int i = thread; i < samples * sizes.outputs; i += kGradientThreads)
    gradients[i / sizes.outputs][i % sizes.outputs] = __half2float(scores[i]);
  __syncthreads();
  if (!there) return;

  Floats<kGradientWidth> sums{};
#pragma unroll 4
  for (int k = 0; k < sizes.outputs; ++k) {
    const float gradient = gradients[row][k];
#pragma unroll
    for (int i = 0; i < kGradientWidth; ++i)
      sums[i] += gradient * weights[k][own + i];
  }
  if (mask != nullptr) {
#pragma unroll
    for (int i = 0; i < kGradientWidth; ++i)
      sums[i] = passed.values[i] != 0 ? sums[i] : 0.0F;
  }
  store_floats(dx + at, sums);
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

bool NarrowFc::gradient_fits() const {
  constexpr std::int64_t kMostBlocks = 65535;  // of a grid's second dimension
  return fits() && inputs % kGradientWidth == 0 && samples <= kMostBlocks * kGradientSamples;
}

void NarrowFc::launch_input_gradient(const void* dy, const void* w, const std::uint8_t* mask,
                                     void* dx, cudaStream_t stream) const {
  const dim3 blocks(blocks_for(inputs, kGradientInputs), blocks_for(samples, kGradientSamples));
  narrow_fc_input_gradient<<<blocks, kGradientThreads, 0, stream>>>(
      static_cast<const __half*>(dy), static_cast<const __half*>(w), mask, static_cast<__half*>(dx),
      Sizes{static_cast<int>(samples), static_cast<int>(inputs), static_cast<int>(outputs)});
  check(cudaGetLastError(), "launching a narrow input gradient");
}

}  // namespace quintet
