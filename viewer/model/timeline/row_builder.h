/// Builds the rows of many lanes in one walk over their spans in order of begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "viewer/model/timeline/sub_row_chooser.h"
#include "viewer/model/timeline/timeline_index.h"

namespace quintet::viewer {

/// Owns: the rows under construction. Threads: one at a time. Throws: bad_alloc.
/// Usage: append() every span, then a second walk over the lanes that overflowed(), then take().
class RowBuilder {
 public:
  RowBuilder(const std::vector<TimelineLane>& lanes, const IndexOptions& options);

  /// Goes on with the rows that `older` has of a lane, as far as their positions are lower than
  /// `until`; `times` are those of all spans. False where they cannot be gone on with: the lane was
  /// found too deep further on.
  bool go_on(std::size_t lane, const LaneRows& older, std::uint32_t until, const SpanTimes& times);
  void append(std::size_t lane, std::uint32_t position, std::int64_t begin_ns, std::int64_t end_ns);
  /// True where lanes were too deep: their spans must be appended once more.
  bool collapse_overflowed();
  [[nodiscard]] bool wants_again(std::size_t lane) const { return again_[lane]; }
  std::vector<LaneRows> take();

 private:
  std::vector<LaneRows> rows_;
  std::vector<SubRowChooser> choosers_;
  std::vector<std::size_t> most_rows_;
  std::vector<bool> overflowed_;
  std::vector<bool> again_;
};

}  // namespace quintet::viewer
