#include "scenarios/cli/policy_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>

#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet {

namespace {

constexpr std::array kRules = {SyncRule::adjacent, SyncRule::adjacent_conflicts, SyncRule::dataflow,
                               SyncRule::manual};
constexpr std::array kGradientModes = {GradientMode::in_place, GradientMode::separate};
constexpr std::array kStepModes = {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step};

template <class Values>
std::vector<std::string> policy_words(const Values& values) {
  std::vector<std::string> texts;
  for (const auto value : values)
    texts.emplace_back(name_of(value));
  return texts;
}

/// Sets a knob from its text; the parser has checked that it is one of the policy_words.
template <class Values, class Value>
void turn(const std::string& text, const char* knob, const Values& values, Value& value,
          std::string& turned) {
  if (text.empty()) return;
  for (const Value known : values) {
    if (name_of(known) == text) value = known;
  }
  turned += fmt::format("{}{} = {}", turned.empty() ? "" : ", ", knob, text);
}

Result<StreamPolicy> computed_for(const std::string& name, const PolicyOptions& options,
                                  const PlanInputSource& input) {
  const Result<PlanInput> step = input();
  if (!step) return tl::unexpected(step.error());
  StepKnobs knobs;
  std::string turned;
  turn(options.gradients, "gradients", kGradientModes, knobs.gradients, turned);
  turn(options.step, "step", kStepModes, knobs.step, turned);
  return find_policy(name, *step, estimated_weights(step->tasks), knobs);
}

}  // namespace

void add_policy_options(CLI::App& app, PolicyOptions& options, const std::string& otherwise) {
  app.add_option(
      "--policy", options.policy,
      fmt::format("Built-in or computed policy, or policy file (default: {})", otherwise));
  app.add_option("--sync", options.sync, "Override the policy's rule for waits")
      ->check(CLI::IsMember(policy_words(kRules)));
  app.add_option("--gradients", options.gradients, "Override where activation gradients go")
      ->check(CLI::IsMember(policy_words(kGradientModes)));
  app.add_option("--step", options.step, "Override the step mode")
      ->check(CLI::IsMember(policy_words(kStepModes)));
}

StreamPolicy with_knobs(const PolicyOptions& options, StreamPolicy policy) {
  std::string turned;
  turn(options.sync, "sync", kRules, policy.sync, turned);
  turn(options.gradients, "gradients", kGradientModes, policy.gradients, turned);
  turn(options.step, "step", kStepModes, policy.step, turned);
  if (!turned.empty()) policy.name += fmt::format(" ({})", turned);
  return policy;
}

Result<StreamPolicy> choose_policy(const PolicyOptions& options, const Scenario& scenario,
                                   const PlanInputSource& input) {
  if (!options.toml.empty()) {
    Result<StreamPolicy> given = parse_policy(options.toml, "policy");
    return given ? with_knobs(options, std::move(*given)) : given;
  }
  const std::string& name = options.policy.empty() ? scenario.policy : options.policy;
  Result<StreamPolicy> policy =
      find_computed(name) != nullptr ? computed_for(name, options, input) : find_policy(name);
  if (!policy) return policy;
  return with_knobs(options, std::move(*policy));
}

}  // namespace quintet
