/// Convolution weights as plans and files have them (HWIO) and as the GPU's library wants them
/// (KRSC: out, kernel_h, kernel_w, in). An executor translates where bytes come in or go out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/model/tensor.h"

namespace quintet {

/// True for a convolution's weight and for what follows it element for element: gradient, copies,
/// optimizer state.
bool lies_as_krsc(const Tensor& tensor);

/// `bytes` hold an HWIO tensor of that shape; the answer holds the same values as KRSC.
std::vector<std::byte> krsc_from_hwio(std::span<const std::byte> bytes, const Shape& hwio,
                                      std::uint64_t element_bytes);
/// The way back; `hwio` is the shape of the answer.
std::vector<std::byte> hwio_from_krsc(std::span<const std::byte> bytes, const Shape& hwio,
                                      std::uint64_t element_bytes);

}  // namespace quintet
