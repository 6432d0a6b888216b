/// Where every tensor lies: regions laid out before the run, and each tensor as (region, offset,
/// bytes) in one of them.
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

struct Placement {
  RegionId region;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// Why an activation gradient did or did not take its activation's bytes.
struct GradientPlacement {
  TensorId gradient;
  TensorId activation;
  bool in_place = false;
  std::string reason;
};

/// Tensors are 64-byte aligned in their region; the shape variants of FEATURES and of the batches
/// overlay each other from offset 0.
class MemoryPlan {
 public:
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

 private:
  friend MemoryPlan plan_memory(const TensorTable& tensors, const std::vector<Task>& tasks,
                                GradientMode gradients,
                                const std::array<std::uint64_t, kStreamCount>& workspace_bytes);
  std::vector<Region> regions_;
  std::vector<Placement> placements_;
  std::vector<GradientPlacement> gradient_placements_;
  GradientMode gradients_ = GradientMode::in_place;
};

/// Lays out all regions. `tasks` in program order decide which gradients may be in place: the one
/// that writes dX must not read X, and nothing later in program order within the shape variant may.
/// `workspace_bytes` per stream, by index_of.
MemoryPlan plan_memory(const TensorTable& tensors, const std::vector<Task>& tasks,
                       GradientMode gradients,
                       const std::array<std::uint64_t, kStreamCount>& workspace_bytes);

/// The accesses of a task placed on `stream` (host tasks: nothing): one per operand in slot order,
/// then its workspace if it has one.
std::vector<Access> resolve_accesses(const Task& task, std::optional<StreamKind> stream,
                                     const MemoryPlan& plan);

}  // namespace quintet
