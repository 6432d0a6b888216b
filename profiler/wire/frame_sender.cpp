#include "profiler/wire/frame_sender.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <span>
#include <unistd.h>
#include <utility>

#include "profiler/wire/frame.h"

namespace quintet {

namespace {
constexpr int kPollMs = 50;
}  // namespace

FrameSender::FrameSender(int descriptor, FrameSenderLimits limits)
    : descriptor_(descriptor), limits_(limits), thread_([this] { run(); }) {
  fcntl(descriptor_, F_SETFL, fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
}

FrameSender::~FrameSender() {
  close(std::chrono::milliseconds(0));
}

bool FrameSender::send(RpcMessage message) {
  return queue(std::move(message), limits_.all_bytes);
}

bool FrameSender::send_if_room(RpcMessage message) {
  return has_room() && queue(std::move(message), limits_.all_bytes);
}

bool FrameSender::has_room() const {
  const std::lock_guard lock(mutex_);
  return queued_bytes_ < limits_.droppable_bytes;
}

bool FrameSender::idle() const {
  const std::lock_guard lock(mutex_);
  return queued_bytes_ == 0;
}

bool FrameSender::queue(RpcMessage message, std::size_t most_bytes) {
  if (broken_) return false;
  const std::vector<std::byte> payload = encode(std::move(message));
  if (payload.size() > kMostPayloadBytes) return false;
  std::vector<std::byte> frame = frame_of(payload);
  {
    const std::lock_guard lock(mutex_);
    if (closing_) return false;
    if (queued_bytes_ + frame.size() > most_bytes) {
      broken_ = true;
      return false;
    }
    queued_bytes_ += frame.size();
    queue_.push_back(std::move(frame));
  }
  changed_.notify_one();
  return true;
}

void FrameSender::close(std::chrono::milliseconds at_most) {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    deadline_ = std::chrono::steady_clock::now() + at_most;
  }
  changed_.notify_one();
  thread_.join();
}

void FrameSender::run() {
  pthread_setname_np(pthread_self(), "SENDER");
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::vector<std::byte> frame = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    // Once broken, frames are passed over: a torn one would be followed by whole ones else.
    if (!broken_ && !write(frame)) broken_ = true;
    lock.lock();
    queued_bytes_ -= frame.size();
  }
}

bool FrameSender::out_of_time() {
  const std::lock_guard lock(mutex_);
  return broken_ || (closing_ && std::chrono::steady_clock::now() >= deadline_);
}

bool FrameSender::write(const std::vector<std::byte>& frame) {
  std::span<const std::byte> rest = frame;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest = rest.subspan(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor_, POLLOUT, 0};
      poll(&ready, 1, kPollMs);
      if (out_of_time()) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace quintet
