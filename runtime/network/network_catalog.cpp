#include "runtime/network/network_catalog.h"

#include <array>
#include <fmt/format.h>

#include "runtime/network/lenet5.h"
#include "runtime/network/mlp.h"

namespace quintet {

std::span<const NetworkEntry> network_catalog() {
  static constexpr std::array<NetworkEntry, 2> kNetworks = {{
      {"lenet5", "LeNet-5 with ReLU and max-pooling, 5 layers with weights", &lenet5},
      {"mlp", "fully connected layers with ReLU; hidden widths from the scenario", &mlp},
  }};
  return kNetworks;
}

Result<NetworkDefinition> make_network(std::string_view name, const NetworkInput& input) {
  std::string known;
  for (const NetworkEntry& entry : network_catalog()) {
    if (entry.name == name) return entry.make(input);
    known += known.empty() ? std::string(entry.name) : ", " + std::string(entry.name);
  }
  return fail(fmt::format("unknown network '{}'", name), "use one of: " + known);
}

}  // namespace quintet
