#include "runtime/network/vgg16.h"

#include <string>
#include <vector>

#include "runtime/network/network_builder.h"

namespace quintet {

namespace {

/// He et al. 2015: keeps the variance through ReLU.
constexpr double kVggGain = 2.449489742783178;  // sqrt(6): uniform

constexpr Window k3x3{.kernel_h = 3, .kernel_w = 3, .pad_h = 1, .pad_w = 1};
constexpr Window kHalve{.kernel_h = 2, .kernel_w = 2, .stride_h = 2, .stride_w = 2};
constexpr float kDropout = 0.5F;

/// Channels and number of convolutions of each stage, widths of the hidden layers.
struct Widths {
  std::vector<std::pair<std::int64_t, int>> stages;
  std::vector<std::int64_t> hidden;
};

NetworkDefinition vgg(const char* name, const NetworkInput& input, const Widths& widths,
                      bool batch_norm) {
  NetworkBuilder b({name, input.height, input.width, input.channels, input.classes, kVggGain, {}});
  int stage_number = 0;
  for (const auto& [channels, count] : widths.stages) {
    ++stage_number;
    for (int index = 1; index <= count; ++index) {
      const std::string layer = std::to_string(stage_number) + "_" + std::to_string(index);
      b.conv("conv" + layer, channels, k3x3, !batch_norm);
      if (batch_norm) b.batch_norm("bn" + layer);
      b.relu("relu" + layer);
    }
    b.max_pool("pool" + std::to_string(stage_number), kHalve);
  }
  b.flatten("flatten");
  int number = 0;
  for (const std::int64_t width : widths.hidden) {
    const std::string layer = std::to_string(++number);
    b.fc("fc" + layer, width).relu("fc_relu" + layer).dropout("dropout" + layer, kDropout);
  }
  return b.fc("fc" + std::to_string(number + 1), input.classes).build();
}

Widths full() {
  return {{{64, 2}, {128, 2}, {256, 3}, {512, 3}, {512, 3}}, {4096, 4096}};
}

Widths twin() {
  return {{{8, 1}, {16, 2}}, {32}};
}

}  // namespace

NetworkDefinition vgg16(const NetworkInput& input) {
  return vgg("vgg16", input, full(), false);
}

NetworkDefinition vgg16_bn(const NetworkInput& input) {
  return vgg("vgg16-bn", input, full(), true);
}

NetworkDefinition vgg16_twin(const NetworkInput& input) {
  return vgg("vgg16-twin", input, twin(), false);
}

NetworkDefinition vgg16_bn_twin(const NetworkInput& input) {
  return vgg("vgg16-bn-twin", input, twin(), true);
}

}  // namespace quintet
