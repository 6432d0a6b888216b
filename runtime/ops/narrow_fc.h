/// Y = X W + B in halves where the outputs are few: the last layer of a classifier of ten classes.
/// Rows of W then begin at odd places, for which the libraries' matrix products have slow paths only.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

namespace quintet {

/// X[samples, inputs], W[inputs, outputs], B[outputs] (may be null), Y[samples, outputs], all F16
/// and row-major; sums in F32, one rounding.
struct NarrowFc {
  std::int64_t samples = 1, inputs = 1, outputs = 1;

  /// At most 16 outputs, no multiple of 8, and weights that fit a block's shared memory.
  [[nodiscard]] bool fits() const;
  void launch(const void* x, const void* w, const void* b, void* y, cudaStream_t stream) const;
};

}  // namespace quintet
