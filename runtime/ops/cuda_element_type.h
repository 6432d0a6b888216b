/// Which element type a GPU kernel of an op computes on: the kinds in FP32 and in AMP share their
/// factories and differ in the number format of their activations.
#pragma once

#include <cassert>
#include <cuda_fp16.h>
#include <memory>
#include <utility>

#include "runtime/cuda/cuda_kernel.h"

namespace quintet {

inline DType operand_dtype(const Task& task, const TensorTable& tensors, std::size_t slot) {
  return tensors[std::get<TensorId>(task.operands[slot].target)].dtype;
}

/// Kernel<__half> where the operand in `slot` holds halves, else Kernel<float>.
template <template <class> class Kernel, class... Arguments>
std::unique_ptr<CudaKernel> make_for_dtype(const Task& task, const TensorTable& tensors,
                                           std::size_t slot, Arguments&&... arguments) {
  const DType dtype = operand_dtype(task, tensors, slot);
  assert(dtype == DType::F32 || dtype == DType::F16);
  if (dtype == DType::F16)
    return std::make_unique<Kernel<__half>>(std::forward<Arguments>(arguments)...);
  return std::make_unique<Kernel<float>>(std::forward<Arguments>(arguments)...);
}

}  // namespace quintet
