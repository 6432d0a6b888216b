/// The memory of a plan on a GPU, device regions and pinned host regions: in one allocation each, or
/// cut up so that compute-sanitizer sees more.
#pragma once

#include <array>
#include <vector>

#include "runtime/cuda/cuda_memory.h"
#include "runtime/model/execution_plan.h"
#include "runtime/model/guarded_layout.h"

namespace quintet {

enum class ArenaMode : std::uint8_t {
  one_allocation,  ///< one for all device regions, one for all host regions; zeros
  guarded,         ///< one for each block of guarded_layout(); FEATURES and workspaces unwritten
  poisoned,        ///< as one_allocation, but FEATURES and workspaces hold kPoison
};

/// A byte that makes NaN of every floating-point format and -1 of every index.
inline constexpr int kPoison = 0xFF;

/// Owns all of it. Throws CudaError; where the plan does not fit, with its bytes per region.
class DeviceArena {
 public:
  DeviceArena(const ExecutionPlan& plan, ArenaMode mode);

  /// Where the bytes of an operand begin. Guarded: a region only where some task takes it whole.
  [[nodiscard]] std::byte* at(const OperandTarget& target) const;
  [[nodiscard]] std::byte* workspace(StreamKind stream) const {
    return workspaces_[index_of(stream)];
  }
  /// Zeros everywhere, and waits.
  void clear() const;
  /// kPoison wherever every byte is to be written before it is read, and waits. `plan` is its own;
  /// not of a guarded arena.
  void poison(const MemoryPlan& plan) const;

 private:
  void allocate_at_once(const ExecutionPlan& plan);
  void allocate_apart(const ExecutionPlan& plan);
  std::byte*& begin_of(const Region& region);

  std::vector<CudaMemory> memory_;
  std::array<std::byte*, kRegionKindCount> regions_{};  ///< by RegionKind; not the workspaces
  std::array<std::byte*, kStreamCount> workspaces_{};   ///< by index_of
  std::vector<std::byte*> tensors_;                     ///< by TensorId
};

}  // namespace quintet
