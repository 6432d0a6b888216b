/// Policies that are computed from the step that they map, by name: beside the built-in ones, whose
/// text is fixed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/policy/step_mapping.h"

namespace quintet {

struct ComputedPolicy {
  std::string_view name;
  std::string_view description;
  StepMapping (*map)(const StepDag& dag);
};

std::span<const ComputedPolicy> computed_catalog();
/// Null = no computed policy is called that.
const ComputedPolicy* find_computed(std::string_view name);

/// Errors: those of step_dag_of.
Result<StreamPolicy> compute_policy(const ComputedPolicy& policy, const PlanInput& input,
                                    const TaskWeights& weights, const StepKnobs& knobs = {});

/// A built-in by name, a computed policy by name, or a policy file by path. Error: none of them, with
/// the nearest name.
Result<StreamPolicy> find_policy(const std::string& name_or_path, const PlanInput& input,
                                 const TaskWeights& weights, const StepKnobs& knobs = {});

}  // namespace quintet
