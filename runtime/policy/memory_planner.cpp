#include "runtime/policy/memory_planner.h"

#include <algorithm>
#include <map>
#include <utility>

#include "runtime/policy/buffer_packing.h"
#include "runtime/policy/feature_lifetimes.h"
#include "runtime/policy/gradient_placement.h"

namespace quintet {

namespace {

class MemoryPlanner {
 public:
  MemoryPlanner(const TensorTable& tensors, const std::vector<Task>& tasks, GradientMode gradients,
                const std::array<std::uint64_t, kStreamCount>& workspace_bytes)
      : tensors_(tensors),
        tasks_(tasks),
        mode_(gradients),
        gradients_(judge_gradients(tensors, tasks, gradients)) {
    for (Region& region : regions_) {
      if (region.stream) region.bytes = padded_bytes(workspace_bytes[index_of(*region.stream)]);
    }
    find_owners();
  }

  MemoryPlan plan(FeatureSharing sharing) {
    place_apart();
    features_ = {features().bytes, features().bytes};
    if (sharing == FeatureSharing::by_lifetime) share_features();
    return MemoryPlan(mode_, regions_, placements_, gradients_, features_);
  }

 private:
  Region& features() {
    return *std::find_if(regions_.begin(), regions_.end(),
                         [](const Region& r) { return r.kind == RegionKind::FEATURES; });
  }

  void find_owners() {
    std::vector<bool> in_place(tensors_.all().size());
    for (const GradientPlacement& verdict : gradients_)
      in_place[verdict.gradient.value()] = verdict.in_place;
    for (const Tensor& tensor : tensors_.all()) {
      const Tensor& storage = tensors_.storage_of(tensor.id);
      owners_.push_back(in_place[storage.id.value()] ? tensors_.storage_of(*storage.gradient_of).id
                                                     : storage.id);
    }
  }
  bool owns_bytes(const Tensor& tensor) const { return owners_[tensor.id.value()] == tensor.id; }

  /// Every owner gets bytes of its own: the tensors without a variant come first in their region,
  /// each shape variant then lies over the others from where they end.
  void place_apart() {
    std::map<std::pair<RegionKind, ShapeId>, std::uint64_t> used;
    placements_.resize(tensors_.all().size());
    for (const bool any_shape : {true, false}) {
      for (const Tensor& tensor : tensors_.all()) {
        if ((tensor.variant == kAnyShape) != any_shape || !owns_bytes(tensor)) continue;
        std::uint64_t& next = used[{tensor.region, tensor.variant}];
        if (next == 0 && !any_shape) next = used[{tensor.region, kAnyShape}];
        Region& region = *std::find_if(regions_.begin(), regions_.end(),
                                       [&](const Region& r) { return r.kind == tensor.region; });
        placements_[tensor.id.value()] = {region.id, next, tensor.bytes()};
        next += padded_bytes(tensor.bytes());
        region.bytes = std::max(region.bytes, next);
      }
    }
    variants_begin_ = used[{RegionKind::FEATURES, kAnyShape}];
    place_with_owners();
  }

  /// Views and gradients in place lie where their owner does.
  void place_with_owners() {
    for (const Tensor& tensor : tensors_.all()) {
      if (owns_bytes(tensor)) continue;
      const Placement& at = placements_[owners_[tensor.id.value()].value()];
      placements_[tensor.id.value()] = {at.region, at.offset, tensor.bytes()};
    }
  }

  void share_features() {
    std::map<ShapeId, std::vector<TensorId>> buffers;
    for (const Tensor& tensor : tensors_.all()) {
      const bool shares = tensor.region == RegionKind::FEATURES && tensor.variant != kAnyShape;
      if (shares && owns_bytes(tensor)) buffers[tensor.variant].push_back(tensor.id);
    }
    const MemoryPlan apart(mode_, regions_, placements_);
    const std::vector<std::size_t> first_uses = find_first_uses();
    features_.lower_bound = variants_begin_;
    features().bytes = variants_begin_;
    for (auto& [variant, of_variant] : buffers) {
      std::stable_sort(of_variant.begin(), of_variant.end(), [&](TensorId a, TensorId b) {
        return first_uses[a.value()] < first_uses[b.value()];
      });
      const FeatureLifetimes lifetimes({tensors_, tasks_, apart, owners_, of_variant, variant});
      features_.lower_bound =
          std::max(features_.lower_bound, variants_begin_ + lifetimes.lower_bound());
      pack(of_variant, lifetimes);
    }
    place_with_owners();
  }

  /// By TensorId of the owner: the index of the first task that touches its bytes.
  std::vector<std::size_t> find_first_uses() const {
    std::vector<std::size_t> first(tensors_.all().size(), tasks_.size());
    for (std::size_t index = 0; index < tasks_.size(); ++index) {
      for (const Operand& operand : tasks_[index].operands) {
        if (const auto* tensor = std::get_if<TensorId>(&operand.target)) {
          std::size_t& known = first[owners_[tensor->value()].value()];
          known = std::min(known, index);
        }
      }
    }
    return first;
  }

  void pack(const std::vector<TensorId>& buffers, const FeatureLifetimes& lifetimes) {
    std::vector<std::uint64_t> sizes;
    for (const TensorId buffer : buffers)
      sizes.push_back(padded_bytes(tensors_[buffer].bytes()));
    const BufferPacking packing = pack_buffers(
        sizes, [&](std::size_t a, std::size_t b) { return lifetimes.may_share(a, b); });
    for (std::size_t index = 0; index < buffers.size(); ++index)
      placements_[buffers[index].value()].offset = variants_begin_ + packing.offsets[index];
    features().bytes = std::max(features().bytes, variants_begin_ + packing.bytes);
  }

  const TensorTable& tensors_;
  const std::vector<Task>& tasks_;
  GradientMode mode_;
  std::vector<GradientPlacement> gradients_;
  std::vector<TensorId> owners_;  ///< by TensorId: the tensor whose bytes it lies on
  std::vector<Region> regions_ = empty_regions();
  std::vector<Placement> placements_;
  std::uint64_t variants_begin_ = 0;  ///< where the shape variants of FEATURES begin
  FeatureBytes features_;
};

}  // namespace

MemoryPlan plan_memory(const TensorTable& tensors, const std::vector<Task>& tasks,
                       GradientMode gradients,
                       const std::array<std::uint64_t, kStreamCount>& workspace_bytes,
                       FeatureSharing sharing) {
  return MemoryPlanner(tensors, tasks, gradients, workspace_bytes).plan(sharing);
}

}  // namespace quintet
