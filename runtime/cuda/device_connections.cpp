#include "runtime/cuda/device_connections.h"

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

namespace quintet {

namespace {

constexpr const char* kVariable = "CUDA_DEVICE_MAX_CONNECTIONS";

}  // namespace

std::optional<int> asked_connections() {
  const char* const value = std::getenv(kVariable);
  if (value == nullptr) return std::nullopt;
  const std::string_view text(value);
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || count < 1 || count > kMostConnections) return std::nullopt;
  return count;
}

void ask_connections(int count) {
  setenv(kVariable, std::to_string(count).c_str(), 1);
}

}  // namespace quintet
