/// The ops of a step that belong to no layer: learning rate, clearing, statistics, scaling, update, averages, casts.
#pragma once

#include <vector>

#include "runtime/network/parameters.h"
#include "runtime/network/step_scalars.h"

namespace quintet {

/// HOST_LR_A/B, LR_TRANSFER_A/B, LR_SELECT, ZERO_GRAD (and ZERO_HALF_GRAD where micro-batches are added up in AMP).
void add_step_start(GraphWriter& writer, const TrainingSetup& setup, const StepScalars& scalars);

/// CAST_*_GRAD, NAN_CHECK_AND_GRAD_SCALING, UPDATE_STATS, OPTIMIZER or LARS_*, EMA_UPDATE, CAST_MAIN, UPDATE_BN_INF_PARAMS,
/// HOST_RESULTS_A/B: after every shape's forward and backward in program order.
void add_step_end(GraphWriter& writer, const NetworkDefinition& network, const TrainingSetup& setup,
                  const StepScalars& scalars, const std::vector<LayerParameters>& parameters,
                  std::size_t first);

}  // namespace quintet
