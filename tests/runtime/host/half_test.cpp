#include "runtime/host/half.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace quintet {

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

std::vector<Half> all_halves() {
  std::vector<Half> halves(65536);
  for (std::size_t i = 0; i < halves.size(); ++i)
    halves[i].bits = static_cast<std::uint16_t>(i);
  return halves;
}

/// A half's value by its definition.
double value_of(Half half) {
  const int exponent = half.bits >> 10 & 31;
  const int fraction = half.bits & 1023;
  const double sign = (half.bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Half, WidensEveryHalfToItsValueAndBack) {
  for (const Half half : all_halves()) {
    const float wide = float_from_half(half);
    if (std::isnan(value_of(half))) {
      EXPECT_TRUE(std::isnan(wide));
      EXPECT_EQ(half_from_float(wide).bits, half.bits | 0x0200) << half.bits;
      continue;
    }
    EXPECT_EQ(static_cast<double>(wide), value_of(half)) << half.bits;
    EXPECT_EQ(std::signbit(wide), (half.bits & 0x8000) != 0);
    EXPECT_EQ(half_from_float(wide), half);
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  for (std::uint16_t bits = 0; bits < 0x7BFF; ++bits) {
    const float low = float_from_half(Half{bits});
    const float high = float_from_half(Half{static_cast<std::uint16_t>(bits + 1)});
    const float middle = (low + high) / 2;  // exact in float
    const auto even = static_cast<std::uint16_t>(bits + (bits & 1));
    EXPECT_EQ(half_from_float(middle).bits, even);
    EXPECT_EQ(half_from_float(-middle).bits, even | 0x8000);
    EXPECT_EQ(half_from_float(std::nextafter(middle, 0.0F)).bits, bits);
    EXPECT_EQ(half_from_float(std::nextafter(middle, kInf)).bits, bits + 1);
  }
}

TEST(Half, OverflowsToInfinityFrom65520) {
  EXPECT_EQ(half_from_float(65504.0F).bits, 0x7BFF);
  EXPECT_EQ(half_from_float(std::nextafter(65520.0F, 0.0F)).bits, 0x7BFF);
  EXPECT_EQ(half_from_float(65520.0F).bits, 0x7C00);
  EXPECT_EQ(half_from_float(-1e30F).bits, 0xFC00);
  EXPECT_EQ(half_from_float(kInf).bits, 0x7C00);
}

TEST(Half, RoundsWhatIsTooSmallToZeroOfTheSameSign) {
  EXPECT_EQ(half_from_float(0x1p-25F).bits, 0);
  EXPECT_EQ(half_from_float(std::nextafter(0x1p-25F, 1.0F)).bits, 1);
  EXPECT_EQ(half_from_float(-0x1p-25F).bits, 0x8000);
  EXPECT_EQ(half_from_float(std::numeric_limits<float>::denorm_min()).bits, 0);
  EXPECT_EQ(half_from_float(-0.0F).bits, 0x8000);
}

TEST(Half, ArraysOfAnyLengthConvertToTheSameBitsAsSingleValues) {
  const std::vector<Half> halves = all_halves();
  std::vector<float> wide(halves.size());
  float_from_half(halves, wide);
  for (std::size_t i = 0; i < halves.size(); ++i)
    ASSERT_EQ(bits_of(wide[i]), bits_of(float_from_half(halves[i]))) << halves[i].bits;
  for (std::size_t length = 0; length < 40; ++length) {
    std::vector<float> some(wide.begin() + 1000, wide.begin() + 1000 + static_cast<long>(length));
    std::vector<Half> narrow(length);
    half_from_float(some, narrow);
    for (std::size_t i = 0; i < length; ++i)
      EXPECT_EQ(narrow[i], halves[1000 + i]);
  }
}

TEST(Half, ArraysOfArbitraryFloatsConvertToTheSameBitsAsSingleValues) {
  std::mt19937_64 engine(5);
  std::vector<float> values(1 << 20);
  for (std::size_t i = 0; i < values.size(); ++i) {
    // All bit patterns (NaN, infinite, subnormal among them), and as many of a half's own range.
    auto bits = static_cast<std::uint32_t>(engine());
    if (i % 2 == 1) bits = (bits & 0x807FFFFFU) | (100U + bits % 45U) << 23U;
    values[i] = std::bit_cast<float>(bits);
  }
  values[0] = kInf;
  values[1] = -kInf;
  values[2] = std::bit_cast<float>(0x7F800001U);  // the least signalling NaN: its payload is lost
  values[3] = std::bit_cast<float>(0xFFFFFFFFU);
  std::vector<Half> narrow(values.size());
  half_from_float(values, narrow);
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(narrow[i].bits, half_from_float(values[i]).bits) << bits_of(values[i]);
}

}  // namespace

}  // namespace quintet
