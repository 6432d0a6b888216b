/// How much runs beside what: metrics, the overlap of every pair of lanes, the concurrency histogram
/// and the layers that take the time.
#pragma once

#include <string>

#include "profiler/report/report.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

class OverlapView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "overlap"; }
  [[nodiscard]] std::string_view title() const override { return "Overlap"; }
  void draw(ViewContext& context) override;

 private:
  void draw_metrics(const Report& report, const ViewContext& context);
  void draw_matrix(const Report& report, ViewContext& context) const;
  void draw_concurrency(const Report& report, const ViewContext& context) const;
  void draw_layers(const Report& report, ViewContext& context) const;

  std::string filter_;
};

}  // namespace quintet::viewer
