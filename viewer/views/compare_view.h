/// The Compare tab: what differs between A and B, and whether it is chance.
#pragma once

#include <string>

#include "profiler/compare/comparison.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

class CompareView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "compare"; }
  [[nodiscard]] std::string_view title() const override { return "Compare"; }
  void draw(ViewContext& context) override;

 private:
  enum class Part : std::uint8_t { tasks, layers, metrics, unmatched };

  void draw_parts(const Comparison& comparison, ViewContext& context);
  void draw_tasks(const Comparison& comparison, ViewContext& context);
  void draw_layers(const Comparison& comparison, ViewContext& context);
  void draw_metrics(const Comparison& comparison, ViewContext& context);

  Part part_ = Part::tasks;
  std::string filter_;
  bool moved_only_ = false;
  bool significant_only_ = false;
};

}  // namespace quintet::viewer
