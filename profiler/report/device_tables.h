/// What ran on devices, by kernel and by stream: tables that need no task graph, so that imported
/// traces have them too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/metrics/metric_context.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// All kernels of one name.
struct ReportKernel {
  std::string name;
  double count = 0;                   ///< per step
  double time_ns = 0;                 ///< per step: sum of durations
  double mean_ns = 0;                 ///< of one
  double share = 0;                   ///< of the time of all kernels
  std::size_t shapes = 0;             ///< in how many different ways it was launched
  std::optional<LaunchShape> launch;  ///< the one that took the most time; nothing where not told
};

/// Work of devices on one stream.
struct ReportStream {
  std::uint32_t lane = 0;
  double kernels = 0;  ///< per step, as the next two
  double memcpys = 0;
  double memsets = 0;
  double busy_ns = 0;  ///< per step: a union
};

struct DeviceTables {
  std::vector<ReportKernel> kernels;  ///< the longest first
  std::vector<ReportStream> streams;  ///< in the order of lanes, those that did anything
  std::size_t steps = 0;  ///< that the values are means over; 0 = sums over the whole recording
};

/// Over the steps whose work was recorded; over the whole recording where there is none. An
/// activity counts, with all of its time, in the step in which it begins.
DeviceTables device_tables(const MetricContext& context);

}  // namespace quintet
