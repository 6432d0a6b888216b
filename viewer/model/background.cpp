#include "viewer/model/background.h"

#include <algorithm>
#include <exception>

namespace quintet::viewer {

struct Background::Job {
  enum class Phase : std::uint8_t { waits, runs, finished };

  std::string key;
  std::string title;
  std::function<Delivery(JobControl&)> run;
  std::function<void(std::string)> failed;
  JobControl control;
  Phase phase = Phase::waits;  ///< guarded by the mutex, as is `delivery`
  Delivery delivery;           ///< empty = cancelled, or failed in silence
};

Background::Background(std::function<void()> wake, std::size_t workers) : wake_(std::move(wake)) {
  for (std::size_t worker = 0; worker < std::max<std::size_t>(workers, 1); ++worker)
    workers_.emplace_back([this] { work(); });
}

Background::~Background() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    queue_.clear();
    for (const std::shared_ptr<Job>& job : jobs_)
      job->control.cancelled_ = true;
  }
  waiting_.notify_all();
  for (std::thread& worker : workers_)
    worker.join();
}

void Background::enqueue(std::string key, std::string title,
                         std::function<Delivery(JobControl&)> run,
                         std::function<void(std::string)> failed) {
  cancel(key);
  auto job = std::make_shared<Job>();
  job->key = std::move(key);
  job->title = std::move(title);
  job->run = std::move(run);
  job->failed = std::move(failed);
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(job);
    jobs_.push_back(std::move(job));
  }
  waiting_.notify_one();
}

void Background::cancel(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto has_key = [&](const std::shared_ptr<Job>& job) { return job->key == key; };
  for (const std::shared_ptr<Job>& job : jobs_) {
    if (has_key(job)) job->control.cancelled_ = true;
  }
  std::erase_if(queue_, has_key);
  // A running one is forgotten at once: its worker keeps it alive, and nobody delivers it.
  std::erase_if(jobs_, has_key);
}

bool Background::busy(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(jobs_.begin(), jobs_.end(),
                     [&](const std::shared_ptr<Job>& job) { return job->key == key; });
}

std::size_t Background::collect() {
  std::vector<std::shared_ptr<Job>> finished;
  {
    const std::lock_guard lock(mutex_);
    const auto rest = std::stable_partition(
        jobs_.begin(), jobs_.end(),
        [](const std::shared_ptr<Job>& job) { return job->phase != Job::Phase::finished; });
    finished.assign(rest, jobs_.end());
    jobs_.erase(rest, jobs_.end());
  }
  for (const std::shared_ptr<Job>& job : finished) {
    // One delivery may cancel a later one.
    if (job->delivery && !job->control.cancelled()) job->delivery();
  }
  return finished.size();
}

std::vector<JobStatus> Background::status() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobStatus> all;
  for (const std::shared_ptr<Job>& job : jobs_) {
    if (job->phase == Job::Phase::finished) continue;
    all.push_back({job->key, job->title, job->control.progress_.load(std::memory_order_relaxed),
                   job->phase == Job::Phase::runs});
  }
  return all;
}

bool Background::idle() const {
  const std::lock_guard lock(mutex_);
  return jobs_.empty();
}

void Background::finish() {
  while (!idle()) {
    {
      std::unique_lock lock(mutex_);
      finished_.wait(lock, [this] {
        return std::any_of(jobs_.begin(), jobs_.end(),
                           [](const std::shared_ptr<Job>& job) {
                             return job->phase == Job::Phase::finished;
                           }) ||
               jobs_.empty();
      });
    }
    collect();
  }
}

void Background::work() {
  while (true) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      waiting_.wait(lock, [this] { return closing_ || !queue_.empty(); });
      if (closing_) return;
      job = std::move(queue_.front());
      queue_.pop_front();
      job->phase = Job::Phase::runs;
    }
    run_job(*job);
    finished_.notify_all();
    if (wake_) wake_();
  }
}

void Background::run_job(Job& job) {
  Delivery delivery;
  try {
    delivery = job.run(job.control);
  } catch (const std::exception& error) {
    if (job.failed) {
      delivery = [failed = job.failed, said = std::string(error.what())] { failed(said); };
    }
  }
  // What it captured goes now, not when the last one who knows the job forgets it.
  job.run = nullptr;
  const std::lock_guard lock(mutex_);
  job.delivery = std::move(delivery);
  job.phase = Job::Phase::finished;
}

}  // namespace quintet::viewer
