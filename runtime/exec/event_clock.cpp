#include "runtime/exec/event_clock.h"

#include <algorithm>
#include <cmath>

namespace quintet {

void EventClock::seen(double device_ns, std::int64_t host_ns) {
  const double offset = static_cast<double>(host_ns) - device_ns;
  window_least_ns_ = std::min(window_least_ns_, offset);
  // Nothing is seen before it has happened.
  target_ns_ = std::min(target_ns_, offset);
  if (device_ns - window_begin_ns_ < kWindowNs) return;
  target_ns_ = window_least_ns_;
  window_begin_ns_ = device_ns;
  window_least_ns_ = std::numeric_limits<double>::infinity();
}

std::int64_t EventClock::host_ns(double device_ns) {
  const double most = std::max(device_ns - last_device_ns_, 0.0) * kMostCorrection;
  offset_ns_ += std::clamp(target_ns_ - offset_ns_, -most, most);
  last_device_ns_ = device_ns;
  return std::llround(device_ns + offset_ns_);
}

}  // namespace quintet
