/// Hands batches from those who gather them to one thread that writes them, so that no run waits for
/// a disk.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <thread>
#include <utility>

namespace quintet {

/// Owns the thread, named RECORDER. push() from any thread. Neither function may throw.
///
///   BatchQueue<TraceBatch> queue(64, [&](TraceBatch batch) { ... }, [&] { ... });
///   if (!queue.push(batch)) ...  // full
///   queue.close(std::move(last));
template <class Batch>
class BatchQueue {
 public:
  /// `write` takes each batch; `idle` is called about once a second while there is none.
  BatchQueue(std::size_t most, std::function<void(Batch)> write, std::function<void()> idle)
      : most_(most), write_(std::move(write)), idle_(std::move(idle)), thread_([this] { run(); }) {}
  ~BatchQueue() {
    if (thread_.joinable()) close(std::nullopt);
  }
  BatchQueue(const BatchQueue&) = delete;
  BatchQueue& operator=(const BatchQueue&) = delete;

  /// False where `most` batches wait already: `batch` is as it was.
  bool push(Batch& batch) {
    {
      const std::lock_guard lock(mutex_);
      if (queue_.size() >= most_) return false;
      queue_.push_back(std::move(batch));
    }
    changed_.notify_one();
    return true;
  }
  /// Takes a last batch even where the queue is full, and returns when all are written.
  void close(std::optional<Batch> last) {
    {
      const std::lock_guard lock(mutex_);
      if (last) queue_.push_back(std::move(*last));
      closed_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  void run() {
    pthread_setname_np(pthread_self(), "RECORDER");
    while (std::optional<Batch> batch = next())
      write_(std::move(*batch));
  }
  /// Waits for a batch; nothing once the queue is closed and empty.
  std::optional<Batch> next() {
    std::unique_lock lock(mutex_);
    while (queue_.empty()) {
      if (closed_) return std::nullopt;
      if (changed_.wait_for(lock, std::chrono::seconds(1)) == std::cv_status::timeout) {
        lock.unlock();
        idle_();
        lock.lock();
      }
    }
    Batch batch = std::move(queue_.front());
    queue_.pop_front();
    return batch;
  }

  const std::size_t most_;
  const std::function<void(Batch)> write_;
  const std::function<void()> idle_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> queue_;
  bool closed_ = false;
  std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace quintet
