#include "runtime/network/mlp.h"

#include <string>

#include "runtime/network/network_builder.h"

namespace quintet {

NetworkDefinition mlp(const NetworkInput& input) {
  NetworkBuilder builder(
      {"mlp", input.height, input.width, input.channels, input.classes, 1.0, {}});
  builder.flatten("flatten");
  const std::vector<std::int64_t> hidden =
      input.hidden.empty() ? std::vector<std::int64_t>{512, 512} : input.hidden;
  int number = 1;
  for (const std::int64_t width : hidden) {
    builder.fc("fc" + std::to_string(number), width).relu("relu" + std::to_string(number));
    ++number;
  }
  return builder.fc("fc" + std::to_string(number), input.classes).build();
}

}  // namespace quintet
