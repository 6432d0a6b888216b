/// The left of the Tune tab: what a search may spend, how it stands, what came of it, and measuring.
#pragma once

#include "viewer/model/tuning/measure_keeper.h"
#include "viewer/model/tuning/tune_keeper.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// Into the current column. `measure` may be null: then nothing can be measured.
void draw_tune_inputs(const TuneKeeper& keeper, const MeasureKeeper* measure, ViewContext& context);

}  // namespace quintet::viewer
