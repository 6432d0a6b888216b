/// What each task of a run costs when nothing runs beside it: what predictions are made of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "profiler/trace/trace.h"
#include "profiler/whatif/device_model.h"
#include "runtime/model/result.h"

namespace quintet {

/// One task alone on its device.
struct TaskCost {
  double alone_ns = 0;        ///< its kernels, copies and fills, without the gaps between them
  std::uint32_t kernels = 1;  ///< how many of those
  std::uint32_t fills = 0;    ///< fills and copies among them
  double sm_share = 1;        ///< multiprocessors that it has blocks for / all, mean over its time
  /// How much of its time one of its blocks runs, on the mean: a kernel gives way to a more urgent
  /// one block by block. 1 = all its blocks fit at once.
  double block_share = 1;
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

/// Costs from a recording as it is: of each task the median over the timed steps of the time that
/// its kernels took, on a host of the processor time. A task that ran beside others took longer
/// than it would alone: cost_model_of() takes that out. Errors: no timed step whose spans were
/// recorded.
Result<TaskCosts> costs_of(const Trace& trace, const DeviceModel& device);

}  // namespace quintet
