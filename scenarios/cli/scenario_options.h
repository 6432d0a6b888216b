/// The options that choose a scenario and change single values of it, shared by every sub-command
/// that plans.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/model/result.h"
#include "runtime/network/scenario.h"

namespace CLI {
class App;
}

namespace quintet {

/// What is not given is as the scenario says.
struct ScenarioOptions {
  std::string scenario;  ///< name or path
  std::optional<std::int64_t> batch;
  std::optional<std::int64_t> epochs;
  std::optional<std::int64_t> steps;  ///< of training, at most
  std::string precision;
  std::string lowering;
  bool resident_input = false;
};

void add_scenario_options(CLI::App& app, ScenarioOptions& options);

/// The scenario with its values changed; what changes the arithmetic shows in its name:
/// "generated-resnet50 (batch = 256)". Errors: those of find_scenario.
Result<Scenario> choose_scenario(const ScenarioOptions& options);

}  // namespace quintet
