/// Where every tensor lies: regions laid out before the run, and each tensor as (region, offset,
/// bytes) in one of them. runtime/policy/memory_planner.h makes the plan.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "runtime/model/region.h"
#include "runtime/model/result.h"
#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

/// in_place: an activation gradient takes the bytes of its activation where that is safe in program
/// order.
enum class GradientMode : std::uint8_t { in_place, separate };

constexpr std::string_view name_of(GradientMode mode) {
  return mode == GradientMode::in_place ? "in_place" : "separate";
}

/// Whether the FEATURES tensors of one shape variant lie on common bytes where their lifetimes
/// allow.
enum class FeatureSharing : std::uint8_t { by_lifetime, none };

struct Placement {
  RegionId region;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// Every tensor begins at a multiple of this in its region.
inline constexpr std::uint64_t kTensorAlignment = 64;

/// The bytes that a tensor of that size takes up in its region.
constexpr std::uint64_t padded_bytes(std::uint64_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

/// Why an activation gradient did or did not take its activation's bytes.
struct GradientPlacement {
  TensorId gradient;
  TensorId activation;
  bool in_place = false;
  std::string reason;
};

/// How good the layout of FEATURES is: compare with the bytes of the region.
struct FeatureBytes {
  std::uint64_t unshared = 0;     ///< the region, were no two tensors of a variant to share bytes
  std::uint64_t lower_bound = 0;  ///< no layout is smaller that shares only where lifetimes allow
};

/// Tensors are 64-byte aligned in their region; the shape variants of FEATURES and of the batches
/// overlay each other from where the tensors that all variants share end.
class MemoryPlan {
 public:
  MemoryPlan() = default;
  /// `regions` by RegionId, `placements` by TensorId.
  MemoryPlan(GradientMode gradients, std::vector<Region> regions, std::vector<Placement> placements,
             std::vector<GradientPlacement> gradient_placements = {}, FeatureBytes features = {});

  [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }
  [[nodiscard]] const Region& region(RegionId id) const { return regions_.at(id.value()); }
  /// The region of that kind (not WORKSPACE).
  [[nodiscard]] const Region& region(RegionKind kind) const;
  /// The workspace region of a stream; 0 bytes where no task of the stream wants scratch.
  [[nodiscard]] const Region& workspace(StreamKind stream) const;
  [[nodiscard]] const Placement& placement(TensorId tensor) const {
    return placements_.at(tensor.value());
  }
  [[nodiscard]] GradientMode gradients() const { return gradients_; }
  [[nodiscard]] const std::vector<GradientPlacement>& gradient_placements() const {
    return gradient_placements_;
  }
  /// Sum over the regions of a space.
  [[nodiscard]] std::uint64_t bytes(MemorySpace space) const;
  /// FeatureBytes::unshared.
  [[nodiscard]] std::uint64_t features_unshared_bytes() const { return features_.unshared; }
  /// FeatureBytes::lower_bound.
  [[nodiscard]] std::uint64_t features_lower_bound_bytes() const { return features_.lower_bound; }

 private:
  std::vector<Region> regions_;
  std::vector<Placement> placements_;
  std::vector<GradientPlacement> gradient_placements_;
  GradientMode gradients_ = GradientMode::in_place;
  FeatureBytes features_;
};

/// One region of each kind in the order of RegionKind, then a workspace per stream; all of 0 bytes.
std::vector<Region> empty_regions();

/// The accesses of a task's operands, in slot order, without its workspace.
std::vector<Access> operand_accesses(const Task& task, const MemoryPlan& plan);

/// The accesses of a task placed on `stream` (host tasks: nothing): those of its operands, then its
/// workspace if it has one.
std::vector<Access> resolve_accesses(const Task& task, std::optional<StreamKind> stream,
                                     const MemoryPlan& plan);

}  // namespace quintet
