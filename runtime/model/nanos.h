/// The one unit of time: integer nanoseconds. Intervals are half-open, `[begin, end)`, everywhere.
#pragma once

#include <chrono>
#include <cstdint>

namespace quintet {

using Nanos = std::chrono::nanoseconds;

/// Nanoseconds of the monotonic clock; comparable within one boot of one machine.
inline std::int64_t monotonic_ns() {
  return std::chrono::duration_cast<Nanos>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace quintet
