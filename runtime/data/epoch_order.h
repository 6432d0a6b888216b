/// The order in which an epoch visits the images: a shuffle that the seed and the epoch fix.
#pragma once

#include <cstdint>
#include <vector>

namespace quintet {

/// The numbers 0 to count - 1, each once, every order equally likely (Fisher-Yates). The same for
/// the same count, seed and epoch on every machine. `count` is below 2^32.
std::vector<std::uint32_t> epoch_order(std::int64_t count, std::uint64_t seed, std::int64_t epoch);

}  // namespace quintet
