/// Generated task graphs for property tests: chains, trees, diamonds and wild ones, with random
/// byte accesses on random streams. The same recipe gives the same graph on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/model/execution_plan.h"

namespace quintet::test {

enum class DagFamily : std::uint8_t {
  chain,    ///< each task reads what the one before wrote
  tree,     ///< each task reads what an earlier one wrote; one writer has many readers
  diamond,  ///< forks that join again
  random,   ///< anything: shared ranges, updates, strides
};

std::string_view name_of(DagFamily family);

struct GraphRecipe {
  DagFamily family = DagFamily::random;
  std::size_t tasks = 12;
  int streams = 3;  ///< 1 to 5
  std::uint64_t seed = 0;
  bool shuffled_issue = true;  ///< issue order is a random linear extension of the conflicts
};

/// The recipe of property test number `index`: family, size (2 to 33 tasks) and streams vary.
GraphRecipe recipe(std::uint64_t index);

/// A plan that holds one graph, DEEP_FWD_BWD, without edges: one training step launches it on
/// COMP_1. Tasks in program order; some share an op. Its issue order respects all conflicts.
ExecutionPlan random_plan(const GraphRecipe& recipe);

/// The only graph of random_plan, and the only variant of its steps.
inline constexpr GraphKey kRandomGraph{GraphId::DEEP_FWD_BWD, kAnyShape, kAnyShape};
inline constexpr StepVariant kRandomStep{StepPhase::train, BufferSlot::A, kAnyShape, kAnyShape};

/// A network-like plan for measurements: per layer forward, dW, dX on COMP_1 and COMP_3 and an
/// update on UPDATE that takes a share of the weights, `tasks` in all, planned for dataflow by the
/// caller.
ExecutionPlan network_like_plan(std::size_t tasks);

/// The plain oracle: tests all pairs of accesses. `either_order` = scratch against scratch only.
struct OracleConflict {
  bool exists = false;
  bool either_order = false;
};
OracleConflict oracle_conflict(std::span<const Access> a, std::span<const Access> b);

/// The plain oracle of order inside one graph: [from][to] by position in issue order, leaving out
/// edge number `without` (graph.edges.size() = none).
std::vector<std::vector<bool>> oracle_order(const TaskGraph& graph, std::size_t without);

}  // namespace quintet::test
