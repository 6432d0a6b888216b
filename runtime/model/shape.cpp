#include "runtime/model/shape.h"

#include <cassert>
#include <utility>

namespace quintet {

namespace {

std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> strides(dims.size(), 1);
  for (std::size_t axis = dims.size(); axis > 1; --axis) {
    strides[axis - 2] = strides[axis - 1] * dims[axis - 1];
  }
  return strides;
}

std::size_t axis_index(int axis, int rank) {
  assert(axis >= -rank && axis < rank);
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

}  // namespace

Shape::Shape(std::initializer_list<std::int64_t> dims) : Shape(std::vector<std::int64_t>(dims)) {}

Shape::Shape(std::vector<std::int64_t> dims)
    : dims_(std::move(dims)), strides_(row_major_strides(dims_)) {
  for ([[maybe_unused]] const std::int64_t dim : dims_)
    assert(dim >= 1);
}

Shape::Shape(std::vector<std::int64_t> dims, std::vector<std::int64_t> strides)
    : dims_(std::move(dims)), strides_(std::move(strides)) {
  assert(dims_.size() == strides_.size());
  for ([[maybe_unused]] const std::int64_t dim : dims_)
    assert(dim >= 1);
  for ([[maybe_unused]] const std::int64_t stride : strides_)
    assert(stride >= 0);
}

std::int64_t Shape::dim(int axis) const {
  return dims_[axis_index(axis, rank())];
}

std::int64_t Shape::stride(int axis) const {
  return strides_[axis_index(axis, rank())];
}

std::int64_t Shape::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims_)
    count *= dim;
  return count;
}

std::int64_t Shape::extent() const {
  std::int64_t last = 0;
  for (std::size_t axis = 0; axis < dims_.size(); ++axis)
    last += (dims_[axis] - 1) * strides_[axis];
  return last + 1;
}

std::string Shape::text() const {
  if (dims_.empty()) return "scalar";
  std::string text;
  for (const std::int64_t dim : dims_) {
    if (!text.empty()) text += 'x';
    text += std::to_string(dim);
  }
  return text;
}

}  // namespace quintet
