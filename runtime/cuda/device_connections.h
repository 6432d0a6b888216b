/// How many connections (hardware queues) the streams of this process share on their way to the GPU.
#pragma once

#include <optional>

namespace quintet {

inline constexpr int kMostConnections = 32;

/// What CUDA_DEVICE_MAX_CONNECTIONS says; nothing = CUDA's own number, 8. A stream that waits for
/// another does so on the device, and waits less where both share a connection; streams that share
/// one are served in the order of issue.
std::optional<int> asked_connections();

/// 1 to kMostConnections. CUDA reads it once: to be called before the process first uses its GPU.
void ask_connections(int count);

}  // namespace quintet
