/// The piece that rows of a timeline are made of: up to 4096 spans in order of begin, as positions in
/// a trace, sums over leaves of 16 of them, and the longest of them in full.
///
/// A block never changes once it is made, so the rows of a recording that grows share theirs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "viewer/model/timeline/time_span.h"

namespace quintet::viewer {

/// A span as a row takes it.
struct RowSpan {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::uint32_t position = 0;  ///< in its table
};

/// One of the longest spans of a block, with what comes before it.
struct LongSpan {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::uint64_t busy_ns = 0;  ///< length of the union of all spans of the row before it
  std::uint32_t position = 0;
  std::uint32_t entry = 0;  ///< within the block
};

/// Durations in classes of a quarter of an octave: a longer span never has a lower class.
std::uint8_t duration_class(std::uint64_t duration_ns);

/// Owns: 1.9 bytes a span where blocks are full and last less than 4 s. Threads: readable from many.
/// Throws: bad_alloc. Usage: `RowBlock block({begin, until, busy}, spans);`
class RowBlock {
 public:
  static constexpr std::size_t kLeaf = 16;
  static constexpr std::size_t kMost = 4096;
  static constexpr std::size_t kMostLong = 16;

  /// What is known of a row where the block begins.
  struct Start {
    std::int64_t begin_ns = 0;                    ///< of its first span
    std::int64_t covered_until_ns = kEarliestNs;  ///< latest end of all spans before
    std::uint64_t busy_ns = 0;                    ///< length of the union of all spans before
  };
  /// The same where a leaf begins. `covered_until_ns` is right where it is later than `begin_ns`.
  struct Leaf {
    std::int64_t begin_ns = 0;
    std::int64_t covered_until_ns = kEarliestNs;
    std::uint64_t busy_ns = 0;
    std::uint32_t position = 0;  ///< of its first span
  };

  /// At least one span and at most kMost, by begin and by position.
  RowBlock(const Start& start, const std::vector<RowSpan>& spans);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t leaves() const { return (size_ + kLeaf - 1) / kLeaf; }
  [[nodiscard]] Leaf leaf(std::size_t at) const;
  /// The last leaf that begins before a time; the first one where none does.
  [[nodiscard]] std::size_t leaf_before(std::int64_t time_ns) const;
  /// How much higher an entry's position is than that of the entry before; not for the first of a leaf.
  [[nodiscard]] std::uint32_t step_to(std::size_t entry) const {
    const std::uint32_t step = narrow_steps_.empty() ? wide_steps_[entry] : narrow_steps_[entry];
    return step == (narrow_steps_.empty() ? kFarWide : kFarNarrow) ? far_step_to(entry) : step;
  }
  /// The highest class of durations: of a leaf, of the block.
  [[nodiscard]] std::uint8_t longest(std::size_t leaf) const {
    return wide_.empty() ? static_cast<std::uint8_t>(narrow_[leaf].place >> kPlaceBits)
                         : wide_[leaf].longest;
  }
  [[nodiscard]] std::uint8_t longest() const { return longest_; }
  /// Every span of a higher class than `most_other()` is one of these; by entry.
  [[nodiscard]] const std::vector<LongSpan>& long_spans() const { return long_spans_; }
  [[nodiscard]] std::uint8_t most_other() const { return most_other_; }

  /// True where a span begins before an earlier one has ended.
  [[nodiscard]] bool overlapping() const { return overlapping_; }
  [[nodiscard]] std::size_t held_bytes() const;

 private:
  static constexpr unsigned kPlaceBits = 24;
  static constexpr std::uint32_t kFarNarrow = 0xFF;
  static constexpr std::uint32_t kFarWide = 0xFFFF;
  static constexpr std::size_t kLeavesASign = 16;

  /// Times and positions are counted from the block's first.
  struct NarrowLeaf {
    std::uint32_t begin_ns = 0;
    std::uint32_t busy_ns = 0;
    std::uint32_t place = 0;  ///< position in the low kPlaceBits, class of the longest above
  };
  struct WideLeaf {
    std::uint64_t begin_ns = 0;
    std::uint64_t busy_ns = 0;
    std::uint64_t carry_ns = 0;  ///< how far the spans before it reach beyond its begin
    std::uint32_t position = 0;
    std::uint8_t longest = 0;
  };
  /// In halves, so that one takes six bytes.
  struct FarStep {
    std::uint16_t entry = 0;
    std::uint16_t step_high = 0;
    std::uint16_t step_low = 0;
  };

  void keep_leaves(const std::vector<RowSpan>& spans, std::vector<std::uint64_t>& busy);
  void narrow_leaves();
  void keep_steps(const std::vector<RowSpan>& spans);
  void keep_longest(const std::vector<RowSpan>& spans, const std::vector<std::uint64_t>& busy);
  [[nodiscard]] std::uint32_t far_step_to(std::size_t entry) const;

  Start start_;
  std::uint32_t first_position_ = 0;
  std::uint16_t size_ = 0;
  std::uint8_t longest_ = 0;
  std::uint8_t most_other_ = 0;
  bool overlapping_ = false;
  /// The begins of every sixteenth leaf, so that a search looks at few lines of memory.
  std::array<std::uint32_t, kMost / kLeaf / kLeavesASign> signs_ns_{};
  std::vector<NarrowLeaf> narrow_;  ///< else `wide_`: where 32 bits do not do
  std::vector<WideLeaf> wide_;
  std::vector<std::uint32_t> carry_ns_;     ///< beside `narrow_`; empty unless spans overlap
  std::vector<std::uint8_t> narrow_steps_;  ///< else `wide_steps_`
  std::vector<std::uint16_t> wide_steps_;
  std::vector<FarStep> far_steps_;  ///< by entry
  std::vector<LongSpan> long_spans_;
};

}  // namespace quintet::viewer
