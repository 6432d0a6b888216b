/// How long steps take when nothing is recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "runtime/exec/training_session.h"

namespace quintet {

/// Steps that are timed, and how many of them only warm up.
inline constexpr std::int64_t kTimedSteps = 48;
inline constexpr std::int64_t kTimingWarmUp = 8;

/// Median length in ns of full training steps, the first ones left out; nothing where the schedule
/// has no kTimedSteps steps, or must_stop() held before any was timed. Throws what a task threw.
std::optional<std::int64_t> time_steps(TrainingSession& session,
                                       const std::function<bool()>& must_stop);

}  // namespace quintet
