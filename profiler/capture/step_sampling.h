/// Which steps of a run are traced: all, none, or a window now and then.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

enum class DeviceRecording : std::uint8_t {
  off,      ///< nothing of the device; not even a subscription
  graph,    ///< one span a launch of a graph
  node,     ///< every kernel, copy and fill
  sampled,  ///< as node, in short windows of steps: cheap enough to be always on
};

inline constexpr std::size_t kDeviceRecordingCount = 4;

constexpr std::string_view name_of(DeviceRecording recording) {
  switch (recording) {
    case DeviceRecording::off:
      return "off";
    case DeviceRecording::graph:
      return "graph";
    case DeviceRecording::node:
      return "node";
    case DeviceRecording::sampled:
      return "sampled";
  }
  return {};
}

struct SamplingWindows {
  std::int64_t first_step = 3;      ///< of the first window; before it caches fill
  std::int64_t steps = 8;           ///< of a window, the disturbed one at its begin included
  std::int64_t period_steps = 200;  ///< at least, from one window's end to the next one's begin
  std::int64_t period_ns = 1'000'000'000;  ///< and at least so long
};

/// Told of every step before it is issued, answers when to switch tracing. The step before whose issue
/// tracing was switched is disturbed: the device ran dry for it.
class StepSampling {
 public:
  enum class Action : std::uint8_t { none, start, stop };

  explicit StepSampling(DeviceRecording mode, const SamplingWindows& windows = {});

  /// Steps come in order, from 0. `now_ns` of any clock that runs evenly.
  Action step(std::int64_t step, std::int64_t now_ns);
  /// What was recorded of a step that was told.
  [[nodiscard]] StepRecording recording_of(std::int64_t step) const;
  [[nodiscard]] std::int64_t windows() const { return started_; }

 private:
  DeviceRecording mode_;
  SamplingWindows windows_;
  std::vector<StepRecording> steps_;
  bool open_ = false;
  std::int64_t started_ = 0;
  std::int64_t switch_step_ = 0;  ///< first step of the open window, or the one after the last
  std::int64_t closed_ns_ = 0;
};

}  // namespace quintet
