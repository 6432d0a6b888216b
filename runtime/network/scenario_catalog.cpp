#include "runtime/network/scenario_catalog.h"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

#include "runtime/network/scenario_texts.h"
#include "runtime/policy/nearest_name.h"

namespace quintet {

namespace {

constexpr std::array kCatalog = {
    BuiltinScenario{"fashion-lenet", scenario_texts::fashion_lenet},
    BuiltinScenario{"fashion-mlp", scenario_texts::fashion_mlp},
    BuiltinScenario{"generated-lenet", scenario_texts::generated_lenet},
    BuiltinScenario{"generated-mlp", scenario_texts::generated_mlp},
};

}  // namespace

std::span<const BuiltinScenario> scenario_catalog() {
  return kCatalog;
}

Result<Scenario> find_scenario(const std::string& name_or_path) {
  std::vector<std::string_view> names;
  for (const BuiltinScenario& scenario : kCatalog) {
    if (scenario.name == name_or_path) {
      return parse_scenario(scenario.toml, fmt::format("scenarios/{}.toml", scenario.name));
    }
    names.push_back(scenario.name);
  }
  if (std::filesystem::exists(name_or_path)) return load_scenario(name_or_path);
  return fail(fmt::format("no scenario is called \"{}\" and no such file exists", name_or_path),
              suggestion(name_or_path, names));
}

}  // namespace quintet
