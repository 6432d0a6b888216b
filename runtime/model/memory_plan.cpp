#include "runtime/model/memory_plan.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

namespace quintet {

MemoryPlan::MemoryPlan(GradientMode gradients, std::vector<Region> regions,
                       std::vector<Placement> placements,
                       std::vector<GradientPlacement> gradient_placements, FeatureBytes features)
    : regions_(std::move(regions)),
      placements_(std::move(placements)),
      gradient_placements_(std::move(gradient_placements)),
      gradients_(gradients),
      features_(features) {}

const Region& MemoryPlan::region(RegionKind kind) const {
  const auto found = std::find_if(regions_.begin(), regions_.end(),
                                  [&](const Region& r) { return r.kind == kind && !r.stream; });
  assert(found != regions_.end());
  return *found;
}

const Region& MemoryPlan::workspace(StreamKind stream) const {
  const auto found = std::find_if(regions_.begin(), regions_.end(),
                                  [&](const Region& r) { return r.stream == stream; });
  assert(found != regions_.end());
  return *found;
}

std::uint64_t MemoryPlan::bytes(MemorySpace space) const {
  std::uint64_t sum = 0;
  for (const Region& region : regions_)
    sum += region.space() == space ? region.bytes : 0;
  return sum;
}

std::vector<Region> empty_regions() {
  std::vector<Region> regions;
  const auto add = [&](RegionKind kind, std::optional<StreamKind> stream) {
    const RegionId id(static_cast<std::uint32_t>(regions.size()));
    regions.push_back({id, kind, stream, 0, 0});
  };
  for (std::size_t index = 0; index < kPlannedRegionKindCount; ++index) {
    const auto kind = static_cast<RegionKind>(index);
    if (kind != RegionKind::WORKSPACE) add(kind, std::nullopt);
  }
  for (const StreamKind stream : kStreamKinds)
    add(RegionKind::WORKSPACE, stream);
  return regions;
}

std::vector<Access> operand_accesses(const Task& task, const MemoryPlan& plan) {
  std::vector<Access> accesses;
  for (const Operand& operand : task.operands) {
    Access access;
    access.mode = operand.mode;
    access.bound = operand.bound;
    if (const auto* tensor = std::get_if<TensorId>(&operand.target)) {
      const Placement& at = plan.placement(*tensor);
      access.region = at.region;
      access.offset = at.offset;
      access.bytes = at.bytes;
    } else {
      const Region& region = plan.region(std::get<RegionKind>(operand.target));
      access.region = region.id;
      access.bytes = region.bytes;
    }
    access.space = plan.region(access.region).space();
    accesses.push_back(access);
  }
  return accesses;
}

std::vector<Access> resolve_accesses(const Task& task, std::optional<StreamKind> stream,
                                     const MemoryPlan& plan) {
  std::vector<Access> accesses = operand_accesses(task, plan);
  if (task.workspace_bytes > 0) {
    assert(stream && "a task that wants scratch needs a stream");
    const Region& region = plan.workspace(*stream);
    accesses.push_back({.region = region.id,
                        .bytes = task.workspace_bytes,
                        .mode = AccessMode::scratch,
                        .bound = AccessBound::upper});
  }
  return accesses;
}

}  // namespace quintet
