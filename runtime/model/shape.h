/// Rank-n shapes with strides, both in elements. Images are NHWC, weights of convolutions HWIO, of
/// fully connected layers IO.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace quintet {

/// Dimensions and strides in elements, outermost first. A default Shape is a scalar (rank 0, one
/// element).
class Shape {
 public:
  Shape() = default;
  /// Contiguous, row-major. Every dimension must be >= 1 (asserted).
  Shape(std::initializer_list<std::int64_t> dims);
  explicit Shape(std::vector<std::int64_t> dims);
  /// Strides may be 0 (broadcast) or leave holes, never negative (asserted).
  Shape(std::vector<std::int64_t> dims, std::vector<std::int64_t> strides);

  [[nodiscard]] int rank() const { return static_cast<int>(dims_.size()); }
  /// Dimension `axis`; a negative axis counts from the last.
  [[nodiscard]] std::int64_t dim(int axis) const;
  [[nodiscard]] std::int64_t stride(int axis) const;
  [[nodiscard]] const std::vector<std::int64_t>& dims() const { return dims_; }
  [[nodiscard]] const std::vector<std::int64_t>& strides() const { return strides_; }
  /// Product of the dimensions.
  [[nodiscard]] std::int64_t elements() const;
  /// Elements from the first to one past the last addressed: what the tensor occupies in memory.
  [[nodiscard]] std::int64_t extent() const;
  [[nodiscard]] bool contiguous() const { return extent() == elements(); }
  /// "64x28x28x1"; "scalar" for rank 0.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::vector<std::int64_t> dims_;
  std::vector<std::int64_t> strides_;
};

}  // namespace quintet
