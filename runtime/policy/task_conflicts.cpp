#include "runtime/policy/task_conflicts.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
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

/// The scratch users of a region as a group, marked in `grouped`; nothing where they have no byte
/// in common or one of them is in a group already.
std::vector<std::uint32_t> scratch_group(std::span<const Interval> region,
                                         std::vector<bool>& grouped) {
  std::uint64_t last_begin = 0;
  std::uint64_t first_end = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint32_t> tasks;
  for (const Interval& interval : region) {
    if (interval.access->mode != AccessMode::scratch) continue;
    if (interval.access->count > 1 || grouped[interval.task]) return {};
    last_begin = std::max(last_begin, interval.begin);
    first_end = std::min(first_end, interval.end);
    tasks.push_back(interval.task);
  }
  if (last_begin >= first_end) return {};
  std::sort(tasks.begin(), tasks.end());
  tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
  for (const std::uint32_t task : tasks)
    grouped[task] = true;
  return tasks;
}

/// Appends the conflicts of one region, given in the order of addresses; scratch against scratch
/// only where asked for.
void sweep(std::span<const Interval> region, bool scratch_pairs, std::vector<TaskConflict>& found) {
  OpenIntervals readers;
  OpenIntervals writers;
  OpenIntervals scratches;
  for (const Interval& interval : region) {
    const AccessMode mode = interval.access->mode;
    const bool scratch = mode == AccessMode::scratch;
    const auto meet = [&](const Interval& other) {
      const bool pieces = interval.access->count > 1 || other.access->count > 1;
      if (pieces && overlap_of(*interval.access, *other.access).empty()) return;
      const auto [first, second] = std::minmax(interval.task, other.task);
      found.push_back({first, second, scratch && other.access->mode == AccessMode::scratch});
    };
    writers.visit(interval.begin, meet);
    if (writes(mode)) readers.visit(interval.begin, meet);
    if (!scratch || scratch_pairs) scratches.visit(interval.begin, meet);
    // What a task writes, its own next run writes again.
    if (writes(mode) && (!scratch || scratch_pairs)) {
      found.push_back({interval.task, interval.task, scratch});
    }
    (scratch ? scratches : writes(mode) ? writers : readers).add(interval);
  }
}

}  // namespace

TaskConflicts find_conflicts(std::span<const std::span<const Access>> accesses,
                             ScratchPairs scratch) {
  const std::vector<Interval> intervals = intervals_by_address(accesses);
  TaskConflicts conflicts;
  std::vector<TaskConflict> found;
  std::vector<bool> grouped(scratch == ScratchPairs::grouped ? accesses.size() : 0);
  const auto same_region = [&](std::size_t from) {
    std::size_t to = from;
    while (to < intervals.size() && intervals[to].region == intervals[from].region)
      ++to;
    return std::span(intervals).subspan(from, to - from);
  };
  for (std::size_t from = 0; from < intervals.size();) {
    const std::span<const Interval> region = same_region(from);
    from += region.size();
    std::vector<std::uint32_t> group;
    if (scratch == ScratchPairs::grouped) group = scratch_group(region, grouped);
    sweep(region, group.empty(), found);
    if (!group.empty()) conflicts.scratch_groups.push_back(std::move(group));
  }
  conflicts.pairs = sorted_once(found, accesses.size());
  return conflicts;
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
