#include "runtime/model/guarded_layout.h"

#include <cassert>
#include <set>

namespace quintet {

namespace {

std::set<RegionKind> taken_whole(const std::vector<Task>& tasks) {
  std::set<RegionKind> kinds = {RegionKind::WORKSPACE};
  for (const Task& task : tasks) {
    for (const Operand& operand : task.operands) {
      if (const auto* kind = std::get_if<RegionKind>(&operand.target)) kinds.insert(*kind);
    }
  }
  return kinds;
}

}  // namespace

GuardedLayout guarded_layout(const TensorTable& tensors, const std::vector<Task>& tasks,
                             const MemoryPlan& plan) {
  GuardedLayout layout;
  const auto add = [&](const MemoryBlock& block) {
    layout.blocks.push_back(block);
    return layout.blocks.size() - 1;
  };
  const std::set<RegionKind> whole = taken_whole(tasks);
  for (const Region& region : plan.regions()) {
    std::optional<std::size_t>& block = layout.regions.emplace_back();
    if (whole.contains(region.kind)) block = add({region.id, 0, region.bytes});
  }
  std::vector<std::optional<std::size_t>> found(tensors.all().size());
  for (const Tensor& tensor : tensors.all()) {
    const TensorId owner = tensors.storage_of(tensor.id).id;
    const Placement& at = plan.placement(owner);
    std::optional<std::size_t>& block = found[owner.value()];
    if (!block) block = layout.regions[at.region.value()];
    if (!block) block = add({at.region, at.offset, at.bytes});
    layout.tensors.push_back(*block);
    assert(plan.placement(tensor.id).offset >= layout.blocks[*block].offset);
  }
  return layout;
}

}  // namespace quintet
