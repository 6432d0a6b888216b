/// The memory of a plan on a machine without a GPU: one 64-byte aligned buffer per region, zeroed
/// at the start.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "runtime/model/access.h"
#include "runtime/model/memory_plan.h"

namespace quintet {

class HostArena {
 public:
  /// Throws std::bad_alloc where the plan does not fit.
  explicit HostArena(const MemoryPlan& plan);
  [[nodiscard]] std::span<std::byte> region(RegionId id) const;
  [[nodiscard]] std::byte* at(const Access& access) const {
    return region(access.region).data() + access.offset;
  }

 private:
  struct Free {
    void operator()(std::byte* pointer) const;
  };
  struct Buffer {
    std::unique_ptr<std::byte[], Free> data;
    std::size_t bytes = 0;
  };
  std::vector<Buffer> buffers_;
};

}  // namespace quintet
