/// Lays out all memory of a plan: every tensor as (region, offset, bytes).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/model/memory_plan.h"

namespace quintet {

/// Lays out all regions. `tasks` in program order decide
/// * which gradients may be in place: the one that writes dX must not read X, and nothing later in
///   program order within the shape variant may;
/// * which FEATURES tensors of a shape variant may share bytes
/// (runtime/policy/feature_lifetimes.h).
/// Tensors that belong to no variant are never shared. `workspace_bytes` per stream, by index_of.
MemoryPlan plan_memory(const TensorTable& tensors, const std::vector<Task>& tasks,
                       GradientMode gradients,
                       const std::array<std::uint64_t, kStreamCount>& workspace_bytes,
                       FeatureSharing sharing = FeatureSharing::by_lifetime);

}  // namespace quintet
