/// What part of time a timeline shows, and how panning and zooming change it. Pure numbers: no
/// trace, no window.
#pragma once

#include <cstdint>

#include "profiler/analysis/interval_set.h"
#include "viewer/model/timeline/time_span.h"

namespace quintet::viewer {

/// Time on the screen: x = 0 is `begin_ns + fraction_ns`.
struct TimeView {
  std::int64_t begin_ns = 0;
  double fraction_ns = 0;  ///< in [0, 1)
  double ns_per_px = 1;
  double width_px = 1;

  /// The x of a time; far outside where the time is.
  [[nodiscard]] double px_of(std::int64_t time_ns) const {
    return (offset_ns(begin_ns, time_ns) - fraction_ns) / ns_per_px;
  }
  /// The time at an x, rounded down.
  [[nodiscard]] std::int64_t time_at(double x_px) const;
  /// Every ns that is at least in part in view.
  [[nodiscard]] Interval range() const;
  /// The same stretch of the screen over times that are earlier by `shift_ns`.
  [[nodiscard]] TimeView of_side(std::int64_t shift_ns) const;
  friend bool operator==(const TimeView&, const TimeView&) = default;
};

/// Owns: a view and its bounds. Threads: one at a time. Throws: nothing.
/// Usage: `camera.zoom(1.25, pointer_x); camera.view()`.
class TimelineCamera {
 public:
  static constexpr double kLeastVisibleNs = 20;  ///< how far one may zoom in

  /// The extent that fit() shows and that cannot be left altogether. The first extent is shown.
  void set_extent(const Interval& extent);
  /// The width of the timeline; what is at the left edge stays there.
  void set_width(double width_px);

  [[nodiscard]] const TimeView& view() const { return view_; }
  [[nodiscard]] const Interval& extent() const { return extent_; }

  /// All of the extent, with a little room at both ends.
  void fit();
  /// A range, with `margin` of its length at both ends.
  void show(const Interval& range, double margin = 0.05);
  /// `factor` > 1 shows less time; what is at `pointer_px` stays there.
  void zoom(double factor, double pointer_px);
  /// Moves later by that many pixels.
  void pan(double by_px);
  /// Puts a time at the middle without zooming.
  void centre(std::int64_t time_ns);
  /// Pans by the least that brings the range into view; centres it where it is longer than the view.
  void reveal(const Interval& range);

 private:
  void place(std::int64_t anchor_ns, double anchor_fraction, double anchor_px);
  void limit();

  TimeView view_;
  Interval extent_{0, 1};
  bool shown_ = false;
};

}  // namespace quintet::viewer
