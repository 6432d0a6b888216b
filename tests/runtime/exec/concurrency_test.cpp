// Streams are concurrent in fact: two parts of one op are inside their tasks at the same time.
#include <chrono>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>

#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

/// Two parties that wait for each other, but not for ever.
class Rendezvous {
 public:
  explicit Rendezvous(std::chrono::milliseconds patience) : patience_(patience) {}

  void arrive() {
    std::unique_lock lock(mutex_);
    met_ = met_ || ++arrived_ >= 2;
    changed_.notify_all();
    changed_.wait_for(lock, patience_, [&] { return met_; });
    --arrived_;
  }
  [[nodiscard]] bool met() const { return met_; }

 private:
  std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  bool met_ = false;
};

bool parts_meet(const char* layer, GradientMode gradients, std::chrono::milliseconds patience) {
  const auto session = prepare_tiny(
      {.test_samples = 0, .train_steps = 1},
      policy_with("renaissance-dataflow", SyncRule::dataflow, gradients, StepMode::event_sync));
  Rendezvous rendezvous(patience);
  run_on_streams(*session, [&](const Task& task, std::int64_t /*step*/) {
    const bool part = task.part == TaskPart::dW || task.part == TaskPart::dX;
    if (part && task.layer == layer) rendezvous.arrive();
  });
  return rendezvous.met();
}

TEST(Concurrency, WeightAndInputGradientOfAConvolutionRunAtOnceWhenKeptSeparate) {
  EXPECT_TRUE(parts_meet("conv2", GradientMode::separate, std::chrono::seconds(20)));
}

TEST(Concurrency, InPlaceTheInputGradientWaitsForTheWeightGradient) {
  EXPECT_FALSE(parts_meet("conv2", GradientMode::in_place, std::chrono::milliseconds(300)));
}

}  // namespace
}  // namespace quintet::test
