#include "viewer/model/timeline/row_index.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace quintet::viewer {

RowIndex::RowIndex(const RowIndex& row, std::uint32_t until, const SpanTimes& times) {
  const auto past =
      std::partition_point(row.places_.begin(), row.places_.end(),
                           [until](const Place& place) { return place.position < until; });
  if (past == row.places_.begin()) return;
  // All blocks before the last of these are full and lie before `until`; that one is made anew.
  const auto last = past - 1;
  places_.assign(row.places_.begin(), last);
  size_ = places_.size() * RowBlock::kMost;
  const RowBlock::Leaf start = last->block->leaf(0);
  covered_until_ns_ = start.covered_until_ns;
  busy_ns_ = start.busy_ns;
  overlapping_ = std::any_of(places_.begin(), places_.end(),
                             [](const Place& place) { return place.block->overlapping(); });
  RowCursor cursor(row, times);
  const std::size_t end = size_ + last->block->size();
  for (std::size_t entry = size_; entry < end; ++entry) {
    const std::uint32_t position = cursor.position(entry);
    if (position >= until) break;
    append(position, times.begin_ns[position], times.end_ns[position]);
  }
}

void RowIndex::append(std::uint32_t position, std::int64_t begin_ns, std::int64_t end_ns) {
  assert(open_.empty() || begin_ns >= open_.back().begin_ns);
  if (open_.size() == RowBlock::kMost) seal();
  if (open_.empty()) open_start_ = {begin_ns, covered_until_ns_, busy_ns_};
  open_.push_back({begin_ns, end_ns, position});
  ++size_;
  free_from_ns_ = std::max(begin_ns, end_ns);
  overlapping_ = overlapping_ || begin_ns < covered_until_ns_;
  if (end_ns > covered_until_ns_) {
    busy_ns_ += length_ns(std::max(begin_ns, covered_until_ns_), end_ns);
    covered_until_ns_ = end_ns;
  }
}

void RowIndex::seal() {
  auto block = std::make_shared<const RowBlock>(open_start_, open_);
  const std::uint8_t longest = block->longest();
  places_.push_back({open_.front().begin_ns, open_.front().position, longest, std::move(block)});
  open_.clear();
}

void RowIndex::finish() {
  if (!open_.empty()) seal();
  std::vector<RowSpan>().swap(open_);
  places_.shrink_to_fit();
}

std::size_t RowIndex::held_bytes() const {
  std::size_t bytes = sizeof(*this) + places_.capacity() * sizeof(Place);
  for (const Place& place : places_)
    bytes += place.block->held_bytes();
  return bytes;
}

std::uint32_t RowCursor::position(std::size_t entry) {
  if (placed_ && entry == entry_) return position_;
  const RowBlock& block = *row_->places_[entry / RowBlock::kMost].block;
  const std::size_t within = entry % RowBlock::kMost;
  const std::size_t first = within - within % RowBlock::kLeaf;
  std::size_t from = first + 1;
  // A walk from neighbour to neighbour adds one step each.
  const std::size_t base = entry - within;
  if (placed_ && entry_ < entry && entry_ >= base + first) {
    from = entry_ - base + 1;
  } else {
    position_ = block.leaf(within / RowBlock::kLeaf).position;
  }
  for (; from <= within; ++from)
    position_ += block.step_to(from);
  placed_ = true;
  entry_ = entry;
  return position_;
}

std::size_t RowCursor::place_before(std::int64_t time_ns) {
  const auto& places = row_->places_;
  const auto begins_before = [&](std::size_t place) { return places[place].begin_ns < time_ns; };
  // Gallop from where the last search ended: neighbours on the screen are neighbours here.
  std::size_t low = begins_before(place_) ? place_ : 0;
  std::size_t step = 1;
  while (low + step < places.size() && begins_before(low + step)) {
    low += step;
    step *= 2;
  }
  std::size_t high = std::min(low + step, places.size());
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (begins_before(middle) ? low : high) = middle;
  }
  return place_ = low;
}

RowCursor::Before RowCursor::before(std::int64_t time_ns, std::uint64_t slack_ns) {
  const auto& places = row_->places_;
  if (places.empty() || places.front().begin_ns >= time_ns) {
    return {time_ns, 0, 0, kEarliestNs, places.empty() ? kLatestNs : places.front().begin_ns};
  }
  const std::size_t place = place_before(time_ns);
  const RowBlock& block = *places[place].block;
  const std::size_t leaf_at = block.leaf_before(time_ns);
  const RowBlock::Leaf leaf = block.leaf(leaf_at);
  const std::size_t first = place * RowBlock::kMost;
  std::size_t within = leaf_at * RowBlock::kLeaf;
  std::uint64_t busy = leaf.busy_ns;
  std::int64_t until = leaf.covered_until_ns;
  // Whatever of these spans reaches beyond a time covers it without a gap.
  if (length_ns(leaf.begin_ns, time_ns) <= slack_ns) {
    return {leaf.begin_ns, first + within, busy - length_ns(leaf.begin_ns, until), until,
            leaf.begin_ns};
  }
  std::int64_t next = kLatestNs;
  std::uint32_t at = leaf.position;
  const std::size_t last = std::min(within + RowBlock::kLeaf, block.size());
  while (true) {
    const std::int64_t begin = times_.begin_ns[at];
    if (begin >= time_ns) {
      next = begin;
      break;
    }
    const std::int64_t end = times_.end_ns[at];
    if (end > until) {
      busy += length_ns(std::max(begin, until), end);
      until = end;
    }
    if (++within == last) {
      // The next leaf begins no earlier than the time: it would have been found else.
      if (first + within < row_->size()) next = next_begin(place, within);
      break;
    }
    at += block.step_to(within);
  }
  return {time_ns, first + within, busy - length_ns(time_ns, until), until, next};
}

std::int64_t RowCursor::next_begin(std::size_t place, std::size_t within) const {
  const auto& places = row_->places_;
  if (within == places[place].block->size()) return places[place + 1].begin_ns;
  return places[place].block->leaf(within / RowBlock::kLeaf).begin_ns;
}

std::optional<RowCursor::Lasting> RowCursor::next_lasting(std::size_t from, std::size_t until,
                                                          std::uint64_t least_ns) {
  const std::uint8_t least = duration_class(least_ns);
  for (std::size_t place = from / RowBlock::kMost; from < until; from = ++place * RowBlock::kMost) {
    if (row_->places_[place].longest < least) continue;
    if (auto found = lasting_in(place, from, until, least_ns)) return found;
  }
  return std::nullopt;
}

std::optional<RowCursor::Lasting> RowCursor::lasting_in(std::size_t place, std::size_t from,
                                                        std::size_t until, std::uint64_t least_ns) {
  const std::uint8_t least = duration_class(least_ns);
  const RowBlock& block = *row_->places_[place].block;
  const std::size_t base = place * RowBlock::kMost;
  if (block.most_other() < least) {
    for (const LongSpan& span : block.long_spans()) {
      const std::size_t entry = base + span.entry;
      if (entry < from || length_ns(span.begin_ns, span.end_ns) < least_ns) continue;
      if (entry >= until) return std::nullopt;
      return Lasting{entry, span.position, span.begin_ns, span.end_ns, span.busy_ns};
    }
    return std::nullopt;
  }
  const std::size_t end = std::min(until - base, block.size());
  for (std::size_t leaf_at = (from - base) / RowBlock::kLeaf; leaf_at * RowBlock::kLeaf < end;
       ++leaf_at) {
    if (block.longest(leaf_at) < least) continue;
    const RowBlock::Leaf leaf = block.leaf(leaf_at);
    std::size_t within = leaf_at * RowBlock::kLeaf;
    std::uint32_t at = leaf.position;
    std::uint64_t busy = leaf.busy_ns;
    std::int64_t covered = leaf.covered_until_ns;
    const std::size_t last = std::min(within + RowBlock::kLeaf, end);
    while (true) {
      const std::int64_t span_begin = times_.begin_ns[at];
      const std::int64_t span_end = times_.end_ns[at];
      if (base + within >= from && length_ns(span_begin, span_end) >= least_ns) {
        return Lasting{base + within, at, span_begin, span_end, busy};
      }
      if (span_end > covered) {
        busy += length_ns(std::max(span_begin, covered), span_end);
        covered = span_end;
      }
      if (++within == last) break;
      at += block.step_to(within);
    }
  }
  return std::nullopt;
}

}  // namespace quintet::viewer
