/// From a scenario file to a session that can run: data opened, network built, schedule laid out,
/// policy applied.
#pragma once

#include <memory>

#include "runtime/exec/training_session.h"
#include "runtime/network/scenario.h"

namespace quintet {

/// Opens the scenario's data. Errors: those of its reader.
Result<std::shared_ptr<const DatasetPair>> open_data(const Scenario& scenario);

/// What is trained. Errors: an unknown network or an impossible combination, with the scenario's
/// file.
Result<TrainingSpec> spec_of(const Scenario& scenario, const DatasetPair& data);

}  // namespace quintet
