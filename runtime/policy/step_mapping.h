/// A step's tasks on streams, in an order, and the StreamPolicy that says the same.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/model/result.h"
#include "runtime/policy/step_dag.h"
#include "runtime/policy/stream_policy.h"

namespace quintet {

/// Per node of a StepDag.
struct StepMapping {
  std::vector<StreamKind> streams;
  std::vector<std::uint32_t> order;  ///< of issue: a linear extension of the arcs
  std::vector<std::string> reasons;  ///< why this stream, a few words; may be empty
  std::array<int, kStreamCount> priorities{};
};

/// Everything on COMP_1 in program order, but for what is fixed elsewhere.
StepMapping one_stream(const StepDag& dag);

/// What a policy says besides its streams and its order.
struct PolicyHead {
  std::string name;
  std::string description;
  StepKnobs knobs;
};

/// The policy that gives every task of the step the stream of the mapping, in its order on each
/// stream, under `dataflow` waits. The stream of most tasks of a kind is the kind's rule, the others
/// are rules of their own with their reasons; what the step does not run (evaluation, other
/// kinds) goes by these rules and for the rest by renaissance-dataflow's table. Its `file` is
/// "<name>.toml", its lines are those of its own text (save_policy). `tasks`: those of the plan.
/// Error: a mapping that is no permutation, or against the arcs.
Result<StreamPolicy> policy_of(const StepMapping& mapping, const StepDag& dag,
                               std::span<const Task> tasks, const PolicyHead& head);

}  // namespace quintet
