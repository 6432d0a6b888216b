/// IEEE half precision (FP16) as storage: conversions to and from float, rounded to nearest even,
/// the same bits on every CPU.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace quintet {

/// The bits of a half. No arithmetic: kernels widen it, compute in float and round.
struct Half {
  std::uint16_t bits = 0;
  friend bool operator==(const Half&, const Half&) = default;
};

/// Rounded to nearest even: values of 65520 and more become infinite, subnormal halves are kept. A
/// NaN becomes quiet and keeps its sign and the upper bits of its payload.
constexpr Half half_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16U & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  const auto with_sign = [&](std::uint32_t rest) {
    return Half{static_cast<std::uint16_t>(sign | rest)};
  };
  if (magnitude > 0x7F800000U) return with_sign(0x7E00U | (magnitude >> 13U & 0x3FFU));
  if (magnitude >= 0x477FF000U) return with_sign(0x7C00U);
  // The bits that fall off, and where the rest stands: at once for normal halves, shifted further
  // the smaller the number is below 2^-14.
  std::uint32_t shift = 13;
  std::uint32_t significand = magnitude - 0x38000000U;  // exponent bias 127 - 15
  if (magnitude < 0x38800000U) {
    if (magnitude < 0x33000000U) return with_sign(0);  // below half of the least subnormal
    shift = 126U - (magnitude >> 23U);
    significand = (magnitude & 0x7FFFFFU) | 0x800000U;
  }
  const std::uint32_t kept = significand >> shift;
  const std::uint32_t lost = significand & ((1U << shift) - 1U);
  const std::uint32_t middle = 1U << (shift - 1U);
  const bool up = lost > middle || (lost == middle && (kept & 1U) != 0);
  return with_sign(kept + static_cast<std::uint32_t>(up));  // a carry runs into the exponent: right
}

/// Exact. A signalling NaN becomes quiet.
constexpr float float_from_half(Half half) {
  const std::uint32_t sign = (half.bits & 0x8000U) << 16U;
  const std::uint32_t magnitude = half.bits & 0x7FFFU;
  if (magnitude > 0x7C00U) {
    return std::bit_cast<float>(sign | 0x7FC00000U | (magnitude & 0x3FFU) << 13U);
  }
  if (magnitude == 0x7C00U) return std::bit_cast<float>(sign | 0x7F800000U);
  if (magnitude >= 0x400U) return std::bit_cast<float>(sign | ((magnitude << 13U) + 0x38000000U));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24F;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(subnormal));
}

/// Whole arrays of equal length, with the CPU's own instructions where it has them.
void half_from_float(std::span<const float> from, std::span<Half> to);
void float_from_half(std::span<const Half> from, std::span<float> to);

/// True where half_from_float and float_from_half of arrays use F16C.
bool cpu_converts_half();

}  // namespace quintet
