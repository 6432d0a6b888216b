/// Serves one client over a pair of descriptors: takes requests, runs what they ask for, tells what happens.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "profiler/wire/frame.h"
#include "profiler/wire/frame_sender.h"
#include "profiler/wire/requests.h"
#include "profiler/wire/tune_messages.h"
#include "scenarios/cli/interrupt_watch.h"
#include "scenarios/worker/run_stream.h"
#include "scenarios/worker/tune_stream.h"

namespace quintet {

/// What came over the input of a worker.
struct InputCounts {
  FrameCounts frames;
  std::int64_t requests = 0;        ///< messages that are requests, whatever became of them
  std::int64_t other_messages = 0;  ///< whole frames that hold no request

  /// Nothing that came was a request, and something did come.
  [[nodiscard]] bool senseless() const {
    return requests == 0 && (frames.frames > 0 || frames.stray_bytes > 0);
  }
};

/// Owns the thread of the run, the proof or the search that goes on, one at a time; takes requests on the thread of serve().
/// Errors become messages, and the worker lives on.
class WorkerServer {
 public:
  /// Refers to both; the link is closed by who made it.
  WorkerServer(int input, FrameSender& link) : input_(input), link_(link) {}
  ~WorkerServer();
  WorkerServer(const WorkerServer&) = delete;
  WorkerServer& operator=(const WorkerServer&) = delete;

  /// Until the client has gone or SIGINT or SIGTERM came; then ends what goes on in order and returns.
  /// `watch` is older than every thread of the process, the link's too: none of them must take the signals.
  void serve(InterruptWatch& watch);
  /// Complete once serve() has returned.
  [[nodiscard]] InputCounts input() const;

 private:
  void greet();
  bool read_input();
  void take(std::span<const std::byte> payload);
  void take(const RpcRequest& request);
  template <class Request, class Serve>
  bool serve_as(const RpcRequest& request, Serve serve);
  Result<SetPolicyAnswer> set_policy(const SetPolicyRequest& request);
  std::optional<RpcAnswer> run(std::int64_t id, const RunRequest& request);
  std::optional<RpcAnswer> verify(std::int64_t id, const VerifyRequest& request);
  std::optional<RpcAnswer> tune(std::int64_t id, const TuneRequest& request);
  StopAnswer stop();
  [[nodiscard]] bool busy() const { return job_running_; }
  template <class Job>
  void begin_job(Job job);
  void end_job();

  const int input_;
  FrameSender& link_;
  FrameDecoder decoder_;
  std::int64_t requests_ = 0;
  std::string policy_toml_;
  std::int64_t runs_ = 0;
  std::shared_ptr<RunStream> stream_;   ///< of the run that goes on, or went on last
  std::shared_ptr<TuneStream> tuning_;  ///< the same, of a search
  std::thread job_;
  std::atomic<bool> job_running_ = false;
};

}  // namespace quintet
