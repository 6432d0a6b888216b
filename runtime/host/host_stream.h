/// A stream of a machine without a GPU: one thread that runs what is enqueued, in order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>

#include "runtime/model/stream_kind.h"

namespace quintet {

/// Something a host stream can run; the object outlives every run. Runs on the stream's thread and
/// must not throw.
class HostWork {
 public:
  virtual ~HostWork() = default;
  /// `number` and `step` are what enqueue() was given.
  virtual void run(std::int64_t number, std::int64_t step) noexcept = 0;
};

/// Owns its thread. Threads: enqueue() and synchronize() from any thread. Its thread has OpenMP
/// pinned to one. Usage: HostStream stream(StreamKind::COMP_1); stream.enqueue(work, 1, 0);
/// stream.synchronize();
class HostStream {
 public:
  explicit HostStream(StreamKind kind);
  HostStream(const HostStream&) = delete;
  HostStream& operator=(const HostStream&) = delete;
  /// Runs what is still enqueued, then joins.
  ~HostStream();

  [[nodiscard]] StreamKind kind() const { return kind_; }
  void enqueue(HostWork& work, std::int64_t number, std::int64_t step);
  /// Returns when everything enqueued before the call has run.
  void synchronize();

 private:
  struct Item {
    HostWork* work = nullptr;
    std::int64_t number = 0;
    std::int64_t step = 0;
  };
  void run();

  StreamKind kind_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::condition_variable finished_;
  std::deque<Item> queue_;
  std::uint64_t enqueued_ = 0;
  std::uint64_t done_ = 0;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace quintet
