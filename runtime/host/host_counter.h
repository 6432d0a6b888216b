/// A number that only grows, and threads that wait for it: how host streams tell each other what
/// has happened.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace quintet {

/// Threads: any may wait or advance. What a thread wrote before advance_to is visible
/// after wait_at_least.
class HostCounter {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kAlways = std::numeric_limits<std::int64_t>::max();

  /// Raises the value; a lower one than it has is ignored. Safe against another thread that raises
  /// it too.
  void advance_to(std::int64_t value) {
    std::int64_t seen = value_.load(std::memory_order_relaxed);
    while (seen < value && !value_.compare_exchange_weak(seen, value, std::memory_order_acq_rel)) {
    }
    if (seen < value) value_.notify_all();
  }
  void wait_at_least(std::int64_t value) const {
    std::int64_t seen = value_.load(std::memory_order_acquire);
    while (seen < value) {
      value_.wait(seen, std::memory_order_acquire);
      seen = value_.load(std::memory_order_acquire);
    }
  }
  [[nodiscard]] std::int64_t value() const { return value_.load(std::memory_order_acquire); }

 private:
  std::atomic<std::int64_t> value_{kNever};
};

}  // namespace quintet
