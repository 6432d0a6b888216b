#include "runtime/policy/computed_catalog.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "runtime/policy/critical_path_policy.h"
#include "runtime/policy/heft_policy.h"
#include "runtime/policy/nimble_policy.h"
#include "runtime/policy/ooo_wgrad_policy.h"
#include "runtime/policy/opara_policy.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet {

namespace {

constexpr std::array kComputedPolicies = {
    ComputedPolicy{"nimble", "Fewest chains that take no concurrency away, on three streams",
                   nimble_mapping},
    ComputedPolicy{"opara", "Each task follows a free predecessor; memory and compute in turn",
                   opara_mapping},
    ComputedPolicy{"critical-path",
                   "The longest path on COMP_1 and more urgent, the rest spread beside it",
                   critical_path_mapping},
    ComputedPolicy{"heft", "Earliest finish by upward rank, beside what fills the device",
                   heft_mapping},
    ComputedPolicy{"ooo-wgrad", "Weight gradients beside the trunk at low priority",
                   ooo_wgrad_mapping},
};

}  // namespace

std::span<const ComputedPolicy> computed_catalog() {
  return kComputedPolicies;
}

const ComputedPolicy* find_computed(std::string_view name) {
  const auto found =
      std::find_if(kComputedPolicies.begin(), kComputedPolicies.end(),
                   [&](const ComputedPolicy& policy) { return policy.name == name; });
  return found == kComputedPolicies.end() ? nullptr : &*found;
}

Result<StreamPolicy> compute_policy(const ComputedPolicy& policy, const PlanInput& input,
                                    const TaskWeights& weights, const StepKnobs& knobs) {
  const Result<StepDag> dag = step_dag_of(input, knobs, weights);
  if (!dag) return tl::unexpected(dag.error());
  PolicyHead head;
  head.name = policy.name;
  head.description = fmt::format("{}; task times {}", policy.description, weights.source);
  head.knobs = knobs;
  return policy_of(policy.map(*dag), *dag, input.tasks, head);
}

Result<StreamPolicy> find_policy(const std::string& name_or_path, const PlanInput& input,
                                 const TaskWeights& weights, const StepKnobs& knobs) {
  if (const ComputedPolicy* computed = find_computed(name_or_path))
    return compute_policy(*computed, input, weights, knobs);
  return find_policy(name_or_path);
}

}  // namespace quintet
