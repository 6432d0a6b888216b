#include "viewer/live/recording_follower.h"

#include <filesystem>
#include <pthread.h>
#include <system_error>
#include <utility>

namespace quintet {

namespace {

bool over(const FollowStatus& status) {
  return status.state == FollowState::ended || status.state == FollowState::failed;
}

}  // namespace

RecordingFollower::RecordingFollower(FollowOptions options)
    : options_(std::move(options)), live_(options_.most_spans), thread_([this] { run(); }) {}

RecordingFollower::~RecordingFollower() {
  {
    const std::lock_guard lock(mutex_);
    quitting_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

FollowStatus RecordingFollower::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void RecordingFollower::run() {
  pthread_setname_np(pthread_self(), "FOLLOWER");
  FollowStatus now;
  std::uint64_t told = 0;
  while (true) {
    if (!over(now)) now = poll(now);
    const bool all_shown = live_.publish();
    const std::uint64_t generation = live_.snapshot().generation;
    // What is said to have ended can be seen whole.
    if (all_shown || !over(now)) {
      if (generation != told || now.state != status().state) tell(now);
      told = generation;
      if (over(now)) return;
    }
    if (!wait()) return;
  }
}

/// False where the follower shall end.
bool RecordingFollower::wait() {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, options_.interval, [this] { return quitting_; });
}

FollowStatus RecordingFollower::poll(const FollowStatus& last) {
  std::error_code error;
  if (last.state == FollowState::waiting && !std::filesystem::exists(options_.path, error))
    return last;
  Result<TraceGrowth> growth = read_growth(options_.path, position_);
  if (!growth) return {FollowState::failed, growth.error()};
  const bool grows = growth->state == RecordingState::growing;
  take(std::move(*growth));
  return {grows ? FollowState::growing : FollowState::ended, std::nullopt};
}

void RecordingFollower::take(TraceGrowth growth) {
  if (!growth.whole) {
    const TraceBatch& batch = growth.batch;
    if (batch.spans.size() == 0 && batch.steps.empty() && batch.host_waits.empty() &&
        batch.launches.empty() && batch.untimed.empty() && batch.clock_pairs.empty() &&
        batch.clocks.empty()) {
      return;
    }
    live_.append(std::move(growth.batch));
    return;
  }
  live_.begin(std::move(*growth.whole));
  if (growth.state != RecordingState::growing) live_.end({growth.state, {}, std::nullopt, {}});
}

void RecordingFollower::tell(const FollowStatus& status) {
  {
    const std::lock_guard lock(mutex_);
    status_ = status;
  }
  if (options_.changed) options_.changed();
}

}  // namespace quintet
