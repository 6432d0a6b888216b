/// The precision that a network is trained in.
#pragma once

#include <cstdint>
#include <string_view>

namespace quintet {

/// FP32: everything is F32. AMP: activations, their gradients, and the weights of convolutions and
/// fully connected layers are F16 with masters in F32; BatchNorm's parameters and statistics,
/// probabilities and losses stay F32.
enum class Precision : std::uint8_t { fp32, amp };

constexpr std::string_view name_of(Precision precision) {
  return precision == Precision::fp32 ? "fp32" : "amp";
}

}  // namespace quintet
