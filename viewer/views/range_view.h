/// What was measured: the range in numbers, per lane and per task.
#pragma once

#include "viewer/model/timeline_part.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

class RangeView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "range"; }
  [[nodiscard]] std::string_view title() const override { return "Range"; }
  void draw(ViewContext& context) override;

 private:
  void draw_lanes(const TimelinePart& part, const ViewContext& context) const;
  void draw_tasks(const TimelinePart& part, ViewContext& context) const;
};

}  // namespace quintet::viewer
