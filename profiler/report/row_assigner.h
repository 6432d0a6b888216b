/// Puts slices that overlap onto rows of their own, so that formats which draw one box at a time, or
/// boxes within boxes, lose and cut nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace quintet {

/// What may share a row while one of the slices lasts: nothing, or what lies within it.
enum class RowNesting : std::uint8_t { none, contained };

/// The rows of one lane. A slice goes to the first row that takes it, in time O(log rows).
class RowAssigner {
 public:
  explicit RowAssigner(RowNesting nesting) : nesting_(nesting) {}
  /// The row of a slice, from 0. Begins must come in ascending order.
  std::size_t place(std::int64_t begin_ns, std::int64_t end_ns);
  /// How many rows there are by now.
  [[nodiscard]] std::size_t size() const { return open_.size(); }

 private:
  using End = std::pair<std::int64_t, std::size_t>;  ///< when, and of which row

  void close_until(std::int64_t now_ns);
  std::size_t first_that_takes(std::int64_t end_ns);
  void add_row();
  void refresh(std::size_t row);

  RowNesting nesting_;
  std::vector<std::vector<std::int64_t>> open_;  ///< ends of each row's slices, outermost first
  /// A binary tree over the rows; each node has the latest end that a slice may have to fit in.
  std::vector<std::int64_t> latest_;
  std::size_t leaves_ = 0;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace quintet
