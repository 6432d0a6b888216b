/// Matrix products of halves on tensor cores, for problems so small that launches weigh more than
/// arithmetic: bias, ReLU and masks are part of the one launch. The libraries' own epilogues are no
/// alternative: their ReLU loses NaN, and their masks are bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace quintet {

/// What is done to the sums before they are rounded to halves and stored.
struct ProductEnd {
  const void* bias = nullptr;            ///< F16[columns], added; may be null
  bool relu = false;                     ///< max(sum, 0), NaN stays NaN, as cuda_relu.cuh has it
  std::uint8_t* passed = nullptr;        ///< with relu: 1 where the sum passed; may be null
  const std::uint8_t* blocks = nullptr;  ///< 0 is stored where this is 0; may be null
};

/// C[rows, columns] = A[rows, inner] B[inner, columns], all F16 and row-major; a transposed B is
/// stored as B^T[columns, inner]. Sums in F32, in an order that depends on the shape alone.
struct SmallProduct {
  std::int64_t rows = 1, inner = 1, columns = 1;
  bool transposed_b = false;

  /// Rows of whole vectors, at most 1024 inner, no more blocks than run at once on a large device,
  /// and tiles that fit the current device's shared memory. Throws CudaError.
  [[nodiscard]] bool fits() const;
  /// Before the first launch, outside capture: lets the kernels have their shared memory. Throws
  /// CudaError.
  void prepare() const;
  /// `end`: with a transposed B `blocks` alone, else all but `blocks`. Throws CudaError.
  void launch(const void* a, const void* b, void* c, const ProductEnd& end,
              cudaStream_t stream) const;

 private:
  [[nodiscard]] int slice() const;
  [[nodiscard]] std::size_t warp_bytes() const;
  [[nodiscard]] std::size_t block_bytes() const;
};

}  // namespace quintet
