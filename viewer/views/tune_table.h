/// The right of the Tune tab: every policy that was found or is known, predicted and measured.
#pragma once

#include <optional>

#include "viewer/model/tuning/measure_keeper.h"
#include "viewer/model/tuning/tune_keeper.h"
#include "viewer/views/tune_plot.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// Into what is left of the column; the row under the pointer. `keeper` has a tuning; `measure` may
/// be null.
std::optional<CandidatePick> draw_tune_table(const TuneKeeper& keeper, const MeasureKeeper* measure,
                                             ViewContext& context);

}  // namespace quintet::viewer
