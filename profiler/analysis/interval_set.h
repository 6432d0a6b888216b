/// Sets of time as sorted, disjoint, half-open intervals; unions, never sums, are what busy time is
/// made of. Adjacent intervals are joined, empty ones dropped, so equal sets have equal
/// representations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace quintet {

/// `[begin, end)` in ns; empty where end <= begin.
struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] std::int64_t length() const { return std::max<std::int64_t>(0, end - begin); }
  [[nodiscard]] bool empty() const { return end <= begin; }
  [[nodiscard]] bool contains(std::int64_t time) const { return begin <= time && time < end; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// The common part; empty where there is none.
inline Interval intersect(const Interval& a, const Interval& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

class IntervalSet {
 public:
  IntervalSet() = default;
  /// The union of any intervals, in any order.
  explicit IntervalSet(std::vector<Interval> intervals);

  [[nodiscard]] const std::vector<Interval>& intervals() const { return intervals_; }
  [[nodiscard]] bool empty() const { return intervals_.empty(); }
  /// U(X): the length of the union.
  [[nodiscard]] std::int64_t length() const;
  /// The part within `window`.
  [[nodiscard]] IntervalSet within(const Interval& window) const;

  /// Its length: visits what lies within.
  [[nodiscard]] std::int64_t length_within(const Interval& window) const;

  friend IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
  friend IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
  /// What is in `a` but not in `b`.
  friend IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);
  friend bool operator==(const IntervalSet&, const IntervalSet&) = default;

 private:
  /// Appends an interval that begins no earlier than any before it, joining where they touch.
  void append(const Interval& interval);

  std::vector<Interval> intervals_;
};

IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);

/// Length of the common part, without building it.
std::int64_t common_length(const IntervalSet& a, const IntervalSet& b);

/// How much of a set lies within any window, each answered in time O(log n): for questions whose
/// windows overlap, where visiting the pieces would add up to their product.
class IntervalLengths {
 public:
  explicit IntervalLengths(IntervalSet set);
  /// The length of the part within `window`.
  [[nodiscard]] std::int64_t within(const Interval& window) const;
  [[nodiscard]] const IntervalSet& set() const { return set_; }

 private:
  /// The length of the part before `time`.
  [[nodiscard]] std::int64_t until(std::int64_t time) const;

  IntervalSet set_;
  std::vector<std::int64_t> before_;  ///< per interval: the length of those before it
};

}  // namespace quintet
