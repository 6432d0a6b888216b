/// Random step graphs for tests of mappings: nodes with weights, arcs from lower to higher numbers.
#pragma once

#include "runtime/policy/step_dag.h"
#include "tests/support/random.h"

namespace quintet::test {

/// `nodes` nodes of 1 to 100 us; each earlier node is before a later one with the given chance of
/// 100. Shares of the device are anything.
StepDag random_dag(TestRandom& random, std::uint32_t nodes, std::int64_t arc_percent);

}  // namespace quintet::test
