#include "profiler/whatif/task_costs.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "profiler/analysis/device_work.h"
#include "profiler/analysis/step_window.h"

namespace quintet {

namespace {

/// Most threads that a multiprocessor holds: of compute capability 7.0, 8.0, 9.0 and 10.0. Others
/// hold 1,024 or 1,536: there blocks are taken for longer than they are.
constexpr double kMultiprocessorThreads = 2048;

/// One run of a task in one step, summed over its spans.
struct Run {
  double time_ns = 0;
  double sm_ns = 0;        ///< time x SM share
  double block_time2 = 0;  ///< time x time of a block, ns^2
  std::uint32_t kernels = 0;
  std::uint32_t fills = 0;
};

double blocks_of(const LaunchShape& launch) {
  return static_cast<double>(launch.grid[0]) * static_cast<double>(launch.grid[1]) *
         static_cast<double>(launch.grid[2]);
}

/// The share of the device that a span wants. A whole task of a host is one thread.
double sm_share_of(const Trace& trace, std::uint32_t activity, const DeviceModel& device) {
  if (activity == kWholeTask) return 1 / std::max(1.0, device.multiprocessors);
  const TraceActivity& what = trace.activities[activity];
  if (what.kind != ActivityKind::kernel) return 0;
  if (!what.launch) return 1;
  return std::min(1.0, blocks_of(*what.launch) / std::max(1.0, device.multiprocessors));
}

/// How many of a kernel's blocks run one after the other where one fits, at least.
double waves_of(const Trace& trace, std::uint32_t activity, const DeviceModel& device) {
  if (activity == kWholeTask) return 1;
  const auto& launch = trace.activities[activity].launch;
  if (!launch || !launch->occupancy) return 1;
  const double threads = static_cast<double>(launch->block[0]) *
                         static_cast<double>(launch->block[1]) *
                         static_cast<double>(launch->block[2]);
  // An occupancy is a ratio of whole warps: rounding must not lose the last block.
  const double resident =
      std::floor(*launch->occupancy * kMultiprocessorThreads / std::max(1.0, threads) + 0.01);
  const double at_once = std::max(1.0, resident) * std::max(1.0, device.multiprocessors);
  return std::max(1.0, std::ceil(blocks_of(*launch) / at_once));
}

bool is_fill(const Trace& trace, std::uint32_t activity) {
  const auto kind = activity_kind(trace, activity);
  return kind == ActivityKind::memset || kind == ActivityKind::memcpy;
}

double time_of(const SpanColumns& spans, std::size_t span) {
  if (spans.activity[span] == kWholeTask && spans.cpu_ns[span] >= 0) {
    return static_cast<double>(spans.cpu_ns[span]);
  }
  return static_cast<double>(spans.end_ns[span] - spans.begin_ns[span]);
}

/// Steps whose work is known and typical.
std::set<std::int64_t> priced_steps(const Trace& trace) {
  std::set<std::int64_t> steps;
  for (const StepWindow& window : step_windows(trace)) {
    if (window.timed && window.record == WorkRecord::nodes) steps.insert(window.step);
  }
  return steps;
}

/// The middle run by time: a real one, so that its parts belong together.
TaskCost cost_of(std::vector<Run> runs, double bytes, const DeviceModel& device) {
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::nth_element(runs.begin(), middle, runs.end(),
                   [](const Run& a, const Run& b) { return a.time_ns < b.time_ns; });
  TaskCost cost;
  cost.alone_ns = middle->time_ns;
  cost.kernels = middle->kernels;
  cost.fills = middle->fills;
  cost.sm_share = middle->time_ns > 0 ? middle->sm_ns / middle->time_ns : 0;
  if (middle->time_ns > 0)
    cost.block_share = middle->block_time2 / (middle->time_ns * middle->time_ns);
  const double most = middle->time_ns * device.memory_bytes_per_ns;
  cost.bandwidth_share = most > 0 ? std::min(1.0, bytes / most) : 0;
  return cost;
}

}  // namespace

std::string cost_key(std::string_view task, std::string_view shape) {
  std::string key(task);
  key += '@';
  key += shape;
  return key;
}

const TaskCost* TaskCosts::find(std::string_view task, std::string_view shape) const {
  const auto found = by_key.find(cost_key(task, shape));
  return found == by_key.end() ? nullptr : &found->second;
}

Result<TaskCosts> costs_of(const Trace& trace, const DeviceModel& device) {
  const std::set<std::int64_t> steps = priced_steps(trace);
  std::map<std::uint32_t, std::map<std::int32_t, Run>> by_task;
  const SpanColumns& spans = trace.spans;
  for (std::uint32_t span = 0; span < spans.size(); ++span) {
    if (steps.count(spans.step[span]) == 0 || spans.task[span] >= trace.tasks.size()) continue;
    if (!is_work(trace, span)) continue;
    const double time = time_of(spans, span);
    Run& run = by_task[spans.task[span]][spans.step[span]];
    run.time_ns += time;
    run.sm_ns += time * sm_share_of(trace, spans.activity[span], device);
    run.block_time2 += time * time / waves_of(trace, spans.activity[span], device);
    ++run.kernels;
    run.fills += is_fill(trace, spans.activity[span]) ? 1 : 0;
  }
  if (by_task.empty()) {
    return fail("the recording holds no timed step whose kernels were recorded",
                "record with --record node, or with the host executor");
  }
  std::map<std::string, std::vector<Run>> runs;
  std::map<std::string, double> bytes;
  for (const auto& [task, by_step] : by_task) {
    const TraceTask& row = trace.tasks[task];
    const std::string key = cost_key(row.name, row.shape);
    bytes[key] = row.bytes;
    for (const auto& [step, run] : by_step)
      runs[key].push_back(run);
  }
  TaskCosts costs;
  for (auto& [key, each] : runs)
    costs.by_key.emplace(key, cost_of(std::move(each), bytes[key], device));
  return costs;
}

}  // namespace quintet
