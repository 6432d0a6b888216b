#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "runtime/network/scenario_catalog.h"
#include "runtime/policy/policy_catalog.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/standard_output.h"

namespace quintet {

namespace {

struct Options {
  std::string show;
  bool json = false;
};

ExitCode show_text(const std::string& name) {
  for (const BuiltinScenario& scenario : scenario_catalog()) {
    if (scenario.name == name) return print_output(scenario.toml);
  }
  for (const BuiltinPolicy& policy : policy_catalog()) {
    if (policy.name == name) return print_output(policy.toml);
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
  return print_output(out.dump(2) + "\n");
}

ExitCode list_text() {
  std::string text = "Scenarios\n";
  for (const BuiltinScenario& entry : scenario_catalog()) {
    const Result<Scenario> scenario = find_scenario(std::string(entry.name));
    if (!scenario) return report_error(scenario.error());
    text += fmt::format("  {:<26} {}\n", scenario->name, scenario->description);
    text += fmt::format("  {:<26} {} on {}, batch {}, policy {}\n", "", scenario->network,
                        scenario->data.dataset, scenario->batch, scenario->policy);
  }
  text += "\nPolicies\n";
  for (const BuiltinPolicy& entry : policy_catalog()) {
    const Result<StreamPolicy> policy = find_policy(std::string(entry.name));
    if (!policy) return report_error(policy.error());
    text += fmt::format("  {:<26} {}\n", policy->name, policy->description);
    text += fmt::format("  {:<26} sync {}, gradients {}, step {}\n", "", name_of(policy->sync),
                        name_of(policy->gradients), name_of(policy->step));
  }
  return print_output(text);
}

}  // namespace

CommandAction add_scenarios(CLI::App& app) {
  auto options = std::make_shared<Options>();
  auto* show =
      app.add_option("--show", options->show, "Print the file of a built-in scenario or policy");
  app.add_flag("--json", options->json, "One JSON object on standard output")->excludes(show);
  return [options] {
    if (!options->show.empty()) return show_text(options->show);
    return options->json ? list_json() : list_text();
  };
}

}  // namespace quintet
