/// Y = X W + B and dX = dY W^T in halves where the outputs are few: the last layer of a classifier of
/// ten classes. Rows of W then begin at odd places, for which the libraries' matrix products have slow
/// paths only.
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
  /// The same, and inputs that are whole vectors.
  [[nodiscard]] bool gradient_fits() const;
  void launch(const void* x, const void* w, const void* b, void* y, cudaStream_t stream) const;
  /// dX[samples, inputs] from dY[samples, outputs] and W; 0 where `mask` (U8 as dX; may be null) is 0.
  void launch_input_gradient(const void* dy, const void* w, const std::uint8_t* mask, void* dx,
                             cudaStream_t stream) const;
};

}  // namespace quintet
