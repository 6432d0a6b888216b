/// Random numbers whose bits depend on the seed alone: neither on the library nor on the machine.
#pragma once

#include <cstdint>

namespace quintet {

/// SplitMix64 (Steele, Lea, Flood 2014): passes BigCrush, any seed is as good as another.
class RandomBits {
 public:
  explicit constexpr RandomBits(std::uint64_t seed) : state_(seed) {}
  /// A stream of its own for each (seed, stream): epochs, images, ...
  constexpr RandomBits(std::uint64_t seed, std::uint64_t stream)
      : state_(RandomBits(seed).next() ^ RandomBits(~stream).next()) {}

  constexpr std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
    return bits ^ (bits >> 31U);
  }

  /// Uniform in [0, bound), without bias; bound >= 1.
  constexpr std::uint64_t below(std::uint64_t bound) {
    // The first 2^64 mod bound values would come up once too often.
    const std::uint64_t surplus = (0 - bound) % bound;
    std::uint64_t bits = next();
    while (bits < surplus)
      bits = next();
    return bits % bound;
  }

 private:
  std::uint64_t state_;
};

}  // namespace quintet
