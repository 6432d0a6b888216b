/// Philox 4x32-10, the counter-based random number generator of Salmon et al. 2011 ("Parallel
/// random numbers: as easy as 1, 2, 3"): a pure function of counter and key, the same on every
/// device and in every order.
#pragma once

#include <array>
#include <cstdint>

namespace quintet {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

inline constexpr int kPhiloxRounds = 10;

constexpr PhiloxCounter philox_round(PhiloxCounter counter, PhiloxKey key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
  const std::uint64_t product0 = kMultiplier0 * counter[0];
  const std::uint64_t product1 = kMultiplier1 * counter[2];
  return {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
          static_cast<std::uint32_t>(product1),
          static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
          static_cast<std::uint32_t>(product0)};
}

/// The key of the round after.
constexpr PhiloxKey next_philox_key(PhiloxKey key) {
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
  return {key[0] + kWeyl0, key[1] + kWeyl1};
}

/// Four independent uniform 32-bit numbers.
constexpr PhiloxCounter philox_4x32_10(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < kPhiloxRounds; ++round) {
    counter = philox_round(counter, key);
    key = next_philox_key(key);
  }
  return counter;
}

}  // namespace quintet
