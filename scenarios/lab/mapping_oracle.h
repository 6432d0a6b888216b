/// The best mapping of a small step that there is, in the model of the simulator: every assignment
/// to streams, every order and every order of the streams' priorities, but for those that a bound
/// rules out. What IOS does for inference blocks (Ding et al., MLSys 2021), for streams.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/model/result.h"
#include "scenarios/lab/mapped_step.h"

namespace quintet {

/// Larger steps are refused: the number of mappings grows faster than factorially.
inline constexpr std::uint32_t kOracleTasks = 12;

struct OracleResult {
  StepMapping mapping;
  double step_ns = 0;
  std::uint64_t simulated = 0;  ///< mappings that no bound ruled out
};

/// Which of `streams` is which does not matter: no task of the step is fixed to one of them, as
/// none of a whole step is. `known` is a mapping to beat; the closer to the best, the faster.
/// Errors: more than kOracleTasks tasks; more than `most_simulated` mappings to simulate, so that
/// nothing is known.
Result<OracleResult> best_mapping(MappedStep& step, std::span<const StreamKind> streams,
                                  const StepMapping& known, std::uint64_t most_simulated);

}  // namespace quintet
