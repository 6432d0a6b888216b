/// Single values of a scenario changed by name, as a command line or a recording gives them.
#pragma once

#include <string>
#include <string_view>

#include "runtime/model/result.h"
#include "runtime/network/scenario.h"

namespace quintet {

/// Sets `key` (batch, precision, lowering, resident_input, epochs, steps) to `value`. What changes
/// the arithmetic of a step (all but the last two) shows in the name: "generated-resnet50 (batch =
/// 256)". Errors: an unknown key or value, with those that are known.
Result<void> change_scenario(Scenario& scenario, std::string_view key, std::string_view value);

/// The name of a changed scenario, taken apart again.
struct ChangedName {
  std::string base;     ///< "generated-resnet50"
  std::string changes;  ///< "precision = amp, lowering = fused"; empty = unchanged
};
ChangedName split_name(std::string_view name);

/// Makes every change of a list like ChangedName::changes. Errors: a piece without " = ", those of
/// change_scenario.
Result<void> apply_changes(Scenario& scenario, std::string_view changes);

}  // namespace quintet
