/// Runs a session's tasks one by one in any order that its happens-before allows.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/policy/order_graph.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {

/// Runs the nodes of `order` in the order given, in this thread. OpenMP must be pinned.
Bits run_in_order(const TrainingSession& session, const OrderGraph& order,
                  const std::vector<std::uint32_t>& nodes);

}  // namespace quintet::test
