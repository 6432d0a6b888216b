#include "runtime/policy/task_conflicts.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace quintet {

namespace {

struct Interval {
  RegionId region;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t task = 0;
  const Access* access = nullptr;
};

std::vector<Interval> intervals_by_address(std::span<const std::span<const Access>> accesses) {
  std::vector<Interval> intervals;
  for (std::uint32_t task = 0; task < accesses.size(); ++task) {
    for (const Access& access : accesses[task]) {
      if (access.bytes == 0 || access.count == 0) continue;
      intervals.push_back({access.region, access.offset, access.end(), task, &access});
    }
  }
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
    return std::tie(a.region, a.begin, a.task) < std::tie(b.region, b.begin, b.task);
  });
  return intervals;
}

/// Intervals that still reach over the sweep line; those that ended are dropped while they are
/// walked.
class OpenIntervals {
 public:
  void add(const Interval& interval) { open_.push_back(&interval); }
  void clear() { open_.clear(); }
  template <class Visit>
  void visit(std::uint64_t line, Visit&& visit) {
    std::size_t kept = 0;
    for (const Interval* interval : open_) {
      if (interval->end <= line) continue;
      open_[kept++] = interval;
      visit(*interval);
    }
    open_.resize(kept);
  }

 private:
  std::vector<const Interval*> open_;
};

/// Sorts by first (counting), then each bucket by second; of equal pairs one is left,
/// `either_order` only where all of them were.
std::vector<TaskConflict> sorted_once(const std::vector<TaskConflict>& found, std::size_t tasks) {
  std::vector<std::size_t> start(tasks + 1);
  for (const TaskConflict& conflict : found)
    ++start[conflict.first + 1];
  for (std::size_t task = 0; task < tasks; ++task)
    start[task + 1] += start[task];
  std::vector<TaskConflict> bucketed(found.size());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (const TaskConflict& conflict : found)
    bucketed[next[conflict.first]++] = conflict;

  std::size_t kept = 0;
  for (std::size_t task = 0; task < tasks; ++task) {
    const auto begin = bucketed.begin() + static_cast<std::ptrdiff_t>(start[task]);
    const auto end = bucketed.begin() + static_cast<std::ptrdiff_t>(start[task + 1]);
    std::sort(begin, end, [](const TaskConflict& a, const TaskConflict& b) {
      return std::tie(a.second, a.either_order) < std::tie(b.second, b.either_order);
    });
    const std::size_t bucket = kept;
    for (auto conflict = begin; conflict != end; ++conflict) {
      if (kept > bucket && bucketed[kept - 1].second == conflict->second) continue;
      bucketed[kept++] = *conflict;
    }
  }
  bucketed.resize(kept);
  return bucketed;
}

}  // namespace

std::vector<TaskConflict> find_conflicts(std::span<const std::span<const Access>> accesses) {
  const std::vector<Interval> intervals = intervals_by_address(accesses);
  std::vector<TaskConflict> found;
  OpenIntervals readers;
  OpenIntervals writers;
  const Interval* previous = nullptr;
  for (const Interval& interval : intervals) {
    if (previous != nullptr && previous->region != interval.region) {
      readers.clear();
      writers.clear();
    }
    previous = &interval;
    const AccessMode mode = interval.access->mode;
    const auto meet = [&](const Interval& other) {
      const bool pieces = interval.access->count > 1 || other.access->count > 1;
      if (pieces && overlap_of(*interval.access, *other.access).empty()) return;
      const bool scratch = mode == AccessMode::scratch && other.access->mode == AccessMode::scratch;
      const auto [first, second] = std::minmax(interval.task, other.task);
      found.push_back({first, second, scratch});
    };
    writers.visit(interval.begin, meet);
    if (writes(mode)) {
      readers.visit(interval.begin, meet);
      // What a task writes, its own next run writes again.
      found.push_back({interval.task, interval.task, mode == AccessMode::scratch});
      writers.add(interval);
    } else {
      readers.add(interval);
    }
  }
  return sorted_once(found, accesses.size());
}

ConflictBytes conflict_bytes(std::span<const Access> first, std::span<const Access> second) {
  ConflictBytes best;
  bool best_scratch = true;
  for (const Access& a : first) {
    for (const Access& b : second) {
      if (!conflict(a, b)) continue;
      const ByteRange bytes = overlap_of(a, b);
      const bool scratch = a.mode == AccessMode::scratch && b.mode == AccessMode::scratch;
      const bool better = std::tuple(scratch, bytes.region, bytes.begin) <
                          std::tuple(best_scratch, best.bytes.region, best.bytes.begin);
      if (!best.bytes.empty() && !better) continue;
      best = {bytes, a.mode, b.mode};
      best_scratch = scratch;
    }
  }
  return best;
}

std::string_view verb_of(AccessMode mode) {
  switch (mode) {
    case AccessMode::read:
      return "reads";
    case AccessMode::write:
      return "writes";
    case AccessMode::update:
      return "updates";
    case AccessMode::scratch:
      return "uses as scratch";
  }
  return {};
}

std::string text_of(const ByteRange& bytes, std::span<const Region> regions) {
  const std::uint32_t id = bytes.region.value();
  const std::string name = id < regions.size() ? regions[id].name() : fmt::format("region {}", id);
  return fmt::format("{}[{}, {})", name, bytes.begin, bytes.end);
}

}  // namespace quintet
