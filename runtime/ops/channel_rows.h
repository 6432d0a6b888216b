/// Rows of channels as the host kernels run through them: where channels are few, several rows are
/// taken as one long row, so that loops over it fill vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/model/shape.h"

namespace quintet {

/// Rows x channels, seen as `long_rows()` rows of `width()` lanes and a rest of `tail()` elements.
/// Lane i belongs to channel i % channels.
class ChannelRows {
 public:
  ChannelRows(std::int64_t rows, std::int64_t channels)
      : rows_(rows),
        channels_(channels),
        fold_(std::clamp<std::int64_t>(kLanes / channels, 1, rows)) {}
  explicit ChannelRows(const Shape& x) : ChannelRows(x.elements() / x.dim(-1), x.dim(-1)) {}

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t channels() const { return channels_; }
  [[nodiscard]] std::int64_t width() const { return fold_ * channels_; }
  [[nodiscard]] std::int64_t long_rows() const { return rows_ / fold_; }
  [[nodiscard]] std::int64_t tail() const { return (rows_ % fold_) * channels_; }

  /// Calls row(first_element, lanes) for each long row and for the tail.
  template <class Row>
  void for_each_row(Row row) const {
    for (std::int64_t r = 0; r < long_rows(); ++r)
      row(r * width(), width());
    if (tail() > 0) row(long_rows() * width(), tail());
  }

  /// Repeats the first `channels` values of `lanes` over the others.
  void spread(float* lanes) const {
    for (std::int64_t i = channels_; i < width(); ++i)
      lanes[i] = lanes[i - channels_];
  }

 private:
  static constexpr std::int64_t kLanes = 64;
  std::int64_t rows_;
  std::int64_t channels_;
  std::int64_t fold_;
};

/// Hands out arrays of a kernel's workspace one after the other.
class Scratch {
 public:
  explicit Scratch(std::span<std::byte> bytes) : rest_(bytes) {}
  /// Arrays of double first: alignment is theirs.
  template <class T>
  T* take(std::int64_t count) {
    auto* const data = reinterpret_cast<T*>(rest_.data());
    rest_ = rest_.subspan(static_cast<std::size_t>(count) * sizeof(T));
    return data;
  }

 private:
  std::span<std::byte> rest_;
};

}  // namespace quintet
