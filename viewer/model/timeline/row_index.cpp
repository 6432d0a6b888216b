#include "viewer/model/timeline/row_index.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace quintet::viewer {

namespace {

constexpr std::size_t kFanOut = 16;

/// kFar where the number does not fit, so that readers begin at the group instead.
std::uint32_t narrow(std::uint64_t ns, std::uint32_t far) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(ns, far));
}

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

}  // namespace

std::uint8_t duration_class(std::uint64_t duration_ns) {
  if (duration_ns == 0) return 0;
  const int octave = static_cast<int>(std::bit_width(duration_ns)) - 1;
  const std::uint64_t quarter = octave < 2 ? 0 : (duration_ns >> (octave - 2)) & 3;
  return static_cast<std::uint8_t>(std::min(255, 1 + 4 * octave + static_cast<int>(quarter)));
}

void RowIndex::append(std::uint32_t position, std::int64_t begin_ns, std::int64_t end_ns) {
  assert(begin_ns >= last_begin_ns_);
  if (size() % kLeaf == 0) open_leaf(begin_ns);
  if (begin_ns < covered_until_ns_ && !overlapping_) {
    overlapping_ = true;
    // Of the leaves so far none was reached into; the one just opened is told below.
    carry_ns_.assign(leaves_.size(), 0);
    if (size() % kLeaf == 0) {
      carry_ns_.back() = narrow(length_ns(begin_ns, covered_until_ns_), kFar);
    }
  }
  positions_.append(position);
  last_begin_ns_ = begin_ns;
  if (end_ns > covered_until_ns_) {
    busy_ns_ += length_ns(std::max(begin_ns, covered_until_ns_), end_ns);
    covered_until_ns_ = end_ns;
  }
  std::uint8_t& longest = longest_.front().back();
  longest = std::max(longest, duration_class(length_ns(begin_ns, end_ns)));
}

void RowIndex::open_leaf(std::int64_t begin_ns) {
  if (size() % kGroup == 0) groups_.push_back({begin_ns, covered_until_ns_, busy_ns_});
  const Group& group = groups_.back();
  leaves_.push_back(
      {narrow(length_ns(group.begin_ns, begin_ns), kFar), narrow(busy_ns_ - group.busy_ns, kFar)});
  if (overlapping_) carry_ns_.push_back(narrow(length_ns(begin_ns, covered_until_ns_), kFar));
  if (longest_.empty()) longest_.emplace_back();
  longest_.front().push_back(0);
}

void RowIndex::finish() {
  positions_.finish();
  groups_.shrink_to_fit();
  leaves_.shrink_to_fit();
  carry_ns_.shrink_to_fit();
  if (longest_.empty()) return;
  while (longest_.back().size() > 1) {
    const std::vector<std::uint8_t>& below = longest_.back();
    std::vector<std::uint8_t> above((below.size() + kFanOut - 1) / kFanOut);
    for (std::size_t block = 0; block < below.size(); ++block)
      above[block / kFanOut] = std::max(above[block / kFanOut], below[block]);
    longest_.push_back(std::move(above));
  }
  longest_.front().shrink_to_fit();
}

std::size_t RowIndex::held_bytes() const {
  std::size_t bytes = sizeof(*this) + positions_.held_bytes() + bytes_of(groups_) +
                      bytes_of(leaves_) + bytes_of(carry_ns_);
  for (const auto& level : longest_)
    bytes += bytes_of(level) + sizeof(level);
  return bytes;
}

std::size_t RowCursor::group_before(std::int64_t time_ns) {
  const auto& groups = row_->groups_;
  const auto begins_before = [&](std::size_t group) { return groups[group].begin_ns < time_ns; };
  // Gallop from where the last search ended: neighbours on the screen are neighbours here.
  std::size_t low = group_;
  if (!begins_before(low)) low = 0;
  std::size_t step = 1;
  while (low + step < groups.size() && begins_before(low + step)) {
    low += step;
    step *= 2;
  }
  std::size_t high = std::min(low + step, groups.size());
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (begins_before(middle) ? low : high) = middle;
  }
  return group_ = low;
}

std::size_t RowCursor::leaf_before(std::size_t group, std::int64_t time_ns) const {
  constexpr std::size_t kLeaves = RowIndex::kGroup / RowIndex::kLeaf;
  const std::uint64_t after_ns = length_ns(row_->groups_[group].begin_ns, time_ns);
  std::size_t low = group * kLeaves;
  std::size_t high = std::min(low + kLeaves, row_->leaves_.size());
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    const RowIndex::Leaf& leaf = row_->leaves_[middle];
    const bool near = leaf.begin_ns != RowIndex::kFar && leaf.busy_ns != RowIndex::kFar &&
                      (!row_->overlapping_ || row_->carry_ns_[middle] != RowIndex::kFar);
    (near && leaf.begin_ns < after_ns ? low : high) = middle;
  }
  return low;
}

RowCursor::Before RowCursor::before(std::int64_t time_ns, std::uint64_t slack_ns) {
  if (row_->groups_.empty() || row_->groups_.front().begin_ns >= time_ns) {
    return {time_ns, 0, 0, kEarliestNs,
            row_->groups_.empty() ? kLatestNs : row_->groups_.front().begin_ns};
  }
  const std::size_t group_at = group_before(time_ns);
  const RowIndex::Group& group = row_->groups_[group_at];
  const std::size_t leaf_at = leaf_before(group_at, time_ns);
  std::size_t entry = leaf_at * RowIndex::kLeaf;
  std::int64_t begin = group.begin_ns;
  std::uint64_t busy = group.busy_ns;
  std::int64_t until = group.covered_until_ns;
  if (entry != group_at * RowIndex::kGroup) {
    const RowIndex::Leaf& leaf = row_->leaves_[leaf_at];
    begin = later_by(group.begin_ns, leaf.begin_ns);
    busy += leaf.busy_ns;
    until = row_->overlapping_ ? later_by(begin, row_->carry_ns_[leaf_at]) : begin;
  }
  // Whatever of these spans reaches beyond a time covers it without a gap.
  if (length_ns(begin, time_ns) <= slack_ns) {
    return {begin, entry, busy - length_ns(begin, until), until, begin};
  }
  std::int64_t next = kLatestNs;
  for (const std::size_t count = row_->size(); entry < count; ++entry) {
    const std::uint32_t at = positions_.at(entry);
    begin = times_.begin_ns[at];
    if (begin >= time_ns) {
      next = begin;
      break;
    }
    const std::int64_t end = times_.end_ns[at];
    if (end <= until) continue;
    busy += length_ns(std::max(begin, until), end);
    until = end;
  }
  return {time_ns, entry, busy - length_ns(time_ns, until), until, next};
}

std::size_t RowCursor::next_lasting(std::size_t from, std::size_t until, std::uint64_t least_ns) {
  const std::uint8_t least = duration_class(least_ns);
  const auto& longest = row_->longest_;
  while (from < until) {
    if (from % RowIndex::kLeaf == 0) {
      std::size_t skipped = 0;
      std::size_t block = RowIndex::kLeaf;
      for (std::size_t level = 0; level < longest.size() && from % block == 0;
           ++level, block *= kFanOut) {
        const std::size_t at = from / block;
        if (at >= longest[level].size() || longest[level][at] >= least) break;
        skipped = block;
      }
      if (skipped > 0) {
        from += skipped;
        continue;
      }
    }
    const std::uint32_t at = positions_.at(from);
    if (length_ns(times_.begin_ns[at], times_.end_ns[at]) >= least_ns) return from;
    ++from;
  }
  return until;
}

}  // namespace quintet::viewer
