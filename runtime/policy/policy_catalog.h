/// The built-in policies, by name. Their text is scenarios/policies/<name>.toml, compiled in.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/policy/stream_policy.h"

namespace quintet {

struct BuiltinPolicy {
  std::string_view name;
  std::string_view toml;
};

std::span<const BuiltinPolicy> policy_catalog();

/// A built-in by name, or else a policy file by path. Error: neither, with the nearest name of a
/// built-in or computed policy.
Result<StreamPolicy> find_policy(const std::string& name_or_path);

}  // namespace quintet
