/// Which of the policies that were rated are worth running, to find the one that is fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scenarios/lab/policy_tuner.h"

namespace quintet {

/// Places in `rated`, fastest prediction first. `count` race-free policies: half of them (the larger
/// half) the fastest that were searched for, the others the fastest known ones, each name once; what
/// one side lacks the other gives. Beyond them the fastest of each yardstick, so that the winner is
/// slower than none. Policies that only differ by name stand once. `first`: one that is run first in
/// any case, and not counted.
///
/// Found policies resemble each other, and the model errs on all alike: known ones are another guess.
std::vector<std::size_t> choose_to_measure(const std::vector<const RatedPolicy*>& rated,
                                           std::size_t count,
                                           std::optional<std::size_t> first = std::nullopt);

/// Places in `step_ns` (what each took, in the order of their runs) that one run each does not tell
/// apart: within 2 % of the fastest, as much as a device drifts meanwhile. The last first, so that a
/// steady drift weighs about the same on all. None where the fastest stands alone.
std::vector<std::size_t> choose_to_measure_again(std::span<const std::int64_t> step_ns);

}  // namespace quintet
