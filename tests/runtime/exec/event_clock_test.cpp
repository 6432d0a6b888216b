#include "runtime/exec/event_clock.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace quintet {
namespace {

constexpr std::int64_t kOrigin = 5'000'000'000;
constexpr double kStep = 50'000;

/// A device whose clock gains `drift` ns a ns, watched by a host that goes on late after a wait; its
/// shortest delay is in the origin, which was seen so late, too.
class WatchedDevice {
 public:
  explicit WatchedDevice(double drift) : drift_(drift), clock_(kOrigin) {}

  /// The host's time of the next step, and by how much it is wrong.
  std::pair<std::int64_t, double> step(bool host_waits) {
    true_ns_ += kStep;
    const double device = true_ns_ * (1 + drift_);
    if (host_waits) clock_.seen(device, host_of(true_ns_ + later_(random_)));
    const std::int64_t told = clock_.host_ns(device);
    return {told, static_cast<double>(told - host_of(true_ns_))};
  }
  [[nodiscard]] double now() const { return true_ns_; }

 private:
  static std::int64_t host_of(double true_ns) { return kOrigin + std::llround(true_ns); }

  double drift_;
  EventClock clock_;
  double true_ns_ = 0;
  std::mt19937 random_{7};
  std::exponential_distribution<double> later_{1e-4};
};

TEST(EventClock, AddsTheOriginAsLongAsNothingIsSeen) {
  EventClock clock(kOrigin);
  EXPECT_EQ(clock.host_ns(0), kOrigin);
  EXPECT_EQ(clock.host_ns(1e9), kOrigin + 1'000'000'000);
}

TEST(EventClock, FollowsADeviceThatDriftsEitherWayForMinutes) {
  for (const double drift : {-50e-6, -2e-6, 0.0, 2e-6, 50e-6}) {
    WatchedDevice device(drift);
    // What two windows drift, and their shortest delay.
    const double allowed = 2 * std::abs(drift) * EventClock::kWindowNs + 1'000;
    std::int64_t last = kOrigin;
    for (int step = 0; step < 2'000'000; ++step) {
      const auto [told, error] = device.step(true);
      ASSERT_LT(std::abs(error), allowed) << "drift " << drift << ", step " << step;
      ASSERT_NEAR(static_cast<double>(told - last), kStep, step == 0 ? 1e4 : 0.002 * kStep)
          << "steps keep their lengths";
      last = told;
    }
    EXPECT_GT(device.now(), 99e9);
  }
}

TEST(EventClock, NeverMovesAnEventBehindTheMomentItWasSeenForLong) {
  EventClock clock(kOrigin);
  clock.seen(1e6, kOrigin + 900'000);
  EXPECT_GE(clock.host_ns(1e6), kOrigin + 999'000) << "spread over time";
  EXPECT_EQ(clock.host_ns(2e9), kOrigin + 2'000'000'000 - 100'000);
}

TEST(EventClock, AnswersForEarlierTimesToo) {
  EventClock clock(kOrigin);
  clock.seen(2e6, kOrigin + 1'900'000);
  const std::int64_t later = clock.host_ns(2e6);
  EXPECT_EQ(clock.host_ns(1e6), later - 1'000'000);
}

TEST(EventClock, DoesNotTakeALateHostForADrift) {
  WatchedDevice device(0);
  for (int step = 0; step < 100'000; ++step)
    ASSERT_LT(std::abs(device.step(step % 100 == 0).second), 20'000);
}

}  // namespace
}  // namespace quintet
