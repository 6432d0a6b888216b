/// Watches the file of a recording that another process writes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "profiler/trace/trace.h"
#include "profiler/trace/trace_reader.h"
#include "runtime/model/result.h"
#include "viewer/live/live_snapshot.h"
#include "viewer/live/live_trace.h"

namespace quintet {

enum class FollowState : std::uint8_t {
  waiting,  ///< there is no recording yet
  growing,
  ended,   ///< complete, or abandoned by its writer: the snapshot says which
  failed,  ///< see FollowStatus::error
};

struct FollowStatus {
  FollowState state = FollowState::waiting;
  std::optional<Error> error;
};

struct FollowOptions {
  std::string path;
  std::chrono::milliseconds interval{100};
  std::function<void()> changed;  ///< called on the follower's thread; must not call the follower
  std::size_t most_spans = 20'000'000;
};

/// Owns one thread, which reads what is new in short transactions and holds nothing of the file between them. Any
/// thread may ask. Ends by itself when the recording has ended.
///
///   RecordingFollower follower({.path = "run.qtrace", .changed = glfwPostEmptyEvent});
///   each frame: follower.snapshot(); follower.status();
class RecordingFollower {
 public:
  explicit RecordingFollower(FollowOptions options);
  ~RecordingFollower();
  RecordingFollower(const RecordingFollower&) = delete;
  RecordingFollower& operator=(const RecordingFollower&) = delete;

  [[nodiscard]] FollowStatus status() const;
  [[nodiscard]] LiveSnapshot snapshot() const { return live_.snapshot(); }

 private:
  void run();
  FollowStatus poll(const FollowStatus& last);
  void take(TraceGrowth growth);
  void tell(const FollowStatus& status);
  bool wait();

  const FollowOptions options_;
  LiveTrace live_;
  GrowthPosition position_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  FollowStatus status_;
  bool quitting_ = false;
  std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace quintet
