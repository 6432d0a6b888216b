/// The scalars of a step: learning rate, counters, results, and what AMP and Adam keep on the device.
#pragma once

#include <array>
#include <optional>

#include "runtime/network/graph_writer.h"

namespace quintet {

struct StepScalars {
  std::array<TensorId, 2> host_lr{};  ///< pinned, A and B
  std::array<TensorId, 2> result{};   ///< pinned, A and B: mean loss, hits
  TensorId lr;
  TensorId lr_table;
  TensorId counter;  ///< of training steps (micro-batches), skipped updates included
  std::optional<TensorId> found_inf, loss_scale, good_steps;  ///< AMP
  std::optional<TensorId> adam_t, adam_correction;
};

StepScalars add_scalars(GraphWriter& writer, const TrainingSetup& setup);

}  // namespace quintet
