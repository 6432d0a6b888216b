/// One pass over a result that a library call has left: what the call itself could not do. In place,
/// on the stream, element by element.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "runtime/model/dtype.h"

namespace quintet {

/// target[i] += source[i], added in float and rounded once. F32 or F16, as all below.
void launch_add_into(DType dtype, void* target, const void* source, std::int64_t elements,
                     cudaStream_t stream);

/// target[i] = source[i], F32 to F16, rounded to nearest even.
void launch_round_to_half(void* target, const void* source, std::int64_t elements,
                          cudaStream_t stream);

/// y[row, column] += bias[column].
void launch_add_bias(DType dtype, void* y, const void* bias, std::int64_t rows,
                     std::int64_t columns, cudaStream_t stream);

/// y[i] = max(y[i], 0), NaN stays NaN; mask[i] = 1 where y[i] > 0 before, else 0. `mask` may be
/// null.
void launch_relu_in_place(DType dtype, void* y, std::uint8_t* mask, std::int64_t elements,
                          cudaStream_t stream);

/// values[i] = 0 where mask[i] is 0.
void launch_mask_in_place(DType dtype, void* values, const std::uint8_t* mask,
                          std::int64_t elements, cudaStream_t stream);

}  // namespace quintet
