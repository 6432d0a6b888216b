/// A run of what a recording trained.
#pragma once

#include "runtime/model/result.h"
#include "viewer/model/document.h"
#include "viewer/model/run_source.h"

namespace quintet::viewer {

/// The recording's scenario with the batch, precision, lowering and input that it was recorded with;
/// executor, policy and length are left as the scenario says. Errors: a scenario that is not built
/// in, as of an import; changes that this version does not know.
Result<RunOrder> recorded_order(const Document& document);

}  // namespace quintet::viewer
