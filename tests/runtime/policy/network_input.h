/// Networks as build_plan takes them; every task that computes wants scratch, as kernel planning
/// would have it.
#pragma once

#include <string_view>

#include "runtime/network/network_catalog.h"
#include "runtime/network/training_graph.h"
#include "runtime/policy/plan_builder.h"

namespace quintet::test {

PlanInput planned_input(std::string_view network_name, const NetworkInput& input,
                        const TrainingSetup& setup);

/// In small shapes, with training, evaluation and their tails.
PlanInput planned_input(std::string_view network_name, Precision precision = Precision::fp32);

/// At 224x224 and batch 32, training and evaluation without tails.
PlanInput full_size_input(std::string_view network_name, Precision precision = Precision::fp32);

}  // namespace quintet::test
