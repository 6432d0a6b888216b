/// The longest path of the step on COMP_1, everything else spread over COMP_2 and COMP_3: the idea
/// of NVIDIA apex's torchsched (NVIDIA/apex#1886), with times for depths, and the path more urgent.
/// Without that a dW that is ready with the path's dX takes the device first.
#pragma once

#include "runtime/policy/step_mapping.h"

namespace quintet {

/// A task off the path goes to the side stream that lets it begin first, in program order and without
/// contention.
StepMapping critical_path_mapping(const StepDag& dag);

/// Nodes of a longest path by time, in order.
std::vector<std::uint32_t> longest_path(const StepDag& dag);

}  // namespace quintet
