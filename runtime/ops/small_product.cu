#include <algorithm>
#include <cassert>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "runtime/cuda/cuda_error.h"
#include "runtime/ops/cuda_relu.cuh"
#include "runtime/ops/cuda_vector.cuh"
#include "runtime/ops/small_product.h"

namespace quintet {

namespace {

constexpr int kMma = 16;  ///< rows, columns and depth of one tensor-core product
constexpr int kTileColumns = 2 * kMma;
constexpr int kWarps = 8;
constexpr int kThreads = kWarps * kWarpThreads;
constexpr int kWidth = kVectorWidth<__half>;
/// Halves between rows of a staged tile, so that no two of eight rows begin in the same bank.
constexpr int kPad = 8;
constexpr int kColumnStride = kTileColumns + kPad;
constexpr int kPartialStride = kTileColumns + 4;  ///< floats
constexpr std::int64_t kMostInner = 1024;
constexpr std::int64_t kMostBlocks = 256;
constexpr std::size_t kAlignment = 128;

struct Sizes {
  int rows, inner, columns;
  int slice;       ///< inner elements of one warp, a multiple of kMma
  int warp_bytes;  ///< of shared memory
};

/// Bias and ReLU of a forward product.
template <Epilogue epilogue>
struct ForwardEnd {
  const __half* bias;
  __half* y;
  std::uint8_t* mask;

  /// What is loaded before the sums are there.
  __device__ Floats<2> load(std::int64_t /*at*/, int column) const {
    return bias != nullptr ? load_floats<2>(bias + column) : all_of<2>(0.0F);
  }
  __device__ void finish(Floats<2> sums, const Floats<2>& added, std::int64_t at) const {
    if (bias != nullptr) {
      sums[0] += added[0];
      sums[1] += added[1];
    }
    store_result<epilogue>(sums, y + at, mask + at);
  }
};

/// The gradient of an input, masked where `mask` is not null.
struct BackwardEnd {
  __half* dx;
  const std::uint8_t* mask;

  __device__ Packed<std::uint8_t, 2> load(std::int64_t at, int /*column*/) const {
    return mask != nullptr ? load_packed<2>(mask + at) : Packed<std::uint8_t, 2>{{1, 1}};
  }
  __device__ void finish(Floats<2> sums, const Packed<std::uint8_t, 2>& passed,
                         std::int64_t at) const {
#pragma unroll
    for (int i = 0; i < 2; ++i)
      sums[i] = passed.values[i] != 0 ? sums[i] : 0.0F;
    store_floats(dx + at, sums);
  }
};

/// 16 bytes from global to shared memory without waiting; zeros where there are none.
__device__ void stage(__half* to, const __half* from, bool there) {
  if (there) {
    __pipeline_memcpy_async(to, from, sizeof(__half) * kWidth);
  } else {
    store_packed(to, Packed<__half, kWidth>{});
  }
}

/// kMma (A) or kTileColumns (transposed B) rows of the warp's slice, as they lie: `row` is this
/// lane's, every 16th after it.
template <int rows>
__device__ void stage_rows(__half* tile, const __half* from, int first_row, int row_count,
                           int first_k, const Sizes& sizes) {
  const int lane = static_cast<int>(threadIdx.x) % kWarpThreads;
  const int stride = sizes.slice + kPad;
  for (int k = lane % 2 * kWidth; k < sizes.slice; k += kMma) {
#pragma unroll
    for (int row = lane / 2; row < rows; row += kMma) {
      const bool there = first_row + row < row_count && first_k + k < sizes.inner;
      const auto at = static_cast<std::int64_t>(first_row + row) * sizes.inner + first_k + k;
      stage(tile + row * stride + k, from + at, there);
    }
  }
}

/// The rows of B of the warp's slice, kTileColumns of each.
__device__ void stage_columns(__half* tile, const __half* from, int first_column, int first_k,
                              const Sizes& sizes) {
  constexpr int kVectors = kTileColumns / kWidth;
  const int lane = static_cast<int>(threadIdx.x) % kWarpThreads;
  const int column = lane % kVectors * kWidth;
  const bool in_row = first_column + column < sizes.columns;
#pragma unroll 4
  for (int k = lane / kVectors; k < sizes.slice; k += kWarpThreads / kVectors) {
    const auto at = static_cast<std::int64_t>(first_k + k) * sizes.columns + first_column + column;
    stage(tile + k * kColumnStride + column, from + at, in_row && first_k + k < sizes.inner);
  }
}

/// The warp's share of the block's tile, over its slice of the inner dimension, into `partial`,
/// which lies over the staged tiles.
template <bool transposed_b>
__device__ void multiply(const __half* a, const __half* b, int steps, const Sizes& sizes,
                         float* partial) {
  namespace wmma = nvcuda::wmma;
  using LayoutOfB = std::conditional_t<transposed_b, wmma::col_major, wmma::row_major>;
  const auto stride = static_cast<unsigned>(sizes.slice + kPad);
  wmma::fragment<wmma::accumulator, kMma, kMma, kMma, float> sums[2];
  wmma::fill_fragment(sums[0], 0.0F);
  wmma::fill_fragment(sums[1], 0.0F);
#pragma unroll 2
  for (int step = 0; step < steps; ++step) {
    wmma::fragment<wmma::matrix_a, kMma, kMma, kMma, __half, wmma::row_major> of_a;
    wmma::load_matrix_sync(of_a, a + step * kMma, stride);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      wmma::fragment<wmma::matrix_b, kMma, kMma, kMma, __half, LayoutOfB> of_b;
      if constexpr (transposed_b) {
        wmma::load_matrix_sync(of_b, b + half * kMma * stride + step * kMma, stride);
      } else {
        wmma::load_matrix_sync(of_b, b + step * kMma * kColumnStride + half * kMma, kColumnStride);
      }
      wmma::mma_sync(sums[half], of_a, of_b, sums[half]);
    }
  }
  __syncwarp();  // no lane reads the tiles any more
  wmma::store_matrix_sync(partial, sums[0], kPartialStride, wmma::mem_row_major);
  wmma::store_matrix_sync(partial + kMma, sums[1], kPartialStride, wmma::mem_row_major);
}

/// A block makes kMma x kTileColumns of C. Its warps share the inner dimension: each stages its
/// slice and multiplies it without waiting for the others; then their sums are added up in order.
template <bool transposed_b, class End>
__global__ void __launch_bounds__(kThreads)
    small_product(const __half* __restrict__ a, const __half* __restrict__ b, const Sizes sizes,
                  const End end) {
  extern __shared__ __align__(kAlignment) std::byte shared[];
  const int thread = static_cast<int>(threadIdx.x);
  const int first_row = static_cast<int>(blockIdx.y) * kMma;
  const int first_column = static_cast<int>(blockIdx.x) * kTileColumns;
  const int row = thread / kMma;
  const int column = thread % kMma * 2;
  const bool there = first_row + row < sizes.rows && first_column + column < sizes.columns;
  const std::int64_t at =
      there ? static_cast<std::int64_t>(first_row + row) * sizes.columns + first_column + column
            : 0;
  const auto loaded = end.load(at, there ? first_column + column : 0);

  const int warp = thread / kWarpThreads;
  const int first_k = warp * sizes.slice;
  std::byte* const own = shared + warp * sizes.warp_bytes;
  auto* const of_a = reinterpret_cast<__half*>(own);
  __half* const of_b = of_a + kMma * (sizes.slice + kPad);
  const int left = (sizes.inner - first_k + kMma - 1) / kMma;
  const int steps = min(sizes.slice / kMma, max(left, 0));
  if (steps > 0) {
    stage_rows<kMma>(of_a, a, first_row, sizes.rows, first_k, sizes);
    if constexpr (transposed_b) {
      stage_rows<kTileColumns>(of_b, b, first_column, sizes.columns, first_k, sizes);
    } else {
      stage_columns(of_b, b, first_column, first_k, sizes);
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  multiply<transposed_b>(of_a, of_b, steps, sizes, reinterpret_cast<float*>(own));
  __syncthreads();
  if (!there) return;
  Floats<2> sums{};
#pragma unroll
  for (int of_warp = 0; of_warp < kWarps; ++of_warp) {
    const auto* const partial = reinterpret_cast<const float*>(shared + of_warp * sizes.warp_bytes);
    const Packed<float, 2> pair = load_packed<2>(partial + row * kPartialStride + column);
    sums[0] += pair.values[0];
    sums[1] += pair.values[1];
  }
  end.finish(sums, loaded, at);
}

template <bool transposed_b, class End>
void let_have_shared_memory(std::size_t bytes) {
  check(cudaFuncSetAttribute(small_product<transposed_b, End>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "preparing a small matrix product");
}

std::size_t most_shared_memory() {
  int device = 0;
  int bytes = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "asking for a block's shared memory");
  return static_cast<std::size_t>(bytes);
}

}  // namespace

int SmallProduct::slice() const {
  constexpr std::int64_t kRound = kWarps * kMma;
  return static_cast<int>((inner + kRound - 1) / kRound * kMma);
}

std::size_t SmallProduct::warp_bytes() const {
  const int stride = slice() + kPad;
  const int halves =
      kMma * stride + (transposed_b ? kTileColumns * stride : slice() * kColumnStride);
  const std::size_t bytes = std::max(static_cast<std::size_t>(halves) * sizeof(__half),
                                     std::size_t{kMma} * kPartialStride * sizeof(float));
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::size_t SmallProduct::block_bytes() const {
  return kWarps * warp_bytes();
}

bool SmallProduct::fits() const {
  const bool whole_vectors = inner % kWidth == 0 && columns % kWidth == 0;
  if (!whole_vectors || inner > kMostInner || rows > kMostBlocks * kMma ||
      columns > kMostBlocks * kTileColumns) {
    return false;
  }
  return std::int64_t{blocks_for(rows, kMma)} * blocks_for(columns, kTileColumns) <= kMostBlocks &&
         block_bytes() <= most_shared_memory();
}

void SmallProduct::prepare() const {
  const std::size_t bytes = most_shared_memory();
  if (transposed_b) return let_have_shared_memory<true, BackwardEnd>(bytes);
  let_have_shared_memory<false, ForwardEnd<Epilogue::plain>>(bytes);
  let_have_shared_memory<false, ForwardEnd<Epilogue::relu>>(bytes);
  let_have_shared_memory<false, ForwardEnd<Epilogue::relu_with_mask>>(bytes);
}

void SmallProduct::launch(const void* a, const void* b, void* c, const ProductEnd& end,
                          cudaStream_t stream) const {
  assert(transposed_b ? end.bias == nullptr && !end.relu : end.blocks == nullptr);
  const Sizes sizes{static_cast<int>(rows), static_cast<int>(inner), static_cast<int>(columns),
                    slice(), static_cast<int>(warp_bytes())};
  const dim3 blocks(blocks_for(columns, kTileColumns), blocks_for(rows, kMma));
  auto* const out = static_cast<__half*>(c);
  const auto run = [&](auto kernel, const auto& finish) {
    kernel<<<blocks, kThreads, block_bytes(), stream>>>(
        static_cast<const __half*>(a), static_cast<const __half*>(b), sizes, finish);
  };
  const auto forward = [&](auto epilogue) {
    using End = ForwardEnd<decltype(epilogue)::value>;
    run(small_product<false, End>, End{static_cast<const __half*>(end.bias), out, end.passed});
  };
  if (transposed_b) {
    run(small_product<true, BackwardEnd>, BackwardEnd{out, end.blocks});
  } else if (!end.relu) {
    forward(std::integral_constant<Epilogue, Epilogue::plain>{});
  } else if (end.passed == nullptr) {
    forward(std::integral_constant<Epilogue, Epilogue::relu>{});
  } else {
    forward(std::integral_constant<Epilogue, Epilogue::relu_with_mask>{});
  }
  check(cudaGetLastError(), "launching a small matrix product");
}

}  // namespace quintet
