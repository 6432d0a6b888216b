/// The pipes to a worker's process: messages in and out, its standard error line by line, and how it ended.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/wire/frame.h"
#include "profiler/wire/rpc_message.h"
#include "runtime/model/result.h"
#include "viewer/live/worker_client.h"
#include "viewer/live/worker_launch.h"
#include "viewer/live/worker_process.h"

namespace quintet {

/// Owns the process. One thread at a time, which waits in step() alone and has SIGPIPE blocked. Callbacks are called
/// from there.
class WorkerLink {
 public:
  struct Callbacks {
    std::function<void(RpcMessage)> message;
    std::function<void(const Error&)> bad_message;  ///< a frame that holds none
    std::function<void(std::string)> line;          ///< of standard error, without its end
  };

  static Result<std::unique_ptr<WorkerLink>> start(const WorkerLaunch& launch, Callbacks callbacks);

  /// Queues a message. False where too much waits already: the worker does not read.
  bool send(RpcMessage message);
  /// Asks the worker to end in order: no request will come any more.
  void close_input();
  void kill();
  /// Waits for something from the worker or for `wake` to be readable, at most so long (negative: for ever), and
  /// does what there is to do.
  void step(int wake, int timeout_ms);
  /// Once the process has ended and all that it wrote has been read.
  [[nodiscard]] const std::optional<WorkerExit>& exit() const { return exit_; }
  [[nodiscard]] const FrameCounts& frames() const { return decoder_.counts(); }
  [[nodiscard]] std::int64_t received_bytes() const { return received_bytes_; }

 private:
  WorkerLink(WorkerProcess process, Callbacks callbacks)
      : process_(std::move(process)), callbacks_(std::move(callbacks)) {}

  void write_outgoing();
  bool read_output(std::size_t at_most);
  bool read_errors(std::size_t at_most);
  void take_line(std::string line);
  void take_errors(std::string_view text);
  void finish(const ProcessEnd& end);

  WorkerProcess process_;
  Callbacks callbacks_;
  FrameDecoder decoder_;
  std::int64_t received_bytes_ = 0;
  std::vector<std::byte> outgoing_;
  bool closing_input_ = false;
  std::string partial_line_;
  std::deque<std::string> last_lines_;
  std::optional<std::chrono::steady_clock::time_point> silent_since_;  ///< its output was closed
  std::optional<WorkerExit> exit_;
};

}  // namespace quintet
