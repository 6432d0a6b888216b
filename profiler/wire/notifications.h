/// What a worker tells without being asked, but for the trace itself (profiler/wire/plan_message.h,
/// profiler/wire/batch_message.h). Structs as in profiler/wire/requests.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/trace/trace.h"
#include "profiler/wire/rpc_message.h"
#include "runtime/model/result.h"

namespace quintet {

/// Of the messages: a client and a worker of different numbers do not understand each other.
inline constexpr std::int64_t kProtocolVersion = 1;

/// The first message of a worker.
struct HelloMessage {
  static constexpr std::string_view kMethod = "hello";
  std::int64_t protocol = kProtocolVersion;
  std::string program;  ///< "quintet"
  std::string version;
  std::string machine;
  std::int64_t pid = 0;

  [[nodiscard]] WireJson to_json() const;
  static Result<HelloMessage> from_json(const WireJson& json);
};

/// What a run is at.
enum class RunPhase : std::uint8_t {
  preparing,  ///< data, plan, proof
  timing,     ///< some steps without recording, to know what that costs
  training,   ///< training and evaluation, recorded
  finishing,  ///< completing and reading back the recording
};

inline constexpr std::size_t kRunPhaseCount = 4;

constexpr std::string_view name_of(RunPhase phase) {
  switch (phase) {
    case RunPhase::preparing:
      return "preparing";
    case RunPhase::timing:
      return "timing";
    case RunPhase::training:
      return "training";
    case RunPhase::finishing:
      return "finishing";
  }
  return {};
}

/// How far a run is; some ten times a second, and at each change of phase.
struct ProgressMessage {
  static constexpr std::string_view kMethod = "progress";
  std::int64_t run = 0;
  RunPhase phase = RunPhase::preparing;
  std::int64_t step = 0;   ///< finished, training and evaluation
  std::int64_t steps = 0;  ///< of the whole run; 0 = not known yet
  std::optional<double> loss;
  bool evaluating = false;
  std::optional<std::int64_t> untraced_step_ns;  ///< once timed

  [[nodiscard]] WireJson to_json() const;
  static Result<ProgressMessage> from_json(const WireJson& json);
};

/// All metrics of a run that has ended.
struct MetricsMessage {
  static constexpr std::string_view kMethod = "metrics";
  std::int64_t run = 0;
  std::vector<MetricValue> metrics;

  [[nodiscard]] WireJson to_json() const;
  static Result<MetricsMessage> from_json(const WireJson& json);
};

/// A line of the worker's own.
struct LogMessage {
  static constexpr std::string_view kMethod = "log";
  Severity severity = Severity::info;
  std::string text;

  [[nodiscard]] WireJson to_json() const;
  static Result<LogMessage> from_json(const WireJson& json);
};

/// A run that could not begin, or broke off: the last message of that run.
struct RunErrorMessage {
  static constexpr std::string_view kMethod = "error";
  std::int64_t run = 0;
  Error error;

  [[nodiscard]] WireJson to_json() const;
  static Result<RunErrorMessage> from_json(const WireJson& json);
};

/// A run that came to its end, or was stopped, or was refused for its races: the last message of that run.
struct DoneMessage {
  static constexpr std::string_view kMethod = "done";
  std::int64_t run = 0;
  bool ran = false;                      ///< false: refused for its races
  bool interrupted = false;              ///< stopped before its last step
  std::vector<std::string> races;        ///< with their cures
  std::string recording;                 ///< path on the worker's machine
  std::optional<Error> recording_error;  ///< why the recording ends before the run
  std::int64_t steps = 0;                ///< finished, training and evaluation
  std::string weights_hash;
  std::optional<double> test_accuracy;
  std::optional<std::int64_t> untraced_step_ns;
  std::optional<std::int64_t> traced_step_ns;
  std::vector<Finding> findings;
  Provenance provenance;  ///< as the recording ends with
  /// Recorded, and left out on the way here as the link was too slow: spans; waits and launches.
  std::int64_t unsent_spans = 0;
  std::int64_t unsent_rows = 0;

  [[nodiscard]] WireJson to_json() const;
  static Result<DoneMessage> from_json(const WireJson& json);
};

}  // namespace quintet
