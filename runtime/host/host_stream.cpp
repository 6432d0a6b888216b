#include "runtime/host/host_stream.h"

#include <pthread.h>
#include <string>

#include "runtime/host/openmp_pin.h"

namespace quintet {

HostStream::HostStream(StreamKind kind) : kind_(kind), thread_([this] { run(); }) {}

HostStream::~HostStream() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  arrived_.notify_one();
  thread_.join();
}

void HostStream::enqueue(HostWork& work, std::int64_t number, std::int64_t step) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({&work, number, step});
    ++enqueued_;
  }
  arrived_.notify_one();
}

void HostStream::synchronize() {
  std::unique_lock lock(mutex_);
  const std::uint64_t target = enqueued_;
  finished_.wait(lock, [&] { return done_ >= target; });
}

void HostStream::run() {
  pin_openmp_to_one_thread();
  pthread_setname_np(pthread_self(), std::string(name_of(kind_)).c_str());
  std::unique_lock lock(mutex_);
  while (true) {
    arrived_.wait(lock, [&] { return !queue_.empty() || closing_; });
    if (queue_.empty()) return;
    const Item item = queue_.front();
    queue_.pop_front();
    lock.unlock();
    item.work->run(item.number, item.step);
    lock.lock();
    ++done_;
    finished_.notify_all();
  }
}

}  // namespace quintet
