/// Reductions over the threads of a block, by a tree that depends on the block's size alone.
#pragma once

#include "runtime/ops/cuda_vector.cuh"

namespace quintet {

inline constexpr int kMaxWarps = 32;

struct Plus {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

/// `shared`: kMaxWarps values. The result is in every thread, with the same bits: `op` must be
/// commutative. All threads of the block must call it, whole warps of them.
template <class T, class Op>
__device__ T reduced_over_block(T value, Op op, T* shared) {
  constexpr unsigned kAll = 0xFFFFFFFFU;
#pragma unroll
  for (int offset = kWarpThreads / 2; offset > 0; offset /= 2)
    value = op(value, __shfl_xor_sync(kAll, value, offset));
  if (blockDim.x == kWarpThreads) return value;
  __syncthreads();  // the room may still be read by those before
  if (threadIdx.x % kWarpThreads == 0) shared[threadIdx.x / kWarpThreads] = value;
  __syncthreads();
  T total = shared[0];
  for (unsigned warp = 1; warp < blockDim.x / kWarpThreads; ++warp)
    total = op(total, shared[warp]);
  return total;
}

}  // namespace quintet
