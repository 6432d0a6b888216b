/// Which FEATURES buffers of one shape variant may lie on common bytes: those that the data itself
/// keeps apart in time, under any policy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/model/memory_plan.h"
#include "runtime/policy/bit_rows.h"

namespace quintet {

/// A buffer is a tensor that owns bytes, with its views and the gradient that lies in its place.
struct LifetimeInput {
  const TensorTable& tensors;
  std::span<const Task> tasks;        ///< all of the plan, in program order
  const MemoryPlan& apart;            ///< in which every buffer has bytes of its own
  std::span<const TensorId> owners;   ///< by TensorId: the tensor whose bytes it lies on
  std::span<const TensorId> buffers;  ///< the variant's FEATURES tensors that own bytes
  ShapeId variant;
};

/// Two buffers may share where in every step every task that touches the one is ordered before
/// every task that touches the other by true data dependencies: the closure of the conflicts of
/// `apart` within the step, workspaces and streams left out. So sharing adds no order to a step that
/// the data did not demand, whatever the policy. A step holds the sub-graphs of its own slot: of A/B
/// twins one, each judged on its own. FEATURES hold one step at a time, as its shape variants lie
/// over each other; buffers that only twins touch (inference A, inference B) may share.
/// A buffer shares with none where a step reads bytes of it that it has not written (they carry
/// something from step to step), or where a task touches it that is not launched with its variant.
/// One that no task touches (what lay between two ops that became one task) may share with all.
class FeatureLifetimes {
 public:
  explicit FeatureLifetimes(const LifetimeInput& input);

  /// By index into LifetimeInput::buffers; false for a == b.
  [[nodiscard]] bool may_share(std::size_t a, std::size_t b) const { return !apart_.test(a, b); }
  /// The heaviest set found of buffers of which no two may share: no layout of the variant is
  /// smaller. Found by adding, to those that live at one point of program order, what else may share
  /// with none of them.
  [[nodiscard]] std::uint64_t lower_bound() const { return lower_bound_; }

 private:
  BitRows apart_;
  std::uint64_t lower_bound_ = 0;
};

}  // namespace quintet
