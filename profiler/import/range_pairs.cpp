#include "profiler/import/range_pairs.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace quintet {

void RangePairs::begin(std::uint32_t owner, const PairedRange& range) {
  marks_.push_back(
      {range.begin_ns, owner, names_.intern(range.name), static_cast<std::uint32_t>(marks_.size()),
       range.lane, range.category,
       range.sort == RangeSort::started ? MarkKind::started_begin : MarkKind::nested_begin});
}

void RangePairs::end(std::uint32_t owner, std::string_view name, std::int64_t time_ns) {
  marks_.push_back({time_ns, owner, name.empty() ? kNone : names_.intern(name),
                    static_cast<std::uint32_t>(marks_.size()), 0, 0, MarkKind::end});
}

RangePairs::Counts RangePairs::pair(const std::function<void(const PairedRange&)>& on_range) {
  const auto before = [](const Mark& a, const Mark& b) {
    return std::tie(a.owner, a.time_ns, a.place) < std::tie(b.owner, b.time_ns, b.place);
  };
  owners_ = {};
  if (!std::is_sorted(marks_.begin(), marks_.end(), before))
    std::sort(marks_.begin(), marks_.end(), before);
  for (Mark& mark : marks_)
    mark.place = kNone;
  name_states_.assign(names_.size(), {});
  const auto size = static_cast<std::uint32_t>(marks_.size());
  for (std::uint32_t first = 0; first < size;) {
    std::uint32_t last = first;
    while (last < size && marks_[last].owner == marks_[first].owner)
      ++last;
    pair_owner(first, last);
    first = last;
  }
  for (const Mark& mark : marks_) {
    counts_.too_deep += mark.kind == MarkKind::too_deep ? 1 : 0;
    if (mark.kind != MarkKind::nested_begin && mark.kind != MarkKind::started_begin) continue;
    PairedRange range;
    range.name = names_[mark.name];
    range.begin_ns = mark.time_ns;
    if (mark.place != kNone) range.end_ns = marks_[mark.place].time_ns;
    range.sort = mark.kind == MarkKind::started_begin ? RangeSort::started : RangeSort::nested;
    range.lane = mark.lane;
    range.category = mark.category;
    on_range(range);
  }
  const Counts counts = counts_;
  *this = {};
  return counts;
}

void RangePairs::pair_owner(std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t begin = first; begin < last;) {
    std::uint32_t end = begin + 1;
    while (end < last && marks_[end].time_ns == marks_[begin].time_ns)
      ++end;
    pair_moment(begin, end);
    begin = end;
  }
  close_rest();
}

/// Marks of one owner at one time.
void RangePairs::pair_moment(std::uint32_t first, std::uint32_t last) {
  // Ends of what was open before: until a begin is taken, no other range is.
  for (std::uint32_t mark = first; last - first > 1 && mark < last; ++mark) {
    const Mark& each = marks_[mark];
    if (each.kind == MarkKind::end && each.name != kNone && name_states_[each.name].open != kNone) {
      close(name_states_[each.name].open, mark);
    }
  }
  for (std::uint32_t mark = first; mark < last; ++mark) {
    if (marks_[mark].kind != MarkKind::end) {
      open_range(mark);
    } else if (marks_[mark].place == kNone) {
      end_range(mark);
    }
  }
  judge_doubts();
}

void RangePairs::open_range(std::uint32_t mark) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(opens_.size()));
    opens_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  Name& name = name_states_[marks_[mark].name];
  Open& open = opens_[place];
  open = {mark, top_, kNone, name.open, name.open, kNone};
  if (name.open != kNone && at_once(opens_[name.open].mark, mark))
    open.older = opens_[name.open].older;
  if (top_ != kNone) opens_[top_].above = place;
  top_ = place;
  name.open = place;
  // An end behind it in the file may have been its own, or was that of the range before it.
  if (name.last_end != kNone && at_once(name.last_end, mark) && name.last_end > mark)
    ++counts_.ambiguous;
  if (name.lost_end != kNone && at_once(name.lost_end, mark)) {
    open.earlier_end = name.lost_end;
    name.lost_end = marks_[name.lost_end].place;
  }
  if (++depth_ > kMostDepth) marks_[mark].kind = MarkKind::too_deep;
}

void RangePairs::end_range(std::uint32_t mark) {
  const bool named = marks_[mark].name != kNone;
  const std::uint32_t open = named ? name_states_[marks_[mark].name].open : top_;
  if (open != kNone) {
    close(open, mark);
    return;
  }
  ++counts_.without_begin;
  if (!named) return;
  Name& name = name_states_[marks_[mark].name];
  marks_[mark].place = name.lost_end;
  name.lost_end = mark;
}

/// The range is always the innermost of its name.
void RangePairs::close(std::uint32_t open, std::uint32_t end) {
  const Open closed = opens_[open];
  Mark& begin = marks_[closed.mark];
  begin.place = end;
  marks_[end].place = closed.mark;
  Name& name = name_states_[begin.name];
  name.open = closed.same_name_below;
  name.last_end = end;
  if (closed.above == kNone) {
    top_ = closed.below;
  } else {
    opens_[closed.above].below = closed.below;
  }
  if (closed.below != kNone) opens_[closed.below].above = closed.above;
  free_.push_back(open);
  --depth_;
  // Threads nest; of an id the range that began first might have ended first.
  if (begin.kind == MarkKind::started_begin && name.open != kNone) doubts_.push_back(closed.mark);
}

/// Nothing is in doubt between ranges that began, or ended, at once.
void RangePairs::judge_doubts() {
  for (const std::uint32_t mark : doubts_) {
    std::uint32_t other = name_states_[marks_[mark].name].open;
    // Two steps at most: one past what began at this moment, one past what began with the mark.
    while (other != kNone && marks_[opens_[other].mark].time_ns >= marks_[mark].time_ns)
      other = opens_[other].older;
    counts_.ambiguous += other != kNone ? 1 : 0;
  }
  doubts_.clear();
}

/// Ranges that nothing ended, unless an end of the same time stands before their begin in the file.
void RangePairs::close_rest() {
  while (top_ != kNone) {
    const Open open = opens_[top_];
    Mark& begin = marks_[open.mark];
    if (open.earlier_end != kNone) {
      begin.place = open.earlier_end;
      --counts_.without_begin;
    }
    name_states_[begin.name].open = kNone;
    top_ = open.below;
  }
  opens_.clear();
  free_.clear();
  depth_ = 0;
}

}  // namespace quintet
