/// The networks that a scenario may name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/model/result.h"
#include "runtime/network/network_definition.h"

namespace quintet {

/// What a network may vary in: the image, the classes, and the widths of its hidden layers where it
/// has a choice.
struct NetworkInput {
  std::int64_t height = 28;
  std::int64_t width = 28;
  std::int64_t channels = 1;
  std::int64_t classes = 10;
  std::vector<std::int64_t> hidden;
};

struct NetworkEntry {
  std::string_view name;
  std::string_view description;
  NetworkDefinition (*make)(const NetworkInput& input) = nullptr;
};

std::span<const NetworkEntry> network_catalog();

/// The network of that name for that input. Error: unknown name, with those that are known.
Result<NetworkDefinition> make_network(std::string_view name, const NetworkInput& input);

}  // namespace quintet
