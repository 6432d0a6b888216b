/// The middle of the Tune tab: step time against device memory of every policy, or how the best came
/// down while it was searched for.
#pragma once

#include <cstddef>
#include <optional>

#include "viewer/model/tuning/measure_keeper.h"
#include "viewer/model/tuning/tuning.h"
#include "viewer/views/view.h"
#include "viewer/widgets/scatter_plot.h"

namespace quintet::viewer {

/// How a candidate is drawn, in the plot and beside its name.
struct CandidateLook {
  MarkShape shape = MarkShape::circle;
  Color color;
};
CandidateLook look_of(PolicyOrigin origin, const Palette& palette);

/// The candidate under the pointer.
struct CandidatePick {
  std::size_t candidate = 0;
  bool clicked = false;
};

/// Into what is left of the column. `measure` may be null.
std::optional<CandidatePick> draw_tune_front(const Tuning& tuning, const MeasureKeeper* measure,
                                             ViewContext& context);
void draw_tune_progress(const TuneStanding& standing, ViewContext& context);

}  // namespace quintet::viewer
