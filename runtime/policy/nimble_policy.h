/// Streams as Nimble gives them (Kwon et al., NeurIPS 2020): the transitive reduction is cut into
/// as few chains as it can be, chains that follow each other share a stream, and no two tasks that
/// could overlap do; then capped at the three compute streams.
#pragma once

#include "runtime/policy/chain_cover.h"
#include "runtime/policy/step_mapping.h"

namespace quintet {

/// Where the cover has more than three streams, the three heaviest keep theirs; each other one joins
/// the stream with which it could have overlapped least.
StepMapping nimble_mapping(const StepDag& dag);

/// The cover before the cap, transfers included: one stream for each number.
ChainCover nimble_cover(const StepDag& dag);

}  // namespace quintet
