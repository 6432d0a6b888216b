#include "profiler/analysis/interval_set.h"

#include <utility>

namespace quintet {

namespace {

/// Calls `visit` with each common piece of two sorted disjoint lists, in order.
template <class Visit>
void for_each_common(const std::vector<Interval>& a, const std::vector<Interval>& b, Visit visit) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const Interval common = intersect(a[i], b[j]);
    if (!common.empty()) visit(common);
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
}

}  // namespace

IntervalSet::IntervalSet(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& interval) { return interval.empty(); });
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  intervals_.reserve(intervals.size());
  for (const Interval& interval : intervals)
    append(interval);
}

void IntervalSet::append(const Interval& interval) {
  if (interval.empty()) return;
  if (!intervals_.empty() && interval.begin <= intervals_.back().end) {
    intervals_.back().end = std::max(intervals_.back().end, interval.end);
  } else {
    intervals_.push_back(interval);
  }
}

std::int64_t IntervalSet::length() const {
  std::int64_t total = 0;
  for (const Interval& interval : intervals_)
    total += interval.length();
  return total;
}

IntervalSet IntervalSet::within(const Interval& window) const {
  IntervalSet part;
  auto first = std::lower_bound(
      intervals_.begin(), intervals_.end(), window.begin,
      [](const Interval& interval, std::int64_t time) { return interval.end <= time; });
  for (; first != intervals_.end() && first->begin < window.end; ++first) {
    part.append(intersect(*first, window));
  }
  return part;
}

std::int64_t IntervalSet::length_within(const Interval& window) const {
  auto first = std::lower_bound(
      intervals_.begin(), intervals_.end(), window.begin,
      [](const Interval& interval, std::int64_t time) { return interval.end <= time; });
  std::int64_t total = 0;
  for (; first != intervals_.end() && first->begin < window.end; ++first)
    total += intersect(*first, window).length();
  return total;
}

IntervalSet unite(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet united;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.intervals_.size() || j < b.intervals_.size()) {
    const bool from_a = j == b.intervals_.size() ||
                        (i < a.intervals_.size() && a.intervals_[i].begin <= b.intervals_[j].begin);
    united.append(from_a ? a.intervals_[i++] : b.intervals_[j++]);
  }
  return united;
}

IntervalSet intersect(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet common;
  for_each_common(a.intervals_, b.intervals_,
                  [&common](const Interval& piece) { common.append(piece); });
  return common;
}

IntervalSet subtract(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet rest;
  std::size_t j = 0;
  for (const Interval& interval : a.intervals_) {
    std::int64_t from = interval.begin;
    while (j < b.intervals_.size() && b.intervals_[j].end <= from)
      ++j;
    // A hole may reach into the next interval of `a`, so walk with a copy of the position.
    for (std::size_t k = j; k < b.intervals_.size() && b.intervals_[k].begin < interval.end; ++k) {
      rest.append({from, b.intervals_[k].begin});
      from = std::max(from, b.intervals_[k].end);
    }
    rest.append({from, interval.end});
  }
  return rest;
}

std::int64_t common_length(const IntervalSet& a, const IntervalSet& b) {
  std::int64_t total = 0;
  for_each_common(a.intervals(), b.intervals(),
                  [&total](const Interval& piece) { total += piece.length(); });
  return total;
}

IntervalLengths::IntervalLengths(IntervalSet set) : set_(std::move(set)) {
  std::int64_t total = 0;
  before_.reserve(set_.intervals().size());
  for (const Interval& each : set_.intervals()) {
    before_.push_back(total);
    total += each.length();
  }
}

std::int64_t IntervalLengths::until(std::int64_t time) const {
  const std::vector<Interval>& all = set_.intervals();
  const auto after = std::partition_point(
      all.begin(), all.end(), [time](const Interval& each) { return each.begin < time; });
  if (after == all.begin()) return 0;
  const Interval& last = *(after - 1);
  return before_[static_cast<std::size_t>(after - all.begin()) - 1] +
         Interval{last.begin, std::min(last.end, time)}.length();
}

std::int64_t IntervalLengths::within(const Interval& window) const {
  return window.empty() ? 0 : until(window.end) - until(window.begin);
}

}  // namespace quintet
