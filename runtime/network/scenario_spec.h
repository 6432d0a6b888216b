/// From a scenario to what is to be trained: data opened, network built, schedule laid out.
#pragma once

#include <memory>

#include "runtime/data/data_shape.h"
#include "runtime/data/image_dataset.h"
#include "runtime/network/scenario.h"
#include "runtime/network/training_spec.h"

namespace quintet {

/// Opens the scenario's data. Errors: those of its reader.
Result<std::shared_ptr<const DatasetPair>> open_data(const Scenario& scenario);

/// What is trained. Errors: an unknown network or an impossible combination, with the scenario's
/// file.
Result<TrainingSpec> spec_of(const Scenario& scenario, const DataShape& data);

}  // namespace quintet
