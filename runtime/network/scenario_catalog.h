/// The built-in scenarios, by name. Their text is scenarios/<name>.toml, compiled in.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/network/scenario.h"

namespace quintet {

struct BuiltinScenario {
  std::string_view name;
  std::string_view toml;
};

std::span<const BuiltinScenario> scenario_catalog();

/// A built-in by name, or else a scenario file by path. Error: neither, with the nearest built-in
/// name.
Result<Scenario> find_scenario(const std::string& name_or_path);

}  // namespace quintet
