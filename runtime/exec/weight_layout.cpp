#include "runtime/exec/weight_layout.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace quintet {

namespace {

/// `bytes` hold a row-major matrix of rows x columns; the answer holds its transpose. Goes tile by
/// tile: down a whole column, every element would come from another line of the cache.
template <std::size_t ElementBytes>
std::vector<std::byte> transposed_elements(std::span<const std::byte> bytes, std::size_t rows,
                                           std::size_t columns) {
  constexpr std::size_t kTile = 32;
  assert(bytes.size() == rows * columns * ElementBytes);
  std::vector<std::byte> turned(bytes.size());
  for (std::size_t top = 0; top < rows; top += kTile) {
    const std::size_t bottom = std::min(top + kTile, rows);
    for (std::size_t left = 0; left < columns; left += kTile) {
      const std::size_t right = std::min(left + kTile, columns);
      for (std::size_t column = left; column < right; ++column) {
        for (std::size_t row = top; row < bottom; ++row)
          std::memcpy(turned.data() + (column * rows + row) * ElementBytes,
                      bytes.data() + (row * columns + column) * ElementBytes, ElementBytes);
      }
    }
  }
  return turned;
}

std::vector<std::byte> transposed(std::span<const std::byte> bytes, std::int64_t rows,
                                  std::int64_t columns, std::uint64_t element_bytes) {
  assert(element_bytes == sizeof(float) || element_bytes == sizeof(std::uint16_t));
  const auto height = static_cast<std::size_t>(rows);
  const auto width = static_cast<std::size_t>(columns);
  return element_bytes == sizeof(float)
             ? transposed_elements<sizeof(float)>(bytes, height, width)
             : transposed_elements<sizeof(std::uint16_t)>(bytes, height, width);
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
