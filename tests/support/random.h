/// Random numbers for tests: one seeded engine, integers and reals of a range.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace quintet {

/// Same seed, same numbers.
class TestRandom {
 public:
  explicit TestRandom(std::uint64_t seed) : engine_(seed) {}

  /// In [low, high], both included.
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  /// In [low, high).
  double real(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  std::vector<double> reals(std::size_t count, double low, double high) {
    std::vector<double> values(count);
    for (double& value : values)
      value = real(low, high);
    return values;
  }
  std::mt19937_64& engine() { return engine_; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace quintet
