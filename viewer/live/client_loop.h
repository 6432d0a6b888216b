/// The thread of a client: reads, writes and waits for a worker, and does what others post to it.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "viewer/live/live_trace.h"
#include "viewer/live/owned_descriptor.h"
#include "viewer/live/run_watch.h"
#include "viewer/live/worker_client.h"
#include "viewer/live/worker_link.h"

namespace quintet {

/// Owns process, thread and trace; the public face is WorkerClient, whose threads and promises are these.
class ClientLoop {
 public:
  using Settle = std::function<void(Result<WireJson>)>;

  explicit ClientLoop(WorkerClientOptions options);
  ~ClientLoop();
  ClientLoop(const ClientLoop&) = delete;
  ClientLoop& operator=(const ClientLoop&) = delete;

  /// Has the client's thread do something.
  void post(std::function<void()> task);

  template <class Request>
  std::future<Result<typename Request::Answer>> ask(const Request& request) {
    using Answer = typename Request::Answer;
    auto promise = std::make_shared<std::promise<Result<Answer>>>();
    std::future<Result<Answer>> future = promise->get_future();
    post([this, params = request.to_json(), promise]() mutable {
      const auto settle = [this, promise](const Result<WireJson>& result) {
        Result<Answer> answer =
            result ? Answer::from_json(*result) : Result<Answer>(tl::unexpected(result.error()));
        settled<Request>(answer);
        // After the state has been told: who waits for the answer finds it there.
        answered_.push_back([promise, answer] { promise->set_value(answer); });
      };
      if (std::optional<Error> refusal = before<Request>()) {
        answered_.push_back(
            [promise, why = std::move(*refusal)] { promise->set_value(tl::unexpected(why)); });
      } else {
        send_request(Request::kMethod, std::move(params), settle);
      }
    });
    return future;
  }

  void start() {
    post([this] { ensure_started(); });
  }
  void stop_worker() {
    post([this] {
      if (!link_) return;
      told_to_end_ = true;
      watch_.stop_asked();
      link_->close_input();
    });
  }
  void kill_worker() {
    post([this] {
      if (!link_) return;
      told_to_end_ = true;
      link_->kill();
    });
  }

  [[nodiscard]] ClientStatus status() const {
    const std::lock_guard lock(mutex_);
    return status_;
  }
  [[nodiscard]] LiveSnapshot snapshot() const { return live_.snapshot(); }
  std::vector<LogLine> take_log() {
    const std::lock_guard lock(mutex_);
    std::vector<LogLine> lines(std::make_move_iterator(log_.begin()),
                               std::make_move_iterator(log_.end()));
    log_.clear();
    return lines;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    Settle settle;
  };

  /// Why a request is not even sent; nothing = it is.
  template <class Request>
  std::optional<Error> before() {
    if constexpr (std::is_same_v<Request, RunRequest>) {
      if (watch_.under_way()) return Error{"a run goes on", "stop it, or wait for its end", {}, 0};
      watch_.asked();
    } else if constexpr (std::is_same_v<Request, TuneRequest>) {
      watch_.tuning_asked();
    } else if constexpr (std::is_same_v<Request, StopRequest>) {
      if (!link_) return Error{"no worker runs", "nothing is left to stop", {}, 0};
      watch_.stop_asked();
    }
    return std::nullopt;
  }
  template <class Request>
  void settled(const Result<typename Request::Answer>& answer) {
    if constexpr (std::is_same_v<Request, RunRequest>) {
      if (answer) {
        watch_.accepted(*answer);
      } else if (watch_.under_way()) {
        watch_.refused(answer.error());
      }
    }
  }

  void run();
  void do_tasks();
  [[nodiscard]] int timeout_ms() const;
  Result<void> ensure_started();
  void send_request(std::string_view method, WireJson params, const Settle& settle);
  void take(RpcMessage message);
  void take_answer(RpcAnswer answer);
  void check_hello();
  void worker_ended();
  void end_worker();
  void fail_waiting(const Error& why);
  void log(Severity severity, std::string text);
  [[nodiscard]] WorkerState worker_state() const;
  void tell();

  const WorkerClientOptions options_;

  // Of the client's thread:
  LiveTrace live_;
  RunWatch watch_;
  std::unique_ptr<WorkerLink> link_;
  std::map<std::int64_t, Waiting> waiting_;
  std::vector<std::function<void()>> answered_;  ///< what is to be told after the state
  std::int64_t next_id_ = 1;
  bool told_to_end_ = false;
  bool greeted_ = false;
  bool crashed_ = false;
  bool shown_ = true;  ///< all of the trace can be seen
  bool quitting_ = false;
  bool dirty_ = false;
  std::int64_t bad_frames_ = 0;
  FrameCounts past_frames_;  ///< of processes before
  std::int64_t past_bytes_ = 0;

  mutable std::mutex mutex_;  ///< of what follows
  std::vector<std::function<void()>> tasks_;
  ClientStatus status_;
  std::deque<LogLine> log_;
  std::int64_t dropped_log_lines_ = 0;

  OwnedDescriptor wake_;
  std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace quintet
