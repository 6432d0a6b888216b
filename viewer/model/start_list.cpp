#include "viewer/model/start_list.h"

#include "runtime/network/scenario_catalog.h"
#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet::viewer {

std::vector<ScenarioChoice> scenario_choices() {
  std::vector<ScenarioChoice> choices;
  for (const BuiltinScenario& entry : scenario_catalog()) {
    const Result<Scenario> scenario = find_scenario(std::string(entry.name));
    if (!scenario) continue;
    choices.push_back({scenario->name, scenario->description, scenario->network,
                       scenario->data.dataset, scenario->batch, scenario->policy});
  }
  return choices;
}

std::vector<PolicyChoice> policy_choices() {
  std::vector<PolicyChoice> choices;
  for (const BuiltinPolicy& entry : policy_catalog()) {
    const Result<StreamPolicy> policy = find_policy(std::string(entry.name));
    if (policy) choices.push_back({policy->name, policy->description});
  }
  for (const ComputedPolicy& policy : computed_catalog())
    choices.push_back({std::string(policy.name), std::string(policy.description)});
  return choices;
}

StartList::StartList(std::string recorded_folder)
    : folder_(std::move(recorded_folder)),
      scenarios_(scenario_choices()),
      policies_(policy_choices()) {}

void StartList::prepare(PartContext& context) {
  if (started_) return;
  started_ = true;
  if (folder_.empty()) {
    complete_ = true;
    return;
  }
  context.background.start<RecordedMatrix>(
      "recorded", "Looking for recordings",
      [folder = folder_](JobControl& control) { return read_recorded(folder, control); },
      [this](RecordedMatrix matrix) {
        recorded_ = std::move(matrix);
        complete_ = true;
      });
}

}  // namespace quintet::viewer
