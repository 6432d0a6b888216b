/// What each task of a run costs when nothing runs beside it: the numbers that predictions are made of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// One task alone on the device.
struct TaskCost {
  double alone_ns = 0;        ///< from the begin of its first kernel to the end of its last
  std::uint32_t kernels = 1;  ///< kernels, copies and fills, one after the other
  double sm_share = 1;  ///< multiprocessors that it keeps busy / all, mean over its time: 0 to 1
  double bandwidth_share = 0;  ///< bytes that it moves / what memory can move meanwhile: 0 to 1
  friend bool operator==(const TaskCost&, const TaskCost&) = default;
};

/// Where the numbers come from.
enum class CostSource : std::uint8_t {
  recording,    ///< median run of each task in a recording
  calibration,  ///< each task run alone
};

constexpr std::string_view name_of(CostSource source) {
  return source == CostSource::recording ? "recording" : "calibration";
}

/// "conv1/CONV_AMP_FWD/Y@train": what a cost is filed under. Twins of the two batch slots are one.
std::string cost_key(std::string_view task, std::string_view shape);

struct TaskCosts {
  CostSource source = CostSource::recording;
  std::map<std::string, TaskCost, std::less<>> by_key;  ///< cost_key -> cost

  /// Null = this task was never seen.
  [[nodiscard]] const TaskCost* find(std::string_view task, std::string_view shape) const;
};

/// Costs from a recording: for each task the median over the timed steps. From a recording with a
/// calibration, that calibration's. Errors: an import; no spans; runs that lay beside others, where
/// the recording's policy uses several streams, are taken with the share of time that they lost.
Result<TaskCosts> costs_of(const Trace& trace);

}  // namespace quintet
