/// Memory regions: the named areas that a MemoryPlan lays out before the run. Every tensor lies in
/// exactly one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/model/ids.h"
#include "runtime/model/stream_kind.h"

namespace quintet {

/// `host` is pinned host memory that streams may read or write; `device` is the executor's own
/// memory.
enum class MemorySpace : std::uint8_t { host, device };

/// FIRST_* and DEEP_* part the first layer from the rest, as the article's sub-graphs do.
enum class RegionKind : std::uint8_t {
  HOST_BATCH_A,  ///< pinned: images and labels the loader fills, A/B
  HOST_BATCH_B,
  HOST_SCALARS,  ///< pinned: learning rates on their way to the device
  HOST_RESULTS,  ///< pinned: loss and hit count of a step, written by the device
  BATCH_A,       ///< device copy of the batch, A/B
  BATCH_B,
  FEATURES,  ///< activations, saved masks, activation gradients
  FIRST_WEIGHTS,
  DEEP_WEIGHTS,
  FIRST_GRADIENTS,  ///< weight gradients, laid out exactly as the weights
  DEEP_GRADIENTS,
  FIRST_MOMENTUM,  ///< optimizer state, laid out exactly as the weights
  DEEP_MOMENTUM,
  FIRST_VARIANCE,  ///< second moment of Adam, laid out exactly as the weights
  DEEP_VARIANCE,
  FIRST_EMA,  ///< moving average of the weights, laid out exactly as the weights
  DEEP_EMA,
  FIRST_WEIGHTS_FP16,  ///< AMP: what forward and backward read; element for element the weights
  DEEP_WEIGHTS_FP16,
  FIRST_GRADIENTS_FP16,  ///< AMP: what backward writes, scaled by the loss scale
  DEEP_GRADIENTS_FP16,
  BN_BATCH_STATS,    ///< mean and unbiased variance of the step, per BatchNorm layer
  BN_RUNNING_STATS,  ///< their moving averages, laid out exactly as BN_BATCH_STATS
  BN_INFERENCE,      ///< scale and shift that inference applies, laid out exactly as BN_BATCH_STATS
  SCALARS,           ///< learning rate, step counter
  SCHEDULE,          ///< table of learning rates for whole_step
  WORKSPACE,         ///< scratch of one stream; one region per stream
  HOST_MEMORY,       ///< pinned memory of a program that no MemoryPlan laid out
  DEVICE_MEMORY,     ///< device memory of such a program
};

inline constexpr std::size_t kRegionKindCount = 29;
/// Those that a MemoryPlan lays out; the others come after them.
inline constexpr std::size_t kPlannedRegionKindCount = 27;

constexpr std::string_view name_of(RegionKind kind) {
  constexpr std::array<std::string_view, kRegionKindCount> kNames = {"HOST_BATCH_A",
                                                                     "HOST_BATCH_B",
                                                                     "HOST_SCALARS",
                                                                     "HOST_RESULTS",
                                                                     "BATCH_A",
                                                                     "BATCH_B",
                                                                     "FEATURES",
                                                                     "FIRST_WEIGHTS",
                                                                     "DEEP_WEIGHTS",
                                                                     "FIRST_GRADIENTS",
                                                                     "DEEP_GRADIENTS",
                                                                     "FIRST_MOMENTUM",
                                                                     "DEEP_MOMENTUM",
                                                                     "FIRST_VARIANCE",
                                                                     "DEEP_VARIANCE",
                                                                     "FIRST_EMA",
                                                                     "DEEP_EMA",
                                                                     "FIRST_WEIGHTS_FP16",
                                                                     "DEEP_WEIGHTS_FP16",
                                                                     "FIRST_GRADIENTS_FP16",
                                                                     "DEEP_GRADIENTS_FP16",
                                                                     "BN_BATCH_STATS",
                                                                     "BN_RUNNING_STATS",
                                                                     "BN_INFERENCE",
                                                                     "SCALARS",
                                                                     "SCHEDULE",
                                                                     "WORKSPACE",
                                                                     "HOST_MEMORY",
                                                                     "DEVICE_MEMORY"};
  return kNames[static_cast<std::size_t>(kind)];
}

constexpr MemorySpace space_of(RegionKind kind) {
  const bool host = kind <= RegionKind::HOST_RESULTS || kind == RegionKind::HOST_MEMORY;
  return host ? MemorySpace::host : MemorySpace::device;
}

struct Region {
  RegionId id;
  RegionKind kind = RegionKind::FEATURES;
  std::optional<StreamKind> stream;  ///< the stream of a WORKSPACE, nothing for the others
  std::uint64_t bytes = 0;
  int device = 0;

  [[nodiscard]] MemorySpace space() const { return space_of(kind); }
  /// "FEATURES"; "WORKSPACE/COMP_1".
  [[nodiscard]] std::string name() const {
    std::string text(name_of(kind));
    if (stream) text += "/" + std::string(name_of(*stream));
    return text;
  }
};

}  // namespace quintet
