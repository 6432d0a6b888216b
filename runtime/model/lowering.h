/// How ops become tasks. Belongs to the scenario, never to the policy: it fixes the arithmetic and
/// so the bits.
#pragma once

#include <cstdint>
#include <string_view>

namespace quintet {

enum class Lowering : std::uint8_t {
  article,  ///< one task per part: conv backward is dW, dB and dX
  fused,    ///< several semantic parts in one task, which then covers them
};

constexpr std::string_view name_of(Lowering lowering) {
  return lowering == Lowering::article ? "article" : "fused";
}

}  // namespace quintet
