/// How many warps of a kernel a multiprocessor can hold, by its limits.
#pragma once

#include <cstdint>
#include <optional>

#include "profiler/trace/trace.h"

namespace quintet {

/// Of one multiprocessor, as cudaDeviceProp tells them.
struct MultiprocessorLimits {
  std::uint32_t count = 0;  ///< multiprocessors of the device
  std::uint32_t warp_threads = 32;
  std::uint32_t threads = 0;  ///< most resident
  std::uint32_t blocks = 0;   ///< most resident
  std::uint32_t registers = 0;
  std::uint64_t shared_bytes = 0;           ///< all of it
  std::uint64_t reserved_shared_bytes = 0;  ///< that the system takes of every block
};

/// Resident warps over most resident warps, from threads, blocks, registers (given out 256 a warp at
/// a time, to four partitions) and shared memory (128 bytes at a time): the rules of compute
/// capability 7.0 to 10.x in the occupancy section of NVIDIA's programming guide. Nothing where a
/// limit is unknown or one block exceeds it.
std::optional<double> theoretical_occupancy(const MultiprocessorLimits& limits,
                                            const LaunchShape& launch);

}  // namespace quintet
