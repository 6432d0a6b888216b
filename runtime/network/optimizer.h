/// Which optimizer trains, with its figures.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "runtime/model/op.h"

namespace quintet {

using OptimizerHyper = std::variant<SgdHyper, AdamHyper, AdamWHyper, LarsHyper>;

/// Names as scenarios write them, in the order of the variant.
inline constexpr std::array<std::string_view, 4> kOptimizerNames = {"sgd", "adam", "adamw", "lars"};
static_assert(kOptimizerNames.size() == std::variant_size_v<OptimizerHyper>);

constexpr std::string_view name_of(const OptimizerHyper& optimizer) {
  return kOptimizerNames[optimizer.index()];
}

}  // namespace quintet
