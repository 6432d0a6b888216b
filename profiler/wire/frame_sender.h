/// Sends messages through a descriptor from a thread of its own, so that who has something to tell never waits
/// for a slow link.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "profiler/wire/rpc_message.h"

namespace quintet {

struct FrameSenderLimits {
  std::size_t droppable_bytes = std::size_t{16}
                                << 20U;  ///< beyond it only what must not be lost is queued
  std::size_t all_bytes = std::size_t{256} << 20U;  ///< beyond it the link counts as broken
};

/// Owns the thread, not the descriptor, which it makes non-blocking. Any thread may send; messages leave in
/// the order in which they were queued. SIGPIPE must be ignored. Throws std::bad_alloc alone.
class FrameSender {
 public:
  explicit FrameSender(int descriptor, FrameSenderLimits limits = {});
  /// close(), with no time left for what is queued.
  ~FrameSender();
  FrameSender(const FrameSender&) = delete;
  FrameSender& operator=(const FrameSender&) = delete;

  /// Queues a message that must not be lost. False where the link is broken, or the message longer than a
  /// frame may be.
  bool send(RpcMessage message);
  /// Queues a message for which others may have to wait. False where there is no room, or as send().
  bool send_if_room(RpcMessage message);
  /// Room for droppable messages: asked before something costly is made for them.
  [[nodiscard]] bool has_room() const;
  /// True while nothing is queued or being written.
  [[nodiscard]] bool idle() const;
  /// True once the other end has gone, or took nothing for too long.
  [[nodiscard]] bool broken() const { return broken_; }
  /// Writes what is queued, for at most so long, and ends.
  void close(std::chrono::milliseconds at_most);

 private:
  bool queue(RpcMessage message, std::size_t most_bytes);
  void run();
  bool write(const std::vector<std::byte>& frame);
  [[nodiscard]] bool out_of_time();

  const int descriptor_;
  const FrameSenderLimits limits_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<std::byte>> queue_;
  std::size_t queued_bytes_ = 0;  ///< with the frame that is being written
  bool closing_ = false;
  std::chrono::steady_clock::time_point deadline_;  ///< once closing
  std::atomic<bool> broken_ = false;
  std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace quintet
