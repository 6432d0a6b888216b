#include "runtime/network/scenario_catalog.h"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <vector>

#include "runtime/network/scenario_texts.h"
#include "runtime/policy/nearest_name.h"

namespace quintet {

namespace {

constexpr std::array kCatalog = {
    BuiltinScenario{"fashion-lenet", scenario_texts::fashion_lenet},
    BuiltinScenario{"fashion-lenet-amp", scenario_texts::fashion_lenet_amp},
    BuiltinScenario{"fashion-mlp", scenario_texts::fashion_mlp},
    BuiltinScenario{"fashion-resnet18-twin", scenario_texts::fashion_resnet18_twin},
    BuiltinScenario{"fashion-vgg16bn-twin", scenario_texts::fashion_vgg16bn_twin},
    BuiltinScenario{"generated-lenet", scenario_texts::generated_lenet},
    BuiltinScenario{"generated-mlp", scenario_texts::generated_mlp},
    BuiltinScenario{"generated-mlp-512", scenario_texts::generated_mlp_512},
    BuiltinScenario{"generated-resnet18", scenario_texts::generated_resnet18},
    BuiltinScenario{"generated-resnet50", scenario_texts::generated_resnet50},
    BuiltinScenario{"generated-resnet50-twin", scenario_texts::generated_resnet50_twin},
    BuiltinScenario{"generated-vgg16bn", scenario_texts::generated_vgg16bn},
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
  std::error_code hidden;  // by a folder that may not be read, or a name too long: it says so
  if (std::filesystem::exists(name_or_path, hidden) || hidden) return load_scenario(name_or_path);
  return fail(fmt::format("no scenario is called \"{}\" and no such file exists", name_or_path),
              suggestion(name_or_path, names));
}

}  // namespace quintet
