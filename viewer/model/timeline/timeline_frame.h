/// What a timeline shows at one moment: boxes for spans that are wide enough to be seen, and blocks
/// of density for those that are not. Plain numbers; painting them needs no trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/analysis/interval_set.h"
#include "viewer/model/timeline/lane_layout.h"
#include "viewer/model/timeline/timeline_camera.h"
#include "viewer/model/timeline/timeline_index.h"

namespace quintet::viewer {

/// Spans narrower than this fold into density.
inline constexpr double kFoldPx = 3;

/// A span, clipped to the view.
struct SpanBox {
  std::uint32_t lane = 0;
  std::uint32_t row = 0;   ///< sub-row
  std::uint32_t item = 0;  ///< into its lane's table
  float x0 = 0;
  float x1 = 0;
  float y = 0;  ///< top, from the top of the view
};

/// A stretch of a row whose spans are too short for boxes; boxes lie outside it.
struct DensityBlock {
  std::uint32_t lane = 0;
  std::uint32_t row = 0;
  float x0 = 0;
  float x1 = 0;
  float y = 0;
  std::uint32_t spans = 0;    ///< that begin in it
  Interval time;              ///< exactly what it stands for
  std::uint64_t busy_ns = 0;  ///< length of the union of its spans within `time`

  /// In [0, 1].
  [[nodiscard]] double share() const {
    return static_cast<double>(busy_ns) / static_cast<double>(length_ns(time.begin, time.end));
  }
};

/// A lane that is at least in part in view, with its parts of the lists of boxes and blocks.
struct LaneStrip {
  std::uint32_t lane = 0;
  float y = 0;
  float height = 0;
  std::size_t first_box = 0;
  std::size_t last_box = 0;
  std::size_t first_block = 0;
  std::size_t last_block = 0;
};

struct TimelineFrame {
  std::vector<LaneStrip> lanes;
  std::vector<SpanBox> boxes;
  std::vector<DensityBlock> blocks;
  std::int64_t block_ns = 1;  ///< the length of blocks, a power of two
};

/// What is asked for. Pixels are those of the layout.
struct FrameRequest {
  TimeView view;         ///< in the trace's own times
  double top_px = 0;     ///< of the lanes, that stands at the top of the view
  double height_px = 0;  ///< of the view
};

/// Fills `frame`, whose memory is used again. Costs what is on the screen, not what the trace holds:
/// every span of at least kFoldPx that is in view is one box; between the boxes, blocks end at
/// multiples of a power of two ns, so that they stand still while the view is panned, or before by
/// less than can be seen, where the sum is known without a look at any span. Each is exact for the
/// time that it tells.
void prepare_frame(const TimelineIndex& index, const LaneLayout& layout,
                   const FrameRequest& request, TimelineFrame& frame);

/// The length of density blocks: the largest power of two ns that is at most kFoldPx wide, or more
/// where so many rows are in view that a frame would have too many of them.
std::int64_t density_block_ns(double ns_per_px, double width_px, std::size_t rows);

/// What is at a point.
struct TimelineHit {
  std::uint32_t lane = 0;
  std::uint32_t row = 0;
  std::optional<std::uint32_t> item;     ///< the span there
  std::optional<DensityBlock> density;   ///< or what is folded there
  std::optional<std::uint32_t> nearest;  ///< else the span of the row within kReachPx
  std::int64_t time_ns = 0;
};

inline constexpr double kReachPx = 4;

/// Nothing where there is no lane. A narrow span within kReachPx counts as hit where none of its
/// row's spans is under the point.
std::optional<TimelineHit> hit_test(const TimelineIndex& index, const LaneLayout& layout,
                                    const FrameRequest& request, double x_px, double y_px);

}  // namespace quintet::viewer
