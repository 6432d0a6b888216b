/// A multi-layer perceptron: fully connected layers with ReLU between them.
#pragma once

#include "runtime/network/network_catalog.h"

namespace quintet {

/// Hidden widths as the input gives them, 512 and 512 where it gives none.
NetworkDefinition mlp(const NetworkInput& input);

}  // namespace quintet
