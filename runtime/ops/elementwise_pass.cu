#include <algorithm>
#include <cuda_fp16.h>

#include "runtime/cuda/cuda_error.h"
#include "runtime/ops/elementwise_pass.h"

namespace quintet {

namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostBlocks = 132 * 16;

/// The elements that one 16-byte access carries.
template <class T>
constexpr int kWidth = 16 / static_cast<int>(sizeof(T));

template <class T>
struct alignas(16) Pack {
  T value[kWidth<T>];
};

__device__ float widen(float value) {
  return value;
}
__device__ float widen(__half value) {
  return __half2float(value);
}
template <class T>
__device__ T rounded(float value);
template <>
__device__ float rounded<float>(float value) {
  return value;
}
template <>
__device__ __half rounded<__half>(float value) {
  return __float2half_rn(value);
}

/// Blocks for so many elements at `width` a thread.
int blocks_for(std::int64_t elements, int width) {
  const std::int64_t per_block = static_cast<std::int64_t>(kThreads) * width;
  return static_cast<int>(
      std::clamp<std::int64_t>((elements + per_block - 1) / per_block, 1, kMostBlocks));
}

/// Packs first, then the elements that fill none.
template <class T, class Change>
__device__ void for_each_pack(std::int64_t elements, Change change) {
  const std::int64_t packs = elements / kWidth<T>;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  for (std::int64_t pack = first; pack < packs; pack += stride)
    change(pack * kWidth<T>, kWidth<T>);
  const std::int64_t tail = packs * kWidth<T> + first;
  if (tail < elements) change(tail, 1);
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    add_into(T* __restrict__ target, const T* __restrict__ source, std::int64_t elements) {
  for_each_pack<T>(elements, [=](std::int64_t at, int count) {
    if (count == 1) {
      target[at] = rounded<T>(widen(target[at]) + widen(source[at]));
      return;
    }
    Pack<T> sum = *reinterpret_cast<const Pack<T>*>(target + at);
    const Pack<T> more = *reinterpret_cast<const Pack<T>*>(source + at);
#pragma unroll
    for (int i = 0; i < kWidth<T>; ++i)
      sum.value[i] = rounded<T>(widen(sum.value[i]) + widen(more.value[i]));
    *reinterpret_cast<Pack<T>*>(target + at) = sum;
  });
}

template <class T>
__global__ void __launch_bounds__(kThreads) add_bias(T* __restrict__ y, const T* __restrict__ bias,
                                                     std::int64_t elements, std::int64_t columns) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  for (std::int64_t at = first; at < elements; at += stride)
    y[at] = rounded<T>(widen(y[at]) + widen(bias[at % columns]));
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    relu_in_place(T* __restrict__ y, std::uint8_t* __restrict__ mask, std::int64_t elements) {
  for_each_pack<T>(elements, [=](std::int64_t at, int count) {
    Pack<T> values{};
    if (count == 1) {
      values.value[0] = y[at];
    } else {
      values = *reinterpret_cast<const Pack<T>*>(y + at);
    }
    struct alignas(kWidth<T>) Bits {
      std::uint8_t value[kWidth<T>];
    } bits{};
#pragma unroll
    for (int i = 0; i < kWidth<T>; ++i) {
      const float x = widen(values.value[i]);
      bits.value[i] = x > 0.0F ? 1 : 0;
      if (x <= 0.0F) values.value[i] = rounded<T>(0.0F);
    }
    if (count == 1) {
      y[at] = values.value[0];
      if (mask != nullptr) mask[at] = bits.value[0];
      return;
    }
    *reinterpret_cast<Pack<T>*>(y + at) = values;
    if (mask != nullptr) *reinterpret_cast<Bits*>(mask + at) = bits;
  });
}

__global__ void __launch_bounds__(kThreads)
    round_to_half(__half* __restrict__ target, const float* __restrict__ source,
                  std::int64_t elements) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  for (std::int64_t at = first; at < elements; at += stride)
    target[at] = __float2half_rn(source[at]);
}

}  // namespace

void launch_round_to_half(void* target, const void* source, std::int64_t elements,
                          cudaStream_t stream) {
  round_to_half<<<blocks_for(elements, 4), kThreads, 0, stream>>>(
      static_cast<__half*>(target), static_cast<const float*>(source), elements);
  check(cudaGetLastError(), "launching a rounding to halves");
}

void launch_add_into(DType dtype, void* target, const void* source, std::int64_t elements,
                     cudaStream_t stream) {
  if (dtype == DType::F16) {
    add_into<<<blocks_for(elements, kWidth<__half>), kThreads, 0, stream>>>(
        static_cast<__half*>(target), static_cast<const __half*>(source), elements);
  } else {
    add_into<<<blocks_for(elements, kWidth<float>), kThreads, 0, stream>>>(
        static_cast<float*>(target), static_cast<const float*>(source), elements);
  }
  check(cudaGetLastError(), "launching an addition");
}

void launch_add_bias(DType dtype, void* y, const void* bias, std::int64_t rows,
                     std::int64_t columns, cudaStream_t stream) {
  const std::int64_t elements = rows * columns;
  if (dtype == DType::F16) {
    add_bias<<<blocks_for(elements, 4), kThreads, 0, stream>>>(
        static_cast<__half*>(y), static_cast<const __half*>(bias), elements, columns);
  } else {
    add_bias<<<blocks_for(elements, 4), kThreads, 0, stream>>>(
        static_cast<float*>(y), static_cast<const float*>(bias), elements, columns);
  }
  check(cudaGetLastError(), "launching the addition of a bias");
}

void launch_relu_in_place(DType dtype, void* y, std::uint8_t* mask, std::int64_t elements,
                          cudaStream_t stream) {
  if (dtype == DType::F16) {
    relu_in_place<<<blocks_for(elements, kWidth<__half>), kThreads, 0, stream>>>(
        static_cast<__half*>(y), mask, elements);
  } else {
    relu_in_place<<<blocks_for(elements, kWidth<float>), kThreads, 0, stream>>>(
        static_cast<float*>(y), mask, elements);
  }
  check(cudaGetLastError(), "launching a ReLU in place");
}

}  // namespace quintet
