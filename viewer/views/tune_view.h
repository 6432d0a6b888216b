/// The Tune tab: a search for better mappings, live, and what it found.
#pragma once

#include <cstddef>
#include <optional>

#include "viewer/model/tuning/measure_keeper.h"
#include "viewer/model/tuning/tune_keeper.h"
#include "viewer/views/tune_plot.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// The pointer over a policy tries it, a click takes it: one edit.
class TuneView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "tune"; }
  [[nodiscard]] std::string_view title() const override { return "Tune"; }
  void draw(ViewContext& context) override;

 private:
  std::optional<CandidatePick> draw_chart(const TuneKeeper& keeper, const MeasureKeeper* measure,
                                          ViewContext& context);

  bool progress_shown_ = false;  ///< in place of the front, once there is one
};

}  // namespace quintet::viewer
