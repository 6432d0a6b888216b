/// A worker as a viewer sees it: started here or on another machine, asked, watched while it runs, and
/// survived when it crashes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"
#include "profiler/wire/frame.h"
#include "profiler/wire/notifications.h"
#include "profiler/wire/requests.h"
#include "profiler/wire/tune_messages.h"
#include "runtime/model/result.h"
#include "viewer/live/live_snapshot.h"
#include "viewer/live/worker_launch.h"

namespace quintet {

class ClientLoop;

enum class WorkerState : std::uint8_t {
  stopped,   ///< no process: not started yet, or ended as it was told to
  starting,  ///< the process has not said hello yet
  ready,     ///< waits for requests
  running,   ///< a run goes on
  crashed,   ///< ended by itself: by exit code or signal, or by a cut connection
};

std::string_view name_of(WorkerState state);

/// How the last run stands.
enum class RunState : std::uint8_t {
  none,      ///< nothing was run yet
  starting,  ///< asked for; or preparing, timing
  running,   ///< trains and records
  stopping,  ///< stop was asked for
  finished,  ///< to its last step
  stopped,   ///< in order, before its last step
  refused,   ///< its policy races
  failed,    ///< see ClientStatus::run_error
  crashed,   ///< the worker went away under it; what came before is kept
};

std::string_view name_of(RunState state);

struct LogLine {
  Severity severity = Severity::info;
  std::string text;
};

/// How a process ended.
struct WorkerExit {
  std::optional<int> code;              ///< exit status
  std::optional<int> signal;            ///< that killed it
  std::vector<std::string> last_lines;  ///< of its standard error

  /// "killed by signal 9 (Killed)"; "exited with status 3".
  [[nodiscard]] std::string text() const;
};

/// What was lost, and where.
struct ClientCounts {
  FrameCounts frames;
  std::int64_t bad_messages = 0;    ///< frames that hold no message, or one that makes no sense
  std::int64_t other_messages = 0;  ///< notifications of a name or run that is not known
  std::int64_t dropped_log_lines = 0;
  std::int64_t unsent_spans = 0;     ///< left out by the worker: the link was too slow
  std::int64_t missing_batches = 0;  ///< sent, and not arrived
  std::int64_t received_bytes = 0;
};

/// Everything but the trace, as of one moment.
struct ClientStatus {
  WorkerState worker = WorkerState::stopped;
  RunState run = RunState::none;
  std::optional<HelloMessage> hello;        ///< of the process that runs, or ran last
  std::optional<ProgressMessage> progress;  ///< of the last run
  std::optional<DoneMessage> done;
  std::vector<MetricValue> metrics;     ///< once the run has ended
  std::optional<TuningMessage> tuning;  ///< how the last search stands, or stood at its end
  std::optional<Error> run_error;
  std::optional<WorkerExit> exit;  ///< of the process that ended last
  std::string
      recording;  ///< of the last run, a path on the worker's machine; empty = not known yet
  ClientCounts counts;
};

struct WorkerClientOptions {
  WorkerLaunch launch;
  /// Called on the client's thread whenever status, log or snapshot have changed: to wake a frame loop.
  /// It must not call the client.
  std::function<void()> changed;
  std::size_t most_log_lines = 10'000;
  std::chrono::milliseconds closing_time{5'000};
  std::size_t most_spans = 20'000'000;  ///< of a live trace; the recording holds more
};

/// Owns the process and one thread that reads, writes and waits for it. All functions may be called from any
/// thread, never block (the destructor aside) and never throw on what the worker does. A worker that has
/// crashed or stopped is started again by the next request; what is known of the last run stays until the next.
///
///   WorkerClient client({.launch = {.program = "/usr/bin/quintet"}, .changed = glfwPostEmptyEvent});
///   auto devices = client.ask(DevicesRequest{});          // a future
///   auto run = client.ask(RunRequest{...});
///   each frame: client.status(); client.snapshot(); client.take_log();
class WorkerClient {
 public:
  explicit WorkerClient(WorkerClientOptions options);
  /// Ends a run in order: the worker gets closing_time to complete its recording, then it is killed.
  ~WorkerClient();
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  /// Starts the process now, so that the first request need not wait for it.
  void start();
  /// Ends it in order.
  void stop_worker();
  /// Ends it at once: its recording stays as far as it was flushed.
  void kill_worker();

  // The answer, or what the worker refuses; an error where it went away before it answered.
  std::future<Result<DevicesAnswer>> ask(const DevicesRequest& request);
  std::future<Result<ScenariosAnswer>> ask(const ScenariosRequest& request);
  std::future<Result<PoliciesAnswer>> ask(const PoliciesRequest& request);
  std::future<Result<SetPolicyAnswer>> ask(const SetPolicyRequest& request);
  std::future<Result<RunAnswer>> ask(const RunRequest& request);
  std::future<Result<StopAnswer>> ask(const StopRequest& request);
  std::future<Result<VerifyAnswer>> ask(const VerifyRequest& request);
  std::future<Result<TuneAnswer>> ask(const TuneRequest& request);

  [[nodiscard]] ClientStatus status() const;
  /// The trace of the last run so far.
  [[nodiscard]] LiveSnapshot snapshot() const;
  /// The lines since the last call, oldest first.
  std::vector<LogLine> take_log();

 private:
  std::unique_ptr<ClientLoop> loop_;
};

}  // namespace quintet
