#include <cassert>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/cuda_vector.cuh"
#include "runtime/ops/range_cast.h"
#include "runtime/ops/task_parts.h"
#include "runtime/ops/tensor_chunks.cuh"

namespace quintet {

namespace {

template <class From, class To>
struct CastSegment {
  const From* source = nullptr;
  To* target = nullptr;
  std::uint64_t elements = 0;
};
using ToHalf = CastSegment<float, __half>;
using ToFloat = CastSegment<__half, float>;

constexpr int kWidth = kVectorWidth<__half>;
constexpr unsigned kThreadVectors = kChunkElements / kWidth / kChunkThreads;

__global__ void __launch_bounds__(kChunkThreads) cast_to_fp16(ChunkTable<ToHalf> table) {
  const Chunk<ToHalf> chunk = chunk_of_block(table);
  const float* const source = chunk.segment.source + chunk.begin;
  __half* const target = chunk.segment.target + chunk.begin;
  Floats<kWidth> values[kThreadVectors];
#pragma unroll
  for (unsigned i = 0; i < kThreadVectors; ++i) {
    const unsigned first = (i * kChunkThreads + threadIdx.x) * kWidth;
    if (first + kWidth <= chunk.count) values[i] = load_floats<kWidth>(source + first);
  }
#pragma unroll
  for (unsigned i = 0; i < kThreadVectors; ++i) {
    const unsigned first = (i * kChunkThreads + threadIdx.x) * kWidth;
    if (first + kWidth <= chunk.count) store_floats(target + first, values[i]);
  }
  const unsigned rest = chunk.count / kWidth * kWidth + threadIdx.x;
  if (rest < chunk.count) target[rest] = __float2half_rn(source[rest]);
}

/// Adds, with one rounding, that of the sum in float; or overwrites.
template <bool adds>
__global__ void __launch_bounds__(kChunkThreads) cast_to_fp32(ChunkTable<ToFloat> table) {
  const Chunk<ToFloat> chunk = chunk_of_block(table);
  const __half* const source = chunk.segment.source + chunk.begin;
  float* const target = chunk.segment.target + chunk.begin;
  Packed<__half, kWidth> added[kThreadVectors];
  Floats<kWidth> sums[kThreadVectors];
#pragma unroll
  for (unsigned i = 0; i < kThreadVectors; ++i) {
    const unsigned first = (i * kChunkThreads + threadIdx.x) * kWidth;
    if (first + kWidth > chunk.count) continue;
    added[i] = load_packed<kWidth>(source + first);
    sums[i] = adds ? load_floats<kWidth>(target + first) : all_of<kWidth>(0.0F);
  }
#pragma unroll
  for (unsigned i = 0; i < kThreadVectors; ++i) {
    const unsigned first = (i * kChunkThreads + threadIdx.x) * kWidth;
    if (first + kWidth > chunk.count) continue;
#pragma unroll
    for (int lane = 0; lane < kWidth; ++lane)
      sums[i][lane] += widened(added[i].values[lane]);
    store_floats(target + first, sums[i]);
  }
  const unsigned rest = chunk.count / kWidth * kWidth + threadIdx.x;
  if (rest < chunk.count) target[rest] = (adds ? target[rest] : 0.0F) + __half2float(source[rest]);
}

template <class From, class To>
class RangeCast final : public CudaKernel {
 public:
  using Segment = CastSegment<From, To>;
  using Cast = void (*)(ChunkTable<Segment> table);

  RangeCast(Cast cast, const char* what) : cast_(cast), what_(what) {}

  void bind(const TaskArgs& args) override {
    const RangeCastSlots slots{args.size() / 2};
    std::vector<Segment> segments;
    for (std::size_t i = 0; i < slots.tensors; ++i) {
      const std::uint64_t elements = args.bytes(slots.source(i)) / sizeof(From);
      assert(args.bytes(slots.target(i)) == elements * sizeof(To));
      segments.push_back(
          {args.read<From>(slots.source(i)), args.write<To>(slots.target(i)), elements});
    }
    chunks_ = TensorChunks<Segment>(segments);
  }

  void launch(const TaskArgs& /*args*/, const StreamResources& on) override {
    if (chunks_.count() == 0) return;
    cast_<<<chunks_.count(), kChunkThreads, 0, on.stream>>>(chunks_.table());
    check(cudaGetLastError(), what_);
  }

 private:
  Cast cast_;
  const char* what_;
  TensorChunks<Segment> chunks_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_cast_to_fp16_cuda(const Task& /*task*/,
                                                   const TensorTable& /*tensors*/,
                                                   KernelPlanner& /*planner*/) {
  return std::make_unique<RangeCast<float, __half>>(cast_to_fp16, "launching cast_to_fp16");
}

std::unique_ptr<CudaKernel> make_cast_to_fp32_cuda(const Task& task, const TensorTable& /*tensors*/,
                                                   KernelPlanner& /*planner*/) {
  const bool adds = adds_to(task, task.operands.size() - 1);
  return std::make_unique<RangeCast<__half, float>>(adds ? cast_to_fp32<true> : cast_to_fp32<false>,
                                                    "launching cast_to_fp32");
}

}  // namespace quintet
