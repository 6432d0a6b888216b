/// A tuning from the command line: the recording that costs come from, the search under a clock and
/// Ctrl-C, the best policies run on the device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/model/result.h"
#include "scenarios/cli/executor_options.h"
#include "scenarios/cli/scenario_options.h"
#include "scenarios/lab/policy_tuner.h"

namespace quintet {

struct TuneRunOptions {
  ScenarioOptions scenario;  ///< or a recording in place of its name
  ExecutorOptions executor;
  std::optional<double> seconds;  ///< nothing: 20, or none where `candidates` are given
  std::uint64_t candidates = 0;   ///< 0 = as many as the time allows
  std::uint64_t seed = 1;
  std::optional<std::int64_t> memory_limit_mib;
  int measure = 0;  ///< so many of the best run on the device, and `serial` and `renaissance`
  /// Measures over the connections of a recording where the executor names none: only for a process
  /// that has not used its GPU, since CUDA reads the number once.
  bool recorded_connections = false;
  std::string out;     ///< of the best policy; empty = nowhere
  bool force = false;  ///< `out` may be a file that somebody else wrote
};

/// A policy that ran.
struct MeasuredPolicy {
  RatedPolicy rated;
  std::int64_t step_ns = 0;  ///< median, nothing recorded; mean of those of its runs
  int runs = 1;              ///< two where it came close to the fastest
};

struct TuneOutcome {
  std::string recording;       ///< that costs were taken from
  std::string recorded_under;  ///< its policy
  double recorded_ns = 0;      ///< 0 = unknown
  double error_share = 0;
  double worst_error_share = 0;
  TuneReport report;
  double seconds = 0;                    ///< that the tuning took
  bool interrupted = false;              ///< a signal or the listener ended it
  std::vector<MeasuredPolicy> measured;  ///< the fastest first; empty where nothing ran
  /// The measured winner, else the best predicted.
  [[nodiscard]] const RatedPolicy& best() const {
    return measured.empty() ? report.front.front() : measured.front().rated;
  }
};

/// Who follows a tuning, and may end it. Called on the thread that tunes. Must not throw.
class TuneListener {
 public:
  TuneListener() = default;
  TuneListener(const TuneListener&) = delete;
  TuneListener& operator=(const TuneListener&) = delete;
  virtual ~TuneListener() = default;

  /// What is done besides the search: "recording", "measuring NAME".
  virtual void on_phase(const std::string& /*what*/) {}
  /// `seconds`: since the search began.
  virtual void on_progress(const TuneProgress& /*progress*/, double /*seconds*/) {}
  /// A signal came: it ends as if stopped. Perhaps more than once.
  virtual void on_signal() {}
  /// Asked every few milliseconds; true ends it with the best so far.
  [[nodiscard]] virtual bool stop_asked() const { return false; }
};

/// Of a scenario that no recording stands for, a serial run is recorded first. Errors: a recording
/// whose scenario is to be changed; those of the run, Predictor::of_trace() and tune().
Result<TuneOutcome> run_tuning(const TuneRunOptions& options, TuneListener* listener = nullptr);

}  // namespace quintet
