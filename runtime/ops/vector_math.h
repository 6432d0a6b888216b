/// Elementary functions in FP32 as straight-line code of additions, multiplications and bit
/// operations: loops over them are vectorised, and their bits do not depend on a maths library.
#pragma once

#include <bit>
#include <cstdint>

namespace quintet {

/// `a` where `condition` holds, else `b`, without a branch: which one it is is random in most of
/// our loops, and a branch on it is mispredicted.
inline float select(bool condition, float a, float b) {
  const std::uint32_t mask = 0U - static_cast<std::uint32_t>(condition);
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(a) & mask) |
                              (std::bit_cast<std::uint32_t>(b) & ~mask));
}

/// exp(x) and exp(x) - 1, each to about one unit in the last place.
struct Exponential {
  float exp;
  float exp_minus_1;
};

/// For x <= 0. Below -87, where exp would leave the normal numbers, it is 0. NaN stays NaN.
inline Exponential exp_of_nonpositive(float x) {
  constexpr float kLog2E = 1.44269504F;
  // ln 2 in two parts: the first has so few bits that a small integer times it is exact.
  constexpr float kLn2High = 0.693359375F;
  constexpr float kLn2Low = -2.12194440e-4F;
  // Adding it rounds to an integer, which is then in the low bits of the sum.
  constexpr float kRounder = 12582912.0F;
  constexpr std::uint32_t kExponentBias = 127;
  constexpr int kMantissaBits = 23;
  constexpr float kLeast = -87.0F;

  const bool vanishes = x < kLeast;
  const float clamped = select(vanishes, kLeast, x);
  const float rounded = clamped * kLog2E + kRounder;
  const float n = rounded - kRounder;
  const float r = (clamped - n * kLn2High) - n * kLn2Low;
  // exp(r) - 1 for |r| <= ln(2) / 2: the Taylor series, whose next term is below 6e-9.
  float tail = 1.0F / 5040.0F;
  tail = tail * r + 1.0F / 720.0F;
  tail = tail * r + 1.0F / 120.0F;
  tail = tail * r + 1.0F / 24.0F;
  tail = tail * r + 1.0F / 6.0F;
  tail = tail * r + 0.5F;
  const float p = r + r * r * tail;
  const std::uint32_t exponent = std::bit_cast<std::uint32_t>(rounded) + kExponentBias;
  const float scale = select(vanishes, 0.0F, std::bit_cast<float>(exponent << kMantissaBits));
  return {scale * p + scale, scale * p + (scale - 1.0F)};
}

}  // namespace quintet
