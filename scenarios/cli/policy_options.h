/// The options that choose a policy and turn its knobs, shared by every sub-command that plans.
#pragma once

#include <functional>
#include <string>

#include "runtime/model/result.h"
#include "runtime/network/scenario.h"
#include "runtime/policy/plan_builder.h"
#include "runtime/policy/stream_policy.h"

namespace CLI {
class App;
}

namespace quintet {

/// Texts as given; empty = what scenario and policy say.
struct PolicyOptions {
  std::string policy;
  std::string sync;
  std::string gradients;
  std::string step;
  std::string toml;  ///< what a policy file holds, in place of `policy`; no option gives it
};

/// `otherwise`: what --help says that is taken where no policy is given.
void add_policy_options(CLI::App& app, PolicyOptions& options,
                        const std::string& otherwise = "the scenario's");

/// The policy with the knobs turned that are given.
StreamPolicy with_knobs(const PolicyOptions& options, StreamPolicy policy);

/// What a scenario's policy is computed from, made only where one is.
using PlanInputSource = std::function<Result<PlanInput>()>;

/// The policy that scenario and options give; a turned knob shows in its name: "renaissance (step =
/// whole_step)". A computed policy is computed for the knobs, with weights estimated from flops and
/// bytes.
Result<StreamPolicy> choose_policy(const PolicyOptions& options, const Scenario& scenario,
                                   const PlanInputSource& input);

}  // namespace quintet
