/// Which training step a named range marks.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace quintet {

/// The number of a range called ProfilerStep, step or iteration (in any case), then one of "# _-",
/// then digits and nothing else: "ProfilerStep#12", "step 12", "iteration_12".
std::optional<std::int64_t> step_number(std::string_view name);

}  // namespace quintet
