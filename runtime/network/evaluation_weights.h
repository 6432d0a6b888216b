/// Which weights evaluation uses.
#pragma once

#include <cstdint>
#include <string_view>

namespace quintet {

enum class EvaluationWeights : std::uint8_t { trained, average };

constexpr std::string_view name_of(EvaluationWeights weights) {
  return weights == EvaluationWeights::trained ? "trained" : "average";
}

}  // namespace quintet
