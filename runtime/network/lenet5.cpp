#include "runtime/network/lenet5.h"

#include "runtime/network/network_builder.h"

namespace quintet {

NetworkDefinition lenet5(const NetworkInput& input) {
  constexpr Window kPadded5x5{.kernel_h = 5, .kernel_w = 5, .pad_h = 2, .pad_w = 2};
  constexpr Window k5x5{.kernel_h = 5, .kernel_w = 5};
  constexpr Window kHalve{.kernel_h = 2, .kernel_w = 2, .stride_h = 2, .stride_w = 2};
  return NetworkBuilder(
             {"lenet5", input.height, input.width, input.channels, input.classes, 1.0, {}})
      .conv("conv1", 6, kPadded5x5)
      .relu("relu1")
      .max_pool("pool1", kHalve)
      .conv("conv2", 16, k5x5)
      .relu("relu2")
      .max_pool("pool2", kHalve)
      .flatten("flatten")
      .fc("fc1", 120)
      .relu("relu3")
      .fc("fc2", 84)
      .relu("relu4")
      .fc("fc3", input.classes)
      .build();
}

}  // namespace quintet
