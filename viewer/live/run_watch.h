/// What a worker tells of its runs, followed message by message: the state of the last run, and its trace.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "profiler/wire/notifications.h"
#include "profiler/wire/requests.h"
#include "profiler/wire/rpc_message.h"
#include "profiler/wire/tune_messages.h"
#include "viewer/live/live_trace.h"
#include "viewer/live/worker_client.h"

namespace quintet {

/// Knows no process and no link: it is told what arrives, in order. Refers to the trace that it fills. One thread.
class RunWatch {
 public:
  using Log = std::function<void(Severity, std::string)>;

  RunWatch(LiveTrace& live, Log log) : live_(live), log_(std::move(log)) {}

  /// A run was asked for: what was known of the one before is forgotten.
  void asked();
  void accepted(const RunAnswer& answer);
  void refused(const Error& error);
  void stop_asked();
  /// A search was asked for: how the one before stood is forgotten.
  void tuning_asked() { tuning_.reset(); }
  void take(const RpcNotification& message);
  /// The worker ended: a run that was not done has crashed.
  void worker_ended(const Error& why);

  [[nodiscard]] bool under_way() const;
  /// Run, progress, done, metrics, run_error, recording and the counts of messages; the rest is left alone.
  void tell(ClientStatus& status) const;
  [[nodiscard]] const std::optional<HelloMessage>& hello() const { return hello_; }
  void forget_hello() { hello_.reset(); }

 private:
  template <class Message>
  std::optional<Message> read(const RpcNotification& message);
  [[nodiscard]] bool of_this_run(std::int64_t run);
  void expect(std::int64_t sequence);
  void take_of_run(const RpcNotification& message);
  void take_done(DoneMessage message);
  [[nodiscard]] std::vector<Finding> findings_of_the_way() const;
  void end_trace(RecordingState state, Provenance provenance,
                 std::optional<std::vector<Finding>> findings, std::optional<Finding> crash);

  LiveTrace& live_;
  Log log_;
  std::optional<HelloMessage> hello_;
  RunState state_ = RunState::none;
  std::int64_t run_ = 0;  ///< its number; 0 = not accepted yet
  std::optional<ProgressMessage> progress_;
  std::optional<DoneMessage> done_;
  std::vector<MetricValue> metrics_;
  std::optional<TuningMessage> tuning_;
  std::optional<Error> error_;
  std::string recording_;
  std::int64_t next_sequence_ = 0;
  std::int64_t missing_batches_ = 0;
  std::int64_t bad_messages_ = 0;
  std::int64_t other_messages_ = 0;
  std::int64_t unsent_spans_ = 0;
};

}  // namespace quintet
