/// The memory of a plan on a GPU: one allocation that holds every device region, one pinned
/// allocation for the host regions.
#pragma once

#include <vector>

#include "runtime/cuda/cuda_memory.h"
#include "runtime/model/access.h"
#include "runtime/model/memory_plan.h"

namespace quintet {

/// Owns both, filled with zeros. Throws CudaError that lists the plan's bytes per region where they
/// do not fit.
class DeviceArena {
 public:
  explicit DeviceArena(const MemoryPlan& plan);

  [[nodiscard]] std::byte* region(RegionId region) const { return regions_.at(region.value()); }
  [[nodiscard]] std::byte* at(const Access& access) const {
    return region(access.region) + access.offset;
  }
  /// Zeros again, and waits.
  void clear() const;

 private:
  CudaMemory device_;
  CudaMemory host_;
  std::vector<std::byte*> regions_;  ///< by RegionId
};

}  // namespace quintet
