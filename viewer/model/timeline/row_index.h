/// One row of a timeline: some of a trace's spans in order of begin, with sums over blocks of them,
/// so that the busy time of any range is known exactly without looking at every span of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "viewer/model/timeline/position_list.h"
#include "viewer/model/timeline/time_span.h"

namespace quintet::viewer {

/// Columns of begins and ends that a row's positions point into; they must outlive their readers.
struct SpanTimes {
  const std::int64_t* begin_ns = nullptr;
  const std::int64_t* end_ns = nullptr;
};

/// Durations in classes of a quarter of an octave: a longer span never has a lower class.
std::uint8_t duration_class(std::uint64_t duration_ns);

/// Owns: positions and sums, 1.7 bytes a span of a dense row. Threads: readable from many once
/// finished. Throws: bad_alloc. Usage: append() in order of begin, finish(), then a RowCursor.
class RowIndex {
 public:
  static constexpr std::size_t kLeaf = 16;    ///< spans of the smallest block
  static constexpr std::size_t kGroup = 256;  ///< spans of the block that leaves count from

  explicit RowIndex(bool dense = false) : positions_(dense) {}

  /// The span's begin must not be earlier than the last one's.
  void append(std::uint32_t position, std::int64_t begin_ns, std::int64_t end_ns);
  /// Once, after the last append.
  void finish();

  [[nodiscard]] std::size_t size() const { return positions_.size(); }
  /// The end of what was appended: the latest end so far.
  [[nodiscard]] std::int64_t covered_until_ns() const { return covered_until_ns_; }
  /// Length of the union of all spans.
  [[nodiscard]] std::uint64_t busy_ns() const { return busy_ns_; }
  /// True where a span begins before an earlier one has ended.
  [[nodiscard]] bool overlapping() const { return overlapping_; }
  [[nodiscard]] std::size_t held_bytes() const;

 private:
  friend class RowCursor;

  /// What is known before the first span of a group.
  struct Group {
    std::int64_t begin_ns = 0;          ///< of its first span
    std::int64_t covered_until_ns = 0;  ///< latest end of all spans before
    std::uint64_t busy_ns = 0;          ///< union of all spans before
  };
  /// The same before a leaf, counted from its group; kFar where that does not fit.
  static constexpr std::uint32_t kFar = 0xFFFFFFFF;
  struct Leaf {
    std::uint32_t begin_ns = 0;
    std::uint32_t busy_ns = 0;
  };

  void open_leaf(std::int64_t begin_ns);

  PositionList positions_;
  std::vector<Group> groups_;
  std::vector<Leaf> leaves_;
  /// How far the spans before a leaf reach beyond its begin; empty unless spans overlap.
  std::vector<std::uint32_t> carry_ns_;
  /// The highest duration class of blocks of 16, 256, 4096, ... spans.
  std::vector<std::vector<std::uint8_t>> longest_;
  std::int64_t covered_until_ns_ = kEarliestNs;
  std::int64_t last_begin_ns_ = kEarliestNs;
  std::uint64_t busy_ns_ = 0;
  bool overlapping_ = false;
};

/// Reads a row from left to right; going back is allowed and costs a search.
class RowCursor {
 public:
  RowCursor(const RowIndex& row, const SpanTimes& times)
      : row_(&row), times_(times), positions_(row.positions_) {}

  [[nodiscard]] std::size_t size() const { return row_->size(); }
  /// The trace's index of the row's `entry`-th span.
  [[nodiscard]] std::uint32_t position(std::size_t entry) { return positions_.at(entry); }
  [[nodiscard]] std::int64_t begin_ns(std::size_t entry) {
    return times_.begin_ns[positions_.at(entry)];
  }
  [[nodiscard]] std::int64_t end_ns(std::size_t entry) {
    return times_.end_ns[positions_.at(entry)];
  }

  /// What the spans that begin before a time amount to.
  struct Before {
    std::int64_t time_ns = kEarliestNs;
    std::size_t count = 0;      ///< of spans that begin before it
    std::uint64_t busy_ns = 0;  ///< length of their union up to it
    /// Their latest end, at least where it is later than the time.
    std::int64_t covered_until_ns = kEarliestNs;
    /// When the next span begins; kLatestNs where there is none.
    std::int64_t next_begin_ns = kLatestNs;
  };
  /// Exact. O(log n + RowIndex::kLeaf), less where `time_ns` is near that of the call before.
  /// With `slack_ns` the answer may be that of an earlier time, by at most so much: it is still
  /// exact, and known without a look at any span where one of the row's blocks begins there.
  Before before(std::int64_t time_ns, std::uint64_t slack_ns = 0);

  /// The next entry of [from, until) that lasts at least `least_ns`; `until` where there is none.
  /// Skips blocks that hold none.
  std::size_t next_lasting(std::size_t from, std::size_t until, std::uint64_t least_ns);

 private:
  [[nodiscard]] std::size_t group_before(std::int64_t time_ns);
  [[nodiscard]] std::size_t leaf_before(std::size_t group, std::int64_t time_ns) const;

  const RowIndex* row_;
  SpanTimes times_;
  PositionList::Cursor positions_;
  std::size_t group_ = 0;  ///< of the last search
};

}  // namespace quintet::viewer
