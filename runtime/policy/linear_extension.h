/// Linear extensions of a proved order: total orders in which all of a run's nodes may happen, for
/// stress runs that must give the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/policy/order_graph.h"

namespace quintet {

enum class ExtensionMode : std::uint8_t {
  random,          ///< any of the ready nodes, each as likely
  latest_first,    ///< always the ready node issued last: what is not held back runs too early
  earliest_first,  ///< always the ready node issued first: the order of issue itself
};

/// All nodes of `order` in an order that its edges allow. `seed` counts for `random` only; the same
/// seed gives the same order.
std::vector<std::uint32_t> linear_extension(const OrderGraph& order, ExtensionMode mode,
                                            std::uint64_t seed = 0);

}  // namespace quintet
