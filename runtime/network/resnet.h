/// Residual networks (He et al. 2015): ResNet-18 of basic blocks, ResNet-50 of bottlenecks (stride in the 3x3), and small twins.
#pragma once

#include "runtime/network/network_catalog.h"

namespace quintet {

NetworkDefinition resnet18(const NetworkInput& input);
NetworkDefinition resnet50(const NetworkInput& input);
/// The same blocks, narrow and few, for small images: one basic block a stage, 8 to 32 channels.
NetworkDefinition resnet18_twin(const NetworkInput& input);
/// One bottleneck a stage, 16 to 64 channels out.
NetworkDefinition resnet50_twin(const NetworkInput& input);

}  // namespace quintet
