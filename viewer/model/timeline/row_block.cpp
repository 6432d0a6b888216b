#include "viewer/model/timeline/row_block.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace quintet::viewer {

namespace {

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

std::uint8_t class_of(const RowSpan& span) {
  return duration_class(length_ns(span.begin_ns, span.end_ns));
}

}  // namespace

std::uint8_t duration_class(std::uint64_t duration_ns) {
  if (duration_ns == 0) return 0;
  const int octave = static_cast<int>(std::bit_width(duration_ns)) - 1;
  const std::uint64_t quarter = octave < 2 ? 0 : (duration_ns >> (octave - 2)) & 3;
  return static_cast<std::uint8_t>(std::min(255, 1 + 4 * octave + static_cast<int>(quarter)));
}

RowBlock::RowBlock(const Start& start, const std::vector<RowSpan>& spans)
    : start_(start),
      first_position_(spans.front().position),
      size_(static_cast<std::uint16_t>(spans.size())) {
  assert(!spans.empty() && spans.size() <= kMost);
  std::vector<std::uint64_t> busy;
  keep_leaves(spans, busy);
  narrow_leaves();
  keep_steps(spans);
  keep_longest(spans, busy);
}

void RowBlock::keep_leaves(const std::vector<RowSpan>& spans, std::vector<std::uint64_t>& busy) {
  busy.reserve(spans.size());
  wide_.reserve(leaves());
  std::int64_t until = start_.covered_until_ns;
  std::uint64_t sum = 0;
  for (std::size_t entry = 0; entry < spans.size(); ++entry) {
    const RowSpan& span = spans[entry];
    if (entry % kLeaf == 0) {
      wide_.push_back({length_ns(start_.begin_ns, span.begin_ns), sum,
                       length_ns(span.begin_ns, until), span.position - first_position_, 0});
    }
    overlapping_ = overlapping_ || span.begin_ns < until;
    busy.push_back(start_.busy_ns + sum);
    if (span.end_ns > until) {
      sum += length_ns(std::max(span.begin_ns, until), span.end_ns);
      until = span.end_ns;
    }
    wide_.back().longest = std::max(wide_.back().longest, class_of(span));
  }
  for (const WideLeaf& leaf : wide_)
    longest_ = std::max(longest_, leaf.longest);
}

void RowBlock::narrow_leaves() {
  const auto fits = [](const WideLeaf& leaf) {
    return leaf.begin_ns <= kMost32 && leaf.busy_ns <= kMost32 && leaf.carry_ns <= kMost32 &&
           leaf.position < (1U << kPlaceBits);
  };
  if (!std::all_of(wide_.begin(), wide_.end(), fits)) return;
  narrow_.reserve(wide_.size());
  if (overlapping_) carry_ns_.reserve(wide_.size());
  for (const WideLeaf& leaf : wide_) {
    if (narrow_.size() % kLeavesASign == 0) {
      signs_ns_[narrow_.size() / kLeavesASign] = static_cast<std::uint32_t>(leaf.begin_ns);
    }
    narrow_.push_back({static_cast<std::uint32_t>(leaf.begin_ns),
                       static_cast<std::uint32_t>(leaf.busy_ns),
                       leaf.position | (std::uint32_t{leaf.longest} << kPlaceBits)});
    if (overlapping_) carry_ns_.push_back(static_cast<std::uint32_t>(leaf.carry_ns));
  }
  std::vector<WideLeaf>().swap(wide_);
}

void RowBlock::keep_steps(const std::vector<RowSpan>& spans) {
  std::size_t beyond_narrow = 0;
  std::size_t beyond_wide = 0;
  const auto step_at = [&spans](std::size_t entry) {
    return entry % kLeaf == 0 ? 0 : spans[entry].position - spans[entry - 1].position;
  };
  for (std::size_t entry = 0; entry < spans.size(); ++entry) {
    beyond_narrow += step_at(entry) >= kFarNarrow ? 1 : 0;
    beyond_wide += step_at(entry) >= kFarWide ? 1 : 0;
  }
  const bool narrow = spans.size() + beyond_narrow * sizeof(FarStep) <=
                      2 * spans.size() + beyond_wide * sizeof(FarStep);
  far_steps_.reserve(narrow ? beyond_narrow : beyond_wide);
  (narrow ? narrow_steps_.reserve(spans.size()) : wide_steps_.reserve(spans.size()));
  const std::uint32_t far = narrow ? kFarNarrow : kFarWide;
  for (std::size_t entry = 0; entry < spans.size(); ++entry) {
    const std::uint32_t step = step_at(entry);
    if (step >= far) {
      far_steps_.push_back({static_cast<std::uint16_t>(entry),
                            static_cast<std::uint16_t>(step >> 16),
                            static_cast<std::uint16_t>(step & 0xFFFF)});
    }
    if (narrow) {
      narrow_steps_.push_back(static_cast<std::uint8_t>(std::min(step, far)));
    } else {
      wide_steps_.push_back(static_cast<std::uint16_t>(std::min(step, far)));
    }
  }
}

void RowBlock::keep_longest(const std::vector<RowSpan>& spans,
                            const std::vector<std::uint64_t>& busy) {
  most_other_ = longest_;
  // Of spans that overlap only the sums are shown.
  if (overlapping_) return;
  std::array<std::uint16_t, 256> of_class{};
  for (const RowSpan& span : spans)
    ++of_class[class_of(span)];
  std::size_t kept = 0;
  while (most_other_ > 0 && kept + of_class[most_other_] <= kMostLong)
    kept += of_class[most_other_--];
  long_spans_.reserve(kept);
  for (std::size_t entry = 0; entry < spans.size(); ++entry) {
    if (entry % kLeaf == 0 && longest(entry / kLeaf) <= most_other_) {
      entry += kLeaf - 1;
      continue;
    }
    const RowSpan& span = spans[entry];
    if (class_of(span) <= most_other_) continue;
    long_spans_.push_back({span.begin_ns, span.end_ns, busy[entry], span.position,
                           static_cast<std::uint32_t>(entry)});
  }
}

RowBlock::Leaf RowBlock::leaf(std::size_t at) const {
  if (wide_.empty()) {
    const NarrowLeaf& leaf = narrow_[at];
    const std::int64_t begin = later_by(start_.begin_ns, leaf.begin_ns);
    return {begin, carry_ns_.empty() ? begin : later_by(begin, carry_ns_[at]),
            start_.busy_ns + leaf.busy_ns,
            first_position_ + (leaf.place & ((1U << kPlaceBits) - 1))};
  }
  const WideLeaf& leaf = wide_[at];
  const std::int64_t begin = later_by(start_.begin_ns, leaf.begin_ns);
  return {begin, later_by(begin, leaf.carry_ns), start_.busy_ns + leaf.busy_ns,
          first_position_ + leaf.position};
}

std::size_t RowBlock::leaf_before(std::int64_t time_ns) const {
  const std::uint64_t after_ns = length_ns(start_.begin_ns, time_ns);
  const auto last_before = [after_ns](const auto& leaves, std::size_t low, std::size_t high) {
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (leaves[middle].begin_ns < after_ns ? low : high) = middle;
    }
    return low;
  };
  if (!wide_.empty()) return last_before(wide_, 0, wide_.size());
  const std::size_t signs = (narrow_.size() + kLeavesASign - 1) / kLeavesASign;
  std::size_t sign = 0;
  while (sign + 1 < signs && signs_ns_[sign + 1] < after_ns)
    ++sign;
  const std::size_t low = sign * kLeavesASign;
  return last_before(narrow_, low, std::min(low + kLeavesASign, narrow_.size()));
}

std::uint32_t RowBlock::far_step_to(std::size_t entry) const {
  const auto found =
      std::lower_bound(far_steps_.begin(), far_steps_.end(), entry,
                       [](const FarStep& far, std::size_t wanted) { return far.entry < wanted; });
  return (std::uint32_t{found->step_high} << 16) | found->step_low;
}

std::size_t RowBlock::held_bytes() const {
  return sizeof(*this) + bytes_of(narrow_) + bytes_of(wide_) + bytes_of(carry_ns_) +
         bytes_of(narrow_steps_) + bytes_of(wide_steps_) + bytes_of(far_steps_) +
         bytes_of(long_spans_);
}

}  // namespace quintet::viewer
