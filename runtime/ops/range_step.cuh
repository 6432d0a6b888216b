/// Element-wise updates of ranges of floats that have one layout: one thread takes four neighbouring
/// elements of every array, 16 bytes an access.
#pragma once

#include <cstdint>
#include <cuda_runtime.h>

#include "runtime/cuda/cuda_error.h"
#include "runtime/ops/four_floats.cuh"
#include "runtime/ops/overflow_flag.cuh"

namespace quintet {

inline constexpr unsigned kRangeThreads = 256;

template <class Step, class... T>
__global__ void __launch_bounds__(kRangeThreads)
    range_step(Step step, std::uint64_t count, const std::int32_t* found_inf, T*... arrays) {
  if (overflow_noted(found_inf)) return;
  step.read_scalars();
  const std::uint64_t first =
      (static_cast<std::uint64_t>(blockIdx.x) * kRangeThreads + threadIdx.x) * kFloatLanes;
  if (first + kFloatLanes <= count) {
    step_four(step, FourFloats<T>(arrays + first)...);
    return;
  }
  for (std::uint64_t i = first; i < count; ++i)
    step(arrays[i]...);
}

/// Enqueues step(array[i]...) for each i below `count`, unless `found_inf` (may be null) is set. A
/// Step is copied to the device; each thread calls its read_scalars() once, where it may read what
/// lies in device memory, then step(float&, ...) for its elements, const float& for arrays of const.
template <class Step, class... T>
void launch_range_step(cudaStream_t stream, const Step& step, std::uint64_t count,
                       const std::int32_t* found_inf, T*... arrays) {
  constexpr std::uint64_t kBlockElements = kRangeThreads * kFloatLanes;
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>((count + kBlockElements - 1) / kBlockElements);
  range_step<<<blocks, kRangeThreads, 0, stream>>>(step, count, found_inf, arrays...);
  check(cudaGetLastError(), "launching range_step");
}

}  // namespace quintet
