/// VGG-16 (Simonyan, Zisserman 2014), with and without BatchNorm, and small twins.
#pragma once

#include "runtime/network/network_catalog.h"

namespace quintet {

/// Thirteen 3x3 convolutions in five stages, then 4096-4096-classes with dropout.
NetworkDefinition vgg16(const NetworkInput& input);
NetworkDefinition vgg16_bn(const NetworkInput& input);
/// Two stages of 8 and 16 channels, one hidden layer of 32.
NetworkDefinition vgg16_twin(const NetworkInput& input);
NetworkDefinition vgg16_bn_twin(const NetworkInput& input);

}  // namespace quintet
