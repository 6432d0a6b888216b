#include "runtime/network/resnet.h"

#include <array>
#include <string>

#include "runtime/network/network_builder.h"

namespace quintet {

namespace {

/// He et al. 2015: keeps the variance through ReLU.
constexpr double kResNetGain = 2.449489742783178;  // sqrt(6): uniform

constexpr Window square(std::int64_t kernel, std::int64_t stride) {
  return {.kernel_h = kernel,
          .kernel_w = kernel,
          .stride_h = stride,
          .stride_w = stride,
          .pad_h = kernel / 2,
          .pad_w = kernel / 2};
}

/// Convolution without bias and its normalisation; a ReLU of that name's block follows where asked.
void conv_bn(NetworkBuilder& b, const std::string& name, std::int64_t channels, Window window,
             bool relu) {
  b.conv(name + "/conv", channels, window, false).batch_norm(name + "/bn");
  if (relu) b.relu(name + "/relu");
}

/// Joins the block's output with its input, through a 1x1 convolution where their shapes differ.
void join(NetworkBuilder& b, const std::string& block, LayerIndex input, bool project,
          std::int64_t channels, std::int64_t stride) {
  const LayerIndex output = b.here();
  LayerIndex shortcut = input;
  if (project) {
    b.from(input);
    conv_bn(b, block + "/shortcut", channels, square(1, stride), false);
    shortcut = b.here();
  }
  b.from(output).add(block + "/add", shortcut).relu(block + "/relu");
}

void basic_block(NetworkBuilder& b, const std::string& block, std::int64_t channels,
                 std::int64_t stride, bool project) {
  const LayerIndex input = b.here();
  conv_bn(b, block + "/1", channels, square(3, stride), true);
  conv_bn(b, block + "/2", channels, square(3, 1), false);
  join(b, block, input, project, channels, stride);
}

void bottleneck(NetworkBuilder& b, const std::string& block, std::int64_t channels,
                std::int64_t stride, bool project) {
  const LayerIndex input = b.here();
  conv_bn(b, block + "/1", channels, square(1, 1), true);
  conv_bn(b, block + "/2", channels, square(3, stride), true);
  conv_bn(b, block + "/3", 4 * channels, square(1, 1), false);
  join(b, block, input, project, 4 * channels, stride);
}

using Block = void (*)(NetworkBuilder&, const std::string&, std::int64_t, std::int64_t, bool);

/// Four stages; the first block of each later one halves the image. `project_first`: stage 1 changes the channels too.
void stages(NetworkBuilder& b, Block block, const std::array<int, 4>& blocks, std::int64_t channels,
            bool project_first) {
  for (int stage = 0; stage < 4; ++stage) {
    for (int index = 0; index < blocks[static_cast<std::size_t>(stage)]; ++index) {
      const bool first = index == 0;
      const std::int64_t stride = first && stage > 0 ? 2 : 1;
      block(b, "stage" + std::to_string(stage + 1) + "/" + std::to_string(index + 1),
            channels << stage, stride, first && (stage > 0 || project_first));
    }
  }
}

NetworkBuilder image_of(const char* name, const NetworkInput& input) {
  return NetworkBuilder(
      {name, input.height, input.width, input.channels, input.classes, kResNetGain, {}});
}

/// The ImageNet stem: 7x7 stride 2, then 3x3 max-pooling stride 2.
NetworkBuilder with_stem(const char* name, const NetworkInput& input) {
  NetworkBuilder b = image_of(name, input);
  conv_bn(b, "stem", 64, square(7, 2), true);
  b.max_pool("stem/pool", square(3, 2));
  return b;
}

NetworkDefinition with_head(NetworkBuilder& b, const NetworkInput& input) {
  return b.global_avg_pool("gap").fc("fc", input.classes).build();
}

}  // namespace

NetworkDefinition resnet18(const NetworkInput& input) {
  NetworkBuilder b = with_stem("resnet18", input);
  stages(b, &basic_block, {2, 2, 2, 2}, 64, false);
  return with_head(b, input);
}

NetworkDefinition resnet50(const NetworkInput& input) {
  NetworkBuilder b = with_stem("resnet50", input);
  stages(b, &bottleneck, {3, 4, 6, 3}, 64, true);
  return with_head(b, input);
}

NetworkDefinition resnet18_twin(const NetworkInput& input) {
  NetworkBuilder b = image_of("resnet18-twin", input);
  conv_bn(b, "stem", 8, square(3, 2), true);
  stages(b, &basic_block, {1, 1, 1, 0}, 8, false);
  return with_head(b, input);
}

NetworkDefinition resnet50_twin(const NetworkInput& input) {
  NetworkBuilder b = image_of("resnet50-twin", input);
  conv_bn(b, "stem", 8, square(3, 2), true);
  stages(b, &bottleneck, {1, 1, 1, 0}, 4, true);
  return with_head(b, input);
}

}  // namespace quintet
