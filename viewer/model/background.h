/// Work off the thread that draws: loading, layouts, proofs. Results come back at the start of a
/// frame, stale ones never.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace quintet::viewer {

/// What a job sees of the one who asked for it. Any thread.
class JobControl {
 public:
  /// A job that sees this returns as soon as it can; its result is dropped.
  [[nodiscard]] bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  /// Between 0 and 1; less than 0 = it cannot be told.
  void progress(double share) { progress_.store(share, std::memory_order_relaxed); }

 private:
  friend class Background;
  std::atomic<bool> cancelled_ = false;
  std::atomic<double> progress_ = -1;
};

/// A job that waits or runs, for the status line.
struct JobStatus {
  std::string key;
  std::string title;
  double progress = -1;  ///< less than 0 = it cannot be told
  bool running = false;
};

/// Owns its worker threads. Every call but those of JobControl comes from one thread, the one that
/// draws. A job is known by its key: a new job of the same key takes the place of the older one,
/// whose result is then dropped. Destruction cancels everything and waits for what runs.
///
///   background.start<Layout>("graph layout", "Laying out the graph",
///       [trace](JobControl& control) { return lay_out(*trace, control); },
///       [this](Layout layout) { layout_ = std::move(layout); });
class Background {
 public:
  /// `wake` is called by a worker whenever a result waits, so that a sleeping window draws; it must
  /// be safe on any thread. May be empty.
  explicit Background(std::function<void()> wake = {}, std::size_t workers = 2);
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background();

  /// `work` runs on a worker; `done` on this thread, out of collect(). `failed` gets what an
  /// exception of `work` said; without it such a job ends silently.
  template <class T>
  void start(std::string key, std::string title, std::function<T(JobControl&)> work,
             std::function<void(T)> done, std::function<void(std::string)> failed = {}) {
    enqueue(
        std::move(key), std::move(title),
        [work = std::move(work), done = std::move(done)](JobControl& control) -> Delivery {
          auto result = std::make_shared<T>(work(control));
          return [result, done] { done(std::move(*result)); };
        },
        std::move(failed));
  }
  /// Its result will never be delivered. No such job: nothing happens.
  void cancel(const std::string& key);
  [[nodiscard]] bool busy(const std::string& key) const;
  /// Delivers what is finished and still wanted; returns how many.
  std::size_t collect();
  /// Jobs that wait or run, oldest first.
  [[nodiscard]] std::vector<JobStatus> status() const;
  [[nodiscard]] bool idle() const;
  /// Returns once nothing waits or runs and everything is delivered: for tests and exports.
  void finish();

 private:
  using Delivery = std::function<void()>;
  struct Job;

  void enqueue(std::string key, std::string title, std::function<Delivery(JobControl&)> run,
               std::function<void(std::string)> failed);
  void work();
  void run_job(Job& job);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable waiting_;   ///< a job waits, or the end has come
  std::condition_variable finished_;  ///< a job ended
  std::deque<std::shared_ptr<Job>> queue_;
  std::vector<std::shared_ptr<Job>> jobs_;  ///< wanted ones: they wait, run or are finished
  bool closing_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace quintet::viewer
