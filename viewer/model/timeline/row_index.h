/// One row of a timeline: some of a trace's spans in order of begin, with sums over blocks of them,
/// so that the busy time of any range is known exactly without looking at every span of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "viewer/model/timeline/row_block.h"
#include "viewer/model/timeline/time_span.h"

namespace quintet::viewer {

/// Columns of begins and ends that a row's positions point into; they must outlive their readers.
struct SpanTimes {
  const std::int64_t* begin_ns = nullptr;
  const std::int64_t* end_ns = nullptr;
};

/// Owns: its blocks, together with rows that continue it. Threads: readable from many once finished.
/// Throws: bad_alloc. Usage: append() in order of begin, finish(), then a RowCursor.
class RowIndex {
 public:
  RowIndex() = default;
  /// A row to append to, which begins with the spans of `row` whose positions are lower than
  /// `until`; `times` as `row` was made with. Costs what a block holds, and a pointer a block.
  RowIndex(const RowIndex& row, std::uint32_t until, const SpanTimes& times);

  /// Neither begin nor position may be lower than the last one's.
  void append(std::uint32_t position, std::int64_t begin_ns, std::int64_t end_ns);
  /// Once, after the last append.
  void finish();

  [[nodiscard]] std::size_t size() const { return size_; }
  /// The end of what was appended: the latest end so far.
  [[nodiscard]] std::int64_t covered_until_ns() const { return covered_until_ns_; }
  /// When the last span has ended: its begin where it lasts less than nothing.
  [[nodiscard]] std::int64_t free_from_ns() const { return free_from_ns_; }
  /// Length of the union of all spans.
  [[nodiscard]] std::uint64_t busy_ns() const { return busy_ns_; }
  /// True where a span begins before an earlier one has ended.
  [[nodiscard]] bool overlapping() const { return overlapping_; }
  [[nodiscard]] std::size_t held_bytes() const;

 private:
  friend class RowCursor;

  /// A block, and what searches look at first. Each but the last is full.
  struct Place {
    std::int64_t begin_ns = 0;
    std::uint32_t position = 0;  ///< of its first span
    std::uint8_t longest = 0;    ///< class of durations
    std::shared_ptr<const RowBlock> block;
  };

  void seal();

  std::vector<Place> places_;
  std::vector<RowSpan> open_;  ///< not yet in a block; none once finished
  std::size_t size_ = 0;
  RowBlock::Start open_start_;  ///< of `open_`
  std::int64_t covered_until_ns_ = kEarliestNs;
  std::int64_t free_from_ns_ = kEarliestNs;
  std::uint64_t busy_ns_ = 0;
  bool overlapping_ = false;
};

/// Reads a row from left to right; going back is allowed and costs a search.
class RowCursor {
 public:
  RowCursor(const RowIndex& row, const SpanTimes& times) : row_(&row), times_(times) {}

  [[nodiscard]] std::size_t size() const { return row_->size(); }
  /// The trace's index of the row's `entry`-th span.
  [[nodiscard]] std::uint32_t position(std::size_t entry);
  [[nodiscard]] std::int64_t begin_ns(std::size_t entry) {
    return times_.begin_ns[position(entry)];
  }
  [[nodiscard]] std::int64_t end_ns(std::size_t entry) { return times_.end_ns[position(entry)]; }

  /// What the spans that begin before a time amount to.
  struct Before {
    std::int64_t time_ns = kEarliestNs;
    std::size_t count = 0;      ///< of spans that begin before it; with a slack, perhaps at it
    std::uint64_t busy_ns = 0;  ///< length of their union up to it
    /// Their latest end, at least where it is later than the time.
    std::int64_t covered_until_ns = kEarliestNs;
    /// No later than the next span begins, and exact where that begin is known; kLatestNs where
    /// there is none.
    std::int64_t next_begin_ns = kLatestNs;
  };
  /// Exact. O(log n + RowBlock::kLeaf), less where `time_ns` is near that of the call before.
  /// With `slack_ns` the answer may be that of an earlier time, by at most so much: it is still
  /// exact, and known without a look at any span where a leaf of the row begins there.
  Before before(std::int64_t time_ns, std::uint64_t slack_ns = 0);

  /// A span and what comes before it.
  struct Lasting {
    std::size_t entry = 0;
    std::uint32_t position = 0;
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::uint64_t busy_ns = 0;  ///< length of the union of all spans before it
  };
  /// The next entry of [from, until) that lasts at least `least_ns`. Skips blocks that hold none.
  std::optional<Lasting> next_lasting(std::size_t from, std::size_t until, std::uint64_t least_ns);

 private:
  [[nodiscard]] std::size_t place_before(std::int64_t time_ns);
  /// When the entry behind a leaf begins; there must be one.
  [[nodiscard]] std::int64_t next_begin(std::size_t place, std::size_t within) const;
  [[nodiscard]] std::optional<Lasting> lasting_in(std::size_t place, std::size_t from,
                                                  std::size_t until, std::uint64_t least_ns);

  const RowIndex* row_;
  SpanTimes times_;
  std::size_t place_ = 0;  ///< of the last search
  std::size_t entry_ = 0;  ///< whose position is `position_`
  std::uint32_t position_ = 0;
  bool placed_ = false;  ///< `entry_` is one
};

}  // namespace quintet::viewer
