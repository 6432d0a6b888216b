/// Pairs the begins and ends of ranges: nested ones on a thread, or those of one id.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quintet {

/// A range whose end has not come yet.
struct OpenRange {
  std::string name;
  std::int64_t begin_ns = 0;
  std::size_t category = 0;  ///< the reader's own number for it
};

/// The open ranges of one thread or id, innermost last. Bounded: what is nested deeper than kMostDepth
/// is not kept.
class OpenRanges {
 public:
  static constexpr std::size_t kMostDepth = 10'000;

  enum class Begun : std::uint8_t { kept, too_deep };
  Begun begin(std::string_view name, std::int64_t begin_ns, std::size_t category) {
    if (depth_ == kMostDepth) {
      ++beyond_;
      return Begun::too_deep;
    }
    if (depth_ == ranges_.size()) ranges_.emplace_back();
    OpenRange& range = ranges_[depth_++];
    range.name = name;
    range.begin_ns = begin_ns;
    range.category = category;
    return Begun::kept;
  }

  enum class Ended : std::uint8_t { range, too_deep, never_begun };
  /// Ends the innermost range, which is `ended()` until the next begin.
  Ended end() {
    if (beyond_ > 0) {
      --beyond_;
      return Ended::too_deep;
    }
    if (depth_ == 0) return Ended::never_begun;
    --depth_;
    return Ended::range;
  }
  [[nodiscard]] const OpenRange& ended() const { return ranges_[depth_]; }
  [[nodiscard]] std::size_t depth() const { return depth_; }

 private:
  std::vector<OpenRange> ranges_;  ///< their strings are used again
  std::size_t depth_ = 0;
  std::size_t beyond_ = 0;  ///< open ones that were not kept
};

}  // namespace quintet
