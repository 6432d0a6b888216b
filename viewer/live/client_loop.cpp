#include "viewer/live/client_loop.h"

#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <iterator>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace quintet {

namespace {

/// A worker that has gone while it is written to is an error of write(), and no end of this process.
void refuse_broken_pipes() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

ClientLoop::ClientLoop(WorkerClientOptions options)
    : options_(std::move(options)),
      live_(options_.most_spans),
      watch_(live_,
             [this](Severity severity, std::string text) { log(severity, std::move(text)); }),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!wake_) throw std::system_error(errno, std::generic_category(), "eventfd");
  thread_ = std::thread([this] { run(); });
}

ClientLoop::~ClientLoop() {
  post([this] { quitting_ = true; });
  thread_.join();
}

void ClientLoop::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  const std::uint64_t one = 1;
  // Fails only where the counter is full: then it is readable anyway.
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
}

void ClientLoop::run() {
  pthread_setname_np(pthread_self(), "WORKER_CLIENT");
  refuse_broken_pipes();
  while (true) {
    do_tasks();
    if (quitting_) break;
    if (link_) {
      link_->step(wake_.get(), timeout_ms());
      dirty_ = true;
      if (link_->exit()) worker_ended();
    } else {
      pollfd wait{wake_.get(), POLLIN, 0};
      poll(&wait, 1, timeout_ms());
    }
    shown_ = live_.publish();
    if (dirty_) tell();
  }
  end_worker();
}

void ClientLoop::do_tasks() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = read(wake_.get(), &count, sizeof count);
  std::vector<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
  }
  for (const std::function<void()>& task : tasks)
    task();
  if (tasks.empty()) return;
  dirty_ = true;
  tell();  // an answer of the state must not wait for the worker's next word
}

int ClientLoop::timeout_ms() const {
  constexpr int kRetryMs = 4;  // somebody still looks at the copies that are needed
  return shown_ ? -1 : kRetryMs;
}

Result<void> ClientLoop::ensure_started() {
  if (link_) return {};
  auto link = WorkerLink::start(
      options_.launch, {[this](RpcMessage message) { take(std::move(message)); },
                        [this](const Error& error) {
                          ++bad_frames_;
                          log(Severity::data_loss, "a frame of the worker " + error.message);
                        },
                        [this](std::string line) { log(Severity::info, std::move(line)); }});
  told_to_end_ = false;
  greeted_ = false;
  crashed_ = !link;
  watch_.forget_hello();
  if (!link) {
    log(Severity::error, to_string(link.error()));
    return tl::unexpected(link.error());
  }
  link_ = std::move(*link);
  return {};
}

void ClientLoop::send_request(std::string_view method, WireJson params, const Settle& settle) {
  if (auto started = ensure_started(); !started) return settle(tl::unexpected(started.error()));
  const std::int64_t id = next_id_++;
  if (told_to_end_) return settle(fail("the worker is ending", "ask again in a moment"));
  if (!link_->send(RpcRequest{id, std::string(method), std::move(params)})) {
    return settle(fail("the worker does not read what it is asked", "end it and start it again"));
  }
  waiting_[id] = {settle};
}

void ClientLoop::take(RpcMessage message) {
  if (auto* answer = std::get_if<RpcAnswer>(&message)) {
    take_answer(std::move(*answer));
  } else if (const auto* notification = std::get_if<RpcNotification>(&message)) {
    watch_.take(*notification);
    if (!greeted_) check_hello();
  } else {
    ++bad_frames_;  // workers ask nothing
  }
}

void ClientLoop::check_hello() {
  if (!watch_.hello()) return;
  greeted_ = true;
  const HelloMessage& hello = *watch_.hello();
  if (hello.protocol == kProtocolVersion) return;
  log(Severity::error,
      fmt::format("the worker of {} {} speaks protocol {}, this viewer {}; install the same "
                  "version on both machines",
                  hello.program, hello.version, hello.protocol, kProtocolVersion));
  link_->kill();
}

void ClientLoop::take_answer(RpcAnswer answer) {
  const auto found = answer.id ? waiting_.find(*answer.id) : waiting_.end();
  if (found == waiting_.end()) {
    ++bad_frames_;
    return;
  }
  const Settle settle = std::move(found->second.settle);
  waiting_.erase(found);
  if (answer.error) {
    settle(tl::unexpected(answer.error->error));
  } else {
    settle(std::move(answer.result));
  }
}

void ClientLoop::fail_waiting(const Error& why) {
  for (auto& [id, waiting] : std::exchange(waiting_, {}))
    waiting.settle(tl::unexpected(why));
}

void ClientLoop::worker_ended() {
  const WorkerExit exit = *link_->exit();
  past_frames_ += link_->frames();
  past_bytes_ += link_->received_bytes();
  link_.reset();
  crashed_ = !told_to_end_;
  const std::string last = exit.last_lines.empty() ? "" : ": " + exit.last_lines.back();
  const Error why{
      fmt::format("the worker {}{}", exit.text(), last), "ask again: it is started anew", {}, 0};
  if (crashed_) log(Severity::error, why.message);
  watch_.worker_ended(why);
  fail_waiting(why);
  const std::lock_guard lock(mutex_);
  status_.exit = exit;
}

/// In order where that takes no longer than it may.
void ClientLoop::end_worker() {
  if (!link_) return tell();
  told_to_end_ = true;
  link_->close_input();
  const auto deadline = Clock::now() + options_.closing_time;
  while (!link_->exit() && Clock::now() < deadline)
    link_->step(-1, 20);
  link_.reset();  // kills what is left
  fail_waiting({"the client is closed", {}, {}, 0});
  tell();
}

void ClientLoop::log(Severity severity, std::string text) {
  const std::lock_guard lock(mutex_);
  log_.push_back({severity, std::move(text)});
  if (log_.size() > options_.most_log_lines) {
    log_.pop_front();
    ++dropped_log_lines_;
  }
}

WorkerState ClientLoop::worker_state() const {
  if (!link_) return crashed_ ? WorkerState::crashed : WorkerState::stopped;
  if (!greeted_) return WorkerState::starting;
  return watch_.under_way() ? WorkerState::running : WorkerState::ready;
}

void ClientLoop::tell() {
  dirty_ = false;
  {
    const std::lock_guard lock(mutex_);
    status_.worker = worker_state();
    watch_.tell(status_);
    ClientCounts& counts = status_.counts;
    counts.bad_messages += bad_frames_;
    counts.dropped_log_lines = dropped_log_lines_;
    counts.frames = past_frames_;
    counts.received_bytes = past_bytes_;
    if (link_) {
      counts.frames += link_->frames();
      counts.received_bytes += link_->received_bytes();
    }
  }
  for (const std::function<void()>& tell_answer : std::exchange(answered_, {}))
    tell_answer();
  if (options_.changed && !quitting_) options_.changed();
}

}  // namespace quintet
