#include "runtime/policy/policy_catalog.h"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/nearest_name.h"
#include "runtime/policy/policy_texts.h"

namespace quintet {

namespace {

constexpr std::array kBuiltinPolicies = {
    BuiltinPolicy{"serial", policy_texts::serial},
    BuiltinPolicy{"renaissance-as-published", policy_texts::renaissance_as_published},
    BuiltinPolicy{"renaissance", policy_texts::renaissance},
    BuiltinPolicy{"renaissance-dataflow", policy_texts::renaissance_dataflow},
};

/// Names every policy there is, the computed ones too: who asks does not care how one is made.
Error unknown_policy(const std::string& name) {
  std::vector<std::string_view> names;
  for (const BuiltinPolicy& policy : kBuiltinPolicies)
    names.push_back(policy.name);
  for (const ComputedPolicy& policy : computed_catalog())
    names.push_back(policy.name);
  std::string cure = suggestion(name, names);
  if (!nearest_name(name, names)) cure += ", or the path of a policy file";
  return {fmt::format("no policy is called \"{}\" and no such file exists", name), cure, {}, 0};
}

}  // namespace

std::span<const BuiltinPolicy> policy_catalog() {
  return kBuiltinPolicies;
}

Result<StreamPolicy> find_policy(const std::string& name_or_path) {
  for (const BuiltinPolicy& policy : kBuiltinPolicies) {
    if (policy.name == name_or_path) {
      return parse_policy(policy.toml, fmt::format("scenarios/policies/{}.toml", policy.name));
    }
  }
  std::error_code hidden;  // by a folder that may not be read, or a name too long: it says so
  if (std::filesystem::exists(name_or_path, hidden) || hidden) return load_policy(name_or_path);
  return tl::unexpected(unknown_policy(name_or_path));
}

}  // namespace quintet
