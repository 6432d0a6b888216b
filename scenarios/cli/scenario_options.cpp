#include "scenarios/cli/scenario_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "runtime/network/scenario_catalog.h"
#include "runtime/network/scenario_change.h"
#include "scenarios/cli/option_checks.h"
#include "scenarios/cli/recorded_catalog.h"

namespace quintet {

namespace {

constexpr std::array kPrecisions = {Precision::fp32, Precision::amp};
constexpr std::array kLowerings = {Lowering::article, Lowering::fused};

template <class Values>
std::vector<std::string> scenario_words(const Values& values) {
  std::vector<std::string> texts;
  for (const auto value : values)
    texts.emplace_back(name_of(value));
  return texts;
}

}  // namespace

void add_scenario_options(CLI::App& app, ScenarioOptions& options) {
  app.add_option("scenario", options.scenario, "Built-in scenario or scenario file")->required();
  app.add_option("--batch", options.batch, "Override the batch")->check(whole_number(1));
  app.add_option("--epochs", options.epochs, "Override the epochs")->check(whole_number(1));
  app.add_option("--steps", options.steps, "Train at most so many steps")->check(whole_number(1));
  app.add_option("--precision", options.precision, "Override the number format")
      ->check(CLI::IsMember(scenario_words(kPrecisions)));
  app.add_option("--lowering", options.lowering, "Override how ops become tasks")
      ->check(CLI::IsMember(scenario_words(kLowerings)));
  app.add_flag("--resident-input", options.resident_input,
               "Train on the first two batches again and again, without transfers and evaluation");
}

Result<Scenario> choose_scenario(const ScenarioOptions& options) {
  if (means_recorded(options.scenario)) {
    return fail(fmt::format("{} was recorded elsewhere, it is no scenario", options.scenario),
                fmt::format("show it: quintet run {}", options.scenario));
  }
  Result<Scenario> scenario = find_scenario(options.scenario);
  if (!scenario) return scenario;
  std::vector<std::pair<std::string_view, std::string>> changes;
  if (options.batch) changes.emplace_back("batch", std::to_string(*options.batch));
  if (!options.precision.empty()) changes.emplace_back("precision", options.precision);
  if (!options.lowering.empty()) changes.emplace_back("lowering", options.lowering);
  if (options.resident_input) changes.emplace_back("resident_input", "true");
  if (options.epochs) changes.emplace_back("epochs", std::to_string(*options.epochs));
  if (options.steps) changes.emplace_back("steps", std::to_string(*options.steps));
  for (const auto& [key, value] : changes) {
    if (auto changed = change_scenario(*scenario, key, value); !changed) {
      return tl::unexpected(changed.error());
    }
  }
  return scenario;
}

}  // namespace quintet
