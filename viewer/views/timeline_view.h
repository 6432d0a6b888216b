/// The timeline: lanes of one or two recordings over time, with ruler and minimap.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "viewer/views/timeline_canvas.h"

namespace quintet::viewer {

/// Wheel zooms at the pointer (with Ctrl or Shift it scrolls), drag pans, Shift+drag measures, click
/// selects, double click zooms, right click opens a menu, a task dragged upright moves to another
/// stream.
class TimelineView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "timeline"; }
  [[nodiscard]] std::string_view title() const override { return "Timeline"; }
  void draw(ViewContext& context) override;

 private:
  /// What the mouse holds.
  enum class Grip : std::uint8_t { none, pressed, pan, measure, task, minimap };

  struct SideState {
    std::shared_ptr<const TimelineIndex> laid_out;
    float scale = 0;
    LaneLayout layout;
    TimelineFrame frame;
  };

  void lay_out(const TimelinePart& part, ViewContext& context);
  void cut(const ScreenBox& area, const ViewContext& context);
  void add_sides(const TimelinePart& part, const ViewContext& context);
  void follow_selection(const ViewContext& context);
  void refresh_draft(const ViewContext& context);
  void tell_drop(const ViewContext& context) const;
  void paint(const TimelinePart& part, ImDrawList& draw, ViewContext& context);
  void paint_headers(ImDrawList& draw, const ViewContext& context) const;
  void paint_scrollbar(ImDrawList& draw, const ViewContext& context) const;
  void handle_mouse(const TimelinePart& part, ViewContext& context);
  void handle_wheel(const TimelinePart& part, ViewContext& context);
  void press(const TimelinePart& part, ViewContext& context);
  void drag(const TimelinePart& part, ViewContext& context);
  void release(ViewContext& context);
  void drag_task(ViewContext& context);
  /// True where the click that ends now follows one just before.
  bool part_of_double_click();
  void hover(const TimelinePart& part, const ViewContext& context) const;
  void menu(ViewContext& context);
  void show(const TimelineCamera& camera, ViewContext& context) const;
  [[nodiscard]] TimelineCamera camera(const TimelinePart& part, const ViewContext& context) const;
  [[nodiscard]] const SideCanvas* side_at(const ImVec2& point) const;
  [[nodiscard]] std::optional<TimelineHit> hit_at(const ImVec2& point) const;
  [[nodiscard]] std::int64_t time_at(float x) const;
  [[nodiscard]] float content_height(const ViewContext& context) const;

  TimelineCanvas canvas_;
  std::array<SideState, kSideCount> sides_;
  float scroll_ = 0;
  Selection followed_;
  Grip grip_ = Grip::none;
  ImVec2 pressed_at_{};
  TimeView pressed_view_;
  float pressed_scroll_ = 0;
  double released_at_ = -1;
  std::optional<TaskDrag> drag_;
  Interval measuring_;
  std::vector<std::optional<std::uint32_t>> drafted_;  ///< per task of the edited recording
  std::uint64_t drafted_of_ = 0;                       ///< Document::generation; 0 = of none
  std::uint64_t drafted_at_ = 0;                       ///< PolicyDraft::revision
  bool drafted_tried_ = false;                         ///< of a move that is only tried
  std::optional<TimelineHit> menu_hit_;
  Side menu_side_ = Side::a;
};

}  // namespace quintet::viewer
