#include "viewer/model/timeline/timeline_camera.h"

#include <algorithm>
#include <cmath>

namespace quintet::viewer {

namespace {

/// `time` moved by a real amount, split into whole ns and the rest.
struct MovedTime {
  std::int64_t whole_ns = 0;
  double fraction_ns = 0;
};

MovedTime moved(std::int64_t time, double by_ns) {
  constexpr double kFurthest = 0x1p64;
  const double down = std::clamp(std::floor(by_ns), -kFurthest, kFurthest);
  const double fraction = std::clamp(by_ns - down, 0.0, 0.999999);
  const auto magnitude =
      std::abs(down) >= kFurthest ? ~std::uint64_t{0} : static_cast<std::uint64_t>(std::abs(down));
  const std::int64_t whole = down >= 0 ? later_by(time, magnitude) : earlier_by(time, magnitude);
  return {whole, fraction};
}

}  // namespace

std::int64_t TimeView::time_at(double x_px) const {
  return moved(begin_ns, fraction_ns + x_px * ns_per_px).whole_ns;
}

Interval TimeView::range() const {
  return {begin_ns, later_by(time_at(width_px), 1)};
}

TimeView TimeView::of_side(std::int64_t shift_ns) const {
  TimeView view = *this;
  view.begin_ns = shift_ns == kEarliestNs ? kLatestNs : shifted_by(begin_ns, -shift_ns);
  return view;
}

void TimelineCamera::set_extent(const Interval& extent) {
  extent_ = extent.end > extent.begin ? extent : Interval{extent.begin, later_by(extent.begin, 1)};
  if (!shown_) fit();
  shown_ = true;
  limit();
}

void TimelineCamera::set_width(double width_px) {
  const double width = std::max(1.0, width_px);
  const bool first = view_.width_px == 1;
  view_.width_px = width;
  if (first) fit();
  limit();
}

void TimelineCamera::fit() {
  show(extent_, 0.02);
}

void TimelineCamera::show(const Interval& range, double margin) {
  const double length =
      std::max(kLeastVisibleNs / (1 + 2 * margin),
               static_cast<double>(length_ns(range.begin, std::max(range.begin, range.end))));
  view_.ns_per_px = length * (1 + 2 * margin) / view_.width_px;
  // A range too short to fill the view stands in the middle of it.
  const double own = static_cast<double>(length_ns(range.begin, range.end));
  place(range.begin, 0, (view_.width_px - own / view_.ns_per_px) / 2);
}

void TimelineCamera::zoom(double factor, double pointer_px) {
  if (!(factor > 0) || !std::isfinite(factor)) return;
  const MovedTime anchor = moved(view_.begin_ns, view_.fraction_ns + pointer_px * view_.ns_per_px);
  const double most =
      1.25 * static_cast<double>(length_ns(extent_.begin, extent_.end)) / view_.width_px;
  const double least = kLeastVisibleNs / view_.width_px;
  view_.ns_per_px = std::clamp(view_.ns_per_px / factor, least, std::max(least, most));
  place(anchor.whole_ns, anchor.fraction_ns, pointer_px);
}

void TimelineCamera::pan(double by_px) {
  place(view_.begin_ns, view_.fraction_ns, -by_px);
}

void TimelineCamera::centre(std::int64_t time_ns) {
  place(time_ns, 0, view_.width_px / 2);
}

void TimelineCamera::reveal(const Interval& range) {
  const double left = view_.px_of(range.begin);
  const double right = view_.px_of(range.end);
  const double margin = std::min(40.0, view_.width_px / 10);
  if (right - left > view_.width_px - 2 * margin) {
    // Too long to be seen whole: leave it where any good part of it is in view.
    if (left < view_.width_px / 2 && right > view_.width_px / 2) return;
    place(range.begin, 0, margin);
  } else if (left < margin) {
    pan(left - margin);
  } else if (right > view_.width_px - margin) {
    pan(right - view_.width_px + margin);
  }
}

void TimelineCamera::place(std::int64_t anchor_ns, double anchor_fraction, double anchor_px) {
  const MovedTime begin = moved(anchor_ns, anchor_fraction - anchor_px * view_.ns_per_px);
  view_.begin_ns = begin.whole_ns;
  view_.fraction_ns = begin.fraction_ns;
  limit();
}

void TimelineCamera::limit() {
  // At least a tenth of the view stays over the recording.
  const auto room =
      static_cast<std::uint64_t>(std::min(0x1p63, 0.9 * view_.width_px * view_.ns_per_px));
  const auto keep =
      static_cast<std::uint64_t>(std::min(0x1p63, 0.1 * view_.width_px * view_.ns_per_px));
  const std::int64_t earliest = earlier_by(extent_.begin, room);
  const std::int64_t latest = std::max(earliest, earlier_by(extent_.end, keep));
  if (view_.begin_ns >= earliest && view_.begin_ns <= latest) return;
  view_.begin_ns = std::clamp(view_.begin_ns, earliest, latest);
  view_.fraction_ns = 0;
}

}  // namespace quintet::viewer
