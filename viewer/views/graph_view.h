/// The Graph tab: a captured graph with what orders its tasks, to be folded, searched and picked from.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "viewer/model/dag/dag_keeper.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

class GraphView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "graph"; }
  [[nodiscard]] std::string_view title() const override { return "Graph"; }
  void draw(ViewContext& context) override;

 private:
  void draw_tools(const DagKeeper& keeper, ViewContext& context);
  void draw_legend(const DagScene& scene, ViewContext& context);
  void draw_canvas(const DagKeeper& keeper, const DagScene& scene, ViewContext& context);
  void steer(const DagScene& scene, float width, float height);
  void fit(const DagScene& scene, float width, float height);
  void reveal(const DagKeeper& keeper, const DagScene& scene, float width, float height,
              const ViewContext& context);

  std::array<bool, kDagEdgeKindCount> shown_kinds_ = {true, true, true, true, true};
  float zoom_ = 1;      ///< pixels a unit
  DagPoint origin_;     ///< pixels from the canvas' corner to the layout's
  std::string fitted_;  ///< name of the graph that was last brought into view whole
  DagEngine fitted_engine_ = DagEngine::lanes;
  bool fit_asked_ = false;
  std::uint64_t revealed_ = 0;
};

}  // namespace quintet::viewer
