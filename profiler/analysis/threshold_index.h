/// A list of numbers that is asked for those which reach a threshold: which of the intervals that
/// have begun are still open, and which of them began last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace quintet {

/// A binary tree of maxima. An answer takes time O(log n).
class ThresholdIndex {
 public:
  explicit ThresholdIndex(const std::vector<std::int64_t>& values);

  /// The last position before `end` whose value is at least `least`.
  [[nodiscard]] std::optional<std::size_t> last(std::size_t end, std::int64_t least) const;
  /// The first position from `begin` on, before `end`, whose value is at least `least`.
  [[nodiscard]] std::optional<std::size_t> first(std::size_t begin, std::size_t end,
                                                 std::int64_t least) const;

 private:
  std::size_t count_ = 0;
  std::size_t leaves_ = 1;
  std::vector<std::int64_t> most_;  ///< per node, the root at 1
};

}  // namespace quintet
