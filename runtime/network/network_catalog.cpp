#include "runtime/network/network_catalog.h"

#include <array>
#include <fmt/format.h>

#include "runtime/network/lenet5.h"
#include "runtime/network/mlp.h"
#include "runtime/network/resnet.h"
#include "runtime/network/vgg16.h"

namespace quintet {

std::span<const NetworkEntry> network_catalog() {
  static constexpr std::array<NetworkEntry, 10> kNetworks = {{
      {"lenet5", "LeNet-5 with ReLU and max-pooling, 5 layers with weights", &lenet5},
      {"mlp", "fully connected layers with ReLU; hidden widths from the scenario", &mlp},
      {"resnet18", "ResNet-18, basic blocks, 224x224 stem", &resnet18},
      {"resnet18-twin", "three basic blocks of 8 to 32 channels", &resnet18_twin},
      {"resnet50", "ResNet-50, bottlenecks, 224x224 stem", &resnet50},
      {"resnet50-twin", "three bottlenecks of 16 to 64 channels", &resnet50_twin},
      {"vgg16", "VGG-16 with dropout", &vgg16},
      {"vgg16-bn", "VGG-16 with BatchNorm and dropout", &vgg16_bn},
      {"vgg16-bn-twin", "three convolutions with BatchNorm, one hidden layer", &vgg16_bn_twin},
      {"vgg16-twin", "three convolutions, one hidden layer, dropout", &vgg16_twin},
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
