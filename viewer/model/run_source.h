/// Where runs come from: a worker here or on another machine, or a made-up one in tests.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/span_history.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"
#include "viewer/model/workbench_log.h"

namespace quintet::viewer {

/// What to train. Empty = as the scenario says.
struct RunOrder {
  std::string scenario;
  std::string executor;     ///< "host" or "cuda"
  std::string policy;       ///< a name
  std::string policy_toml;  ///< the text of a policy, in place of `policy`
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> epochs = {};
  std::optional<std::int64_t> batch = {};
  std::string precision = {};
  std::string lowering = {};
  bool resident_input = false;
  /// In the name of the recording, in place of the policy's.
  std::string label = {};
  friend bool operator==(const RunOrder&, const RunOrder&) = default;
};

/// How the newest run stands.
enum class RunStage : std::uint8_t {
  none,
  starting,  ///< a worker starts; data, plan and proof are made
  running,
  stopping,  ///< stop was asked for
  finished,
  stopped,  ///< in order, before its last step
  refused,  ///< its policy races
  failed,   ///< see error
  crashed,  ///< the worker went away; what came before is kept
};

std::string_view name_of(RunStage stage);
/// True while something runs or is about to.
bool is_active(RunStage stage);

struct RunStanding {
  RunStage stage = RunStage::none;
  std::string phase;       ///< "timing 20 steps without the recorder"
  std::int64_t step = 0;   ///< finished
  std::int64_t steps = 0;  ///< of the whole run; 0 = not known yet
  std::optional<double> loss;
  std::optional<std::int64_t> untraced_step_ns;
  std::optional<double> test_accuracy;  ///< once finished
  std::optional<Error> error;
  std::vector<std::string> races;  ///< of a refused run, with their cures
  std::string recording;  ///< where it lies, once there is one; empty = not on this machine
};

/// The trace so far; never changed once given out.
struct RunPicture {
  std::shared_ptr<const Trace> trace;  ///< null before anything is known
  std::uint64_t generation = 0;        ///< grows with each change
  SpanHistory history;                 ///< what it shares with earlier pictures
};

struct RunLine {
  LogLevel level = LogLevel::note;
  std::string text;
};

/// Something an executor of runs can use.
struct RunDevice {
  std::string executor;  ///< "host", "cuda"
  std::string name;      ///< of the device, or why it is missing
  bool there = true;
};

/// All calls come from one thread and none of them blocks.
class RunSource {
 public:
  RunSource() = default;
  RunSource(const RunSource&) = delete;
  RunSource& operator=(const RunSource&) = delete;
  virtual ~RunSource() = default;

  /// Where it runs: "this machine", "user@host".
  [[nodiscard]] virtual std::string place() const = 0;
  virtual void start(const RunOrder& order) = 0;
  virtual void stop() = 0;
  [[nodiscard]] virtual RunStanding standing() = 0;
  [[nodiscard]] virtual RunPicture picture() = 0;
  /// What it said since the last call.
  virtual std::vector<RunLine> take_lines() = 0;
  /// Empty until they are known.
  [[nodiscard]] virtual std::vector<RunDevice> devices() = 0;
};

}  // namespace quintet::viewer
