/// Tells by the host's clock when something happened that the device's clock has timed.
///
/// The two clocks drift apart, after a minute by more than a short step lasts. Whenever the host has
/// waited for an event, the moment it went on is a reading of both.
#pragma once

#include <cstdint>
#include <limits>

namespace quintet {

/// Threads: one caller. Usage: EventClock clock(host_ns); clock.seen(5e6, now); clock.host_ns(5e6);
class EventClock {
 public:
  /// A reading counts as one with the others of so long a time, of which the shortest wait is taken.
  static constexpr double kWindowNs = 250e6;
  /// What is corrected is spread over time: so much of a length between two events at most.
  static constexpr double kMostCorrection = 1e-3;

  /// The device's time 0 was seen at `origin_ns` of the host.
  explicit EventClock(std::int64_t origin_ns = 0)
      : offset_ns_(static_cast<double>(origin_ns)), target_ns_(offset_ns_) {}

  /// The host went on at `host_ns` after it had waited for what happened at `device_ns`.
  void seen(double device_ns, std::int64_t host_ns);
  /// Later by as long as the host needs to go on after a wait. Corrections are made from call to call
  /// while `device_ns` rises.
  [[nodiscard]] std::int64_t host_ns(double device_ns);

 private:
  double offset_ns_;           ///< host minus device, as of the last answer
  double target_ns_;           ///< the same, as the readings have it
  double last_device_ns_ = 0;  ///< of the last answer
  double window_begin_ns_ = 0;
  double window_least_ns_ = std::numeric_limits<double>::infinity();
};

}  // namespace quintet
