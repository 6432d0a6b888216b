/// Streams and order as Opara gives them (Chen et al., arXiv 2312.10351): a task follows its first
/// predecessor that no other successor followed; tasks that wait for memory and tasks that compute
/// are issued in turn, the smaller first.
#pragma once

#include "runtime/policy/step_mapping.h"

namespace quintet {

/// Three compute streams: a task that would open a fourth goes to the one with the least work so far.
StepMapping opara_mapping(const StepDag& dag);

}  // namespace quintet
