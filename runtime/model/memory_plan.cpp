#include "runtime/model/memory_plan.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace quintet {

namespace {

constexpr std::uint64_t kAlignment = 64;

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// For each storage tensor, the tasks (by index) that read or write it, in program order.
struct Uses {
  std::vector<std::size_t> readers;
  std::vector<std::size_t> writers;
};

std::vector<Uses> uses_of_storage(const TensorTable& tensors, const std::vector<Task>& tasks) {
  std::vector<Uses> uses(tensors.all().size());
  for (std::size_t index = 0; index < tasks.size(); ++index) {
    for (const Operand& operand : tasks[index].operands) {
      const auto* tensor = std::get_if<TensorId>(&operand.target);
      if (tensor == nullptr) continue;
      Uses& use = uses[tensors.storage_of(*tensor).id.value()];
      if (reads(operand.mode)) use.readers.push_back(index);
      if (writes(operand.mode)) use.writers.push_back(index);
    }
  }
  return uses;
}

/// Whether `gradient` may take the bytes of its activation, and why.
GradientPlacement judge_in_place(const Tensor& gradient, const TensorTable& tensors,
                                 const std::vector<Task>& tasks, const std::vector<Uses>& uses) {
  GradientPlacement verdict{gradient.id, *gradient.gradient_of, false, {}};
  const Tensor& activation = tensors.storage_of(*gradient.gradient_of);
  if (activation.role != TensorRole::activation) {
    verdict.reason = fmt::format("{} is no activation", activation.name);
    return verdict;
  }
  if (gradient.bytes() != activation.bytes()) {
    verdict.reason = fmt::format("{} has {} bytes, {} has {}", gradient.name, gradient.bytes(),
                                 activation.name, activation.bytes());
    return verdict;
  }
  const Uses& of_gradient = uses[gradient.id.value()];
  if (of_gradient.writers.empty()) {
    verdict.reason = "no task writes it";
    return verdict;
  }
  const std::size_t first_write = of_gradient.writers.front();
  for (const std::size_t reader : uses[activation.id.value()].readers) {
    if (reader >= first_write) {
      verdict.reason = fmt::format(
          "{} reads {} {}", tasks[reader].name, activation.name,
          reader == first_write ? "while it writes the gradient" : "after the gradient is written");
      return verdict;
    }
  }
  for (const std::size_t writer : uses[activation.id.value()].writers) {
    if (writer >= first_write) {
      verdict.reason = fmt::format("{} writes {} later", tasks[writer].name, activation.name);
      return verdict;
    }
  }
  verdict.in_place = true;
  verdict.reason =
      fmt::format("nothing reads {} from {} on", activation.name, tasks[first_write].name);
  return verdict;
}

/// The verdict on every activation gradient that owns its storage.
std::vector<GradientPlacement> judge_gradients(const TensorTable& tensors,
                                               const std::vector<Task>& tasks, GradientMode mode) {
  const std::vector<Uses> uses = uses_of_storage(tensors, tasks);
  std::map<TensorId, TensorId> holder;  // activation -> the gradient that has taken its bytes
  std::vector<GradientPlacement> verdicts;
  for (const Tensor& tensor : tensors.all()) {
    if (!tensor.gradient_of || tensor.view_of) continue;
    GradientPlacement verdict = judge_in_place(tensor, tensors, tasks, uses);
    if (verdict.in_place && mode == GradientMode::separate) {
      verdict.in_place = false;
      verdict.reason = "gradients = separate";
    }
    if (verdict.in_place) {
      const TensorId activation = tensors.storage_of(*tensor.gradient_of).id;
      const auto [held, free] = holder.try_emplace(activation, tensor.id);
      if (!free) {
        verdict.in_place = false;
        verdict.reason = fmt::format("{} takes those bytes", tensors[held->second].name);
      }
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace

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

MemoryPlan plan_memory(const TensorTable& tensors, const std::vector<Task>& tasks,
                       GradientMode gradients,
                       const std::array<std::uint64_t, kStreamCount>& workspace_bytes) {
  MemoryPlan plan;
  plan.gradients_ = gradients;
  for (std::size_t index = 0; index < kRegionKindCount; ++index) {
    const auto kind = static_cast<RegionKind>(index);
    if (kind == RegionKind::WORKSPACE) continue;
    const RegionId id(static_cast<std::uint32_t>(plan.regions_.size()));
    plan.regions_.push_back({id, kind, std::nullopt, 0, 0});
  }
  for (const StreamKind stream : kStreamKinds) {
    const RegionId id(static_cast<std::uint32_t>(plan.regions_.size()));
    plan.regions_.push_back(
        {id, RegionKind::WORKSPACE, stream, aligned(workspace_bytes[index_of(stream)]), 0});
  }

  plan.gradient_placements_ = judge_gradients(tensors, tasks, gradients);
  std::vector<bool> in_place(tensors.all().size(), false);
  for (const GradientPlacement& verdict : plan.gradient_placements_)
    in_place[verdict.gradient.value()] = verdict.in_place;

  plan.placements_.resize(tensors.all().size());
  // The shared tensors of a region come first; each shape variant then lies over the other from
  // where they end.
  std::map<std::pair<RegionKind, ShapeId>, std::uint64_t> used;
  const auto place = [&](const Tensor& tensor) {
    Region& region = plan.regions_[plan.region(tensor.region).id.value()];
    std::uint64_t& next = used[{tensor.region, tensor.variant}];
    if (next == 0 && tensor.variant != kAnyShape) next = used[{tensor.region, kAnyShape}];
    plan.placements_[tensor.id.value()] = {region.id, next, tensor.bytes()};
    next += aligned(tensor.bytes());
    region.bytes = std::max(region.bytes, next);
  };
  for (const bool shared : {true, false}) {
    for (const Tensor& tensor : tensors.all()) {
      if ((tensor.variant == kAnyShape) != shared) continue;
      if (!tensor.view_of && !in_place[tensor.id.value()]) place(tensor);
    }
  }
  for (const Tensor& tensor : tensors.all()) {
    const Tensor& storage = tensors.storage_of(tensor.id);
    TensorId source = storage.id;
    if (in_place[source.value()]) source = tensors.storage_of(*storage.gradient_of).id;
    if (source == tensor.id) continue;
    const Placement& at = plan.placements_[source.value()];
    plan.placements_[tensor.id.value()] = {at.region, at.offset, tensor.bytes()};
  }
  return plan;
}

std::vector<Access> resolve_accesses(const Task& task, std::optional<StreamKind> stream,
                                     const MemoryPlan& plan) {
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
