/// Puts spans that overlap into sub-rows: each goes to the first row that is free when it begins.
/// The same spans always give the same rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quintet::viewer {

/// Owns: the end of each row. Threads: one at a time. Throws: bad_alloc.
/// Usage: place() with begins in ascending order.
class SubRowChooser {
 public:
  SubRowChooser() = default;
  /// Goes on where each row is free from a time on.
  explicit SubRowChooser(const std::vector<std::int64_t>& free_from_ns);
  /// The row of a span, from 0; O(log rows).
  std::size_t place(std::int64_t begin_ns, std::int64_t end_ns);
  /// How many rows there are by now.
  [[nodiscard]] std::size_t size() const { return rows_; }

 private:
  void free_from(std::size_t row, std::int64_t time_ns);
  void widen();

  std::size_t rows_ = 0;
  std::size_t leaves_ = 0;
  std::vector<std::int64_t> earliest_end_;  ///< a tree over the rows, its root at 1
};

}  // namespace quintet::viewer
