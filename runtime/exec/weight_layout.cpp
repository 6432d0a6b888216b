#include "runtime/exec/weight_layout.h"

#include <cassert>
#include <cstring>

namespace quintet {

namespace {

/// `bytes` hold a row-major matrix of rows x columns; the answer holds its transpose.
std::vector<std::byte> transposed(std::span<const std::byte> bytes, std::int64_t rows,
                                  std::int64_t columns, std::uint64_t element_bytes) {
  assert(bytes.size() == static_cast<std::uint64_t>(rows * columns) * element_bytes);
  std::vector<std::byte> turned(bytes.size());
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const auto from = static_cast<std::uint64_t>(row * columns + column) * element_bytes;
      const auto to = static_cast<std::uint64_t>(column * rows + row) * element_bytes;
      std::memcpy(turned.data() + to, bytes.data() + from, element_bytes);
    }
  }
  return turned;
}

}  // namespace

bool lies_as_krsc(const Tensor& tensor) {
  if (tensor.shape.rank() != 4) return false;
  switch (tensor.role) {
    case TensorRole::weight:
    case TensorRole::weight_gradient:
    case TensorRole::weight_copy:
    case TensorRole::optimizer_state:
      return true;
    case TensorRole::input:
    case TensorRole::label:
    case TensorRole::activation:
    case TensorRole::saved:
    case TensorRole::activation_gradient:
    case TensorRole::scalar:
    case TensorRole::table:
    case TensorRole::statistics:
    case TensorRole::result:
      return false;
  }
  return false;
}

// HWIO is a matrix of (height, width, in) x out, KRSC its transpose.
std::vector<std::byte> krsc_from_hwio(std::span<const std::byte> bytes, const Shape& hwio,
                                      std::uint64_t element_bytes) {
  return transposed(bytes, hwio.elements() / hwio.dim(3), hwio.dim(3), element_bytes);
}

std::vector<std::byte> hwio_from_krsc(std::span<const std::byte> bytes, const Shape& hwio,
                                      std::uint64_t element_bytes) {
  return transposed(bytes, hwio.dim(3), hwio.elements() / hwio.dim(3), element_bytes);
}

}  // namespace quintet
