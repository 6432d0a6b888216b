#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "runtime/network/scenario_catalog.h"
#include "runtime/policy/policy_catalog.h"
#include "scenarios/cli/command.h"

namespace quintet {

namespace {

struct Options {
  std::string show;
  bool json = false;
};

ExitCode show_text(const std::string& name) {
  for (const BuiltinScenario& scenario : scenario_catalog()) {
    if (scenario.name == name) {
      fmt::print("{}", scenario.toml);
      return ExitCode::fine;
    }
  }
  for (const BuiltinPolicy& policy : policy_catalog()) {
    if (policy.name == name) {
      fmt::print("{}", policy.toml);
      return ExitCode::fine;
    }
  }
  return report_error({fmt::format("no built-in scenario or policy '{}'", name),
                       "list them with: quintet scenarios",
                       {},
                       0});
}

ExitCode list_json() {
  nlohmann::ordered_json out;
  out["scenarios"] = nlohmann::ordered_json::array();
  for (const BuiltinScenario& entry : scenario_catalog()) {
    const Result<Scenario> scenario = find_scenario(std::string(entry.name));
    if (!scenario) return report_error(scenario.error());
    out["scenarios"].push_back({{"name", scenario->name},
                                {"description", scenario->description},
                                {"network", scenario->network},
                                {"dataset", scenario->data.dataset},
                                {"batch", scenario->batch},
                                {"epochs", scenario->epochs},
                                {"policy", scenario->policy}});
  }
  out["policies"] = nlohmann::ordered_json::array();
  for (const BuiltinPolicy& entry : policy_catalog()) {
    const Result<StreamPolicy> policy = find_policy(std::string(entry.name));
    if (!policy) return report_error(policy.error());
    out["policies"].push_back({{"name", policy->name},
                               {"description", policy->description},
                               {"sync", name_of(policy->sync)},
                               {"gradients", name_of(policy->gradients)},
                               {"step", name_of(policy->step)}});
  }
  fmt::print("{}\n", out.dump(2));
  return ExitCode::fine;
}

ExitCode list_text() {
  fmt::print("Scenarios\n");
  for (const BuiltinScenario& entry : scenario_catalog()) {
    const Result<Scenario> scenario = find_scenario(std::string(entry.name));
    if (!scenario) return report_error(scenario.error());
    fmt::print("  {:<26} {}\n", scenario->name, scenario->description);
    fmt::print("  {:<26} {} on {}, batch {}, policy {}\n", "", scenario->network,
               scenario->data.dataset, scenario->batch, scenario->policy);
  }
  fmt::print("\nPolicies\n");
  for (const BuiltinPolicy& entry : policy_catalog()) {
    const Result<StreamPolicy> policy = find_policy(std::string(entry.name));
    if (!policy) return report_error(policy.error());
    fmt::print("  {:<26} {}\n", policy->name, policy->description);
    fmt::print("  {:<26} sync {}, gradients {}, step {}\n", "", name_of(policy->sync),
               name_of(policy->gradients), name_of(policy->step));
  }
  return ExitCode::fine;
}

}  // namespace

CommandAction add_scenarios(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--show", options->show, "Print the file of a built-in scenario or policy");
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options] {
    if (!options->show.empty()) return show_text(options->show);
    return options->json ? list_json() : list_text();
  };
}

}  // namespace quintet
