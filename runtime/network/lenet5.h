/// LeNet-5: two convolutions with pooling, three fully connected layers.
#pragma once

#include "runtime/network/network_catalog.h"

namespace quintet {

NetworkDefinition lenet5(const NetworkInput& input);

}  // namespace quintet
