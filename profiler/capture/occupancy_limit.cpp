#include "profiler/capture/occupancy_limit.h"

#include <algorithm>

namespace quintet {

namespace {

constexpr std::uint64_t kRegisterUnit = 256;  ///< registers given to a warp come in such portions
constexpr std::uint64_t kPartitions = 4;      ///< of a multiprocessor; each holds whole warps
constexpr std::uint64_t kSharedUnit = 128;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Warps whose registers fit; each partition has a quarter of them.
std::uint64_t warps_by_registers(const MultiprocessorLimits& limits, std::uint32_t registers) {
  const std::uint64_t of_warp =
      round_up(std::uint64_t{registers} * limits.warp_threads, kRegisterUnit);
  return limits.registers / kPartitions / of_warp * kPartitions;
}

}  // namespace

std::optional<double> theoretical_occupancy(const MultiprocessorLimits& limits,
                                            const LaunchShape& launch) {
  if (limits.threads == 0 || limits.blocks == 0 || limits.warp_threads == 0) return std::nullopt;
  const std::uint64_t block_threads =
      std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  if (block_threads == 0) return std::nullopt;
  const std::uint64_t most_warps = limits.threads / limits.warp_threads;
  const std::uint64_t block_warps = (block_threads + limits.warp_threads - 1) / limits.warp_threads;
  std::uint64_t blocks = std::min<std::uint64_t>(limits.blocks, most_warps / block_warps);
  if (launch.registers > 0 && limits.registers > 0)
    blocks = std::min(blocks, warps_by_registers(limits, launch.registers) / block_warps);
  const std::uint64_t shared = launch.static_shared_bytes + launch.dynamic_shared_bytes;
  if (limits.shared_bytes > 0) {
    const std::uint64_t of_block = round_up(shared + limits.reserved_shared_bytes, kSharedUnit);
    if (of_block > 0) blocks = std::min(blocks, limits.shared_bytes / of_block);
  }
  if (blocks == 0) return std::nullopt;
  return static_cast<double>(blocks * block_warps) / static_cast<double>(most_warps);
}

}  // namespace quintet
