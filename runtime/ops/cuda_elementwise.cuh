/// The grid of every GPU kernel that works element by element: whole vectors, several a thread and
/// all loaded before the first is stored, then the elements that fill no vector.
///
/// A Body has
///   static constexpr int kWidth;                                    // elements of a vector
///   template <int width> __device__ L load(std::int64_t first) const;
///   template <int width> __device__ void finish(std::int64_t first, const L& loaded) const;
/// and may write over the bytes that it has read for the same element.
#pragma once

#include <string_view>

#include "runtime/cuda/cuda_error.h"
#include "runtime/ops/cuda_vector.cuh"

namespace quintet {

/// Vectors of one thread: enough loads in flight to hide the way to memory.
inline constexpr int kThreadVectors = 2;

template <class Body>
__global__ void __launch_bounds__(kBlockThreads)
    elementwise_kernel(const Body body, const std::int64_t count) {
  constexpr int kWidth = Body::kWidth;
  const std::int64_t vectors = count / kWidth;
  const std::int64_t first =
      static_cast<std::int64_t>(blockIdx.x) * (kBlockThreads * kThreadVectors) + threadIdx.x;
  if (first + (kThreadVectors - 1) * kBlockThreads < vectors) {
    decltype(body.template load<kWidth>(0)) loaded[kThreadVectors];
#pragma unroll
    for (int i = 0; i < kThreadVectors; ++i)
      loaded[i] = body.template load<kWidth>((first + i * kBlockThreads) * kWidth);
#pragma unroll
    for (int i = 0; i < kThreadVectors; ++i)
      body.template finish<kWidth>((first + i * kBlockThreads) * kWidth, loaded[i]);
  } else {
    for (std::int64_t vector = first; vector < vectors; vector += kBlockThreads)
      body.template finish<kWidth>(vector * kWidth, body.template load<kWidth>(vector * kWidth));
  }
  const std::int64_t rest = vectors * kWidth + threadIdx.x;
  if (blockIdx.x == 0 && rest < count) body.template finish<1>(rest, body.template load<1>(rest));
}

/// `what`: "launching relu".
template <class Body>
void launch_elementwise(const Body& body, std::int64_t count, cudaStream_t stream,
                        std::string_view what) {
  const std::int64_t vectors = count < Body::kWidth ? 1 : count / Body::kWidth;
  const unsigned blocks = blocks_for(vectors, kBlockThreads * kThreadVectors);
  elementwise_kernel<<<blocks, kBlockThreads, 0, stream>>>(body, count);
  check(cudaGetLastError(), what);
}

}  // namespace quintet
