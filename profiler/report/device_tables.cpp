#include "profiler/report/device_tables.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "profiler/analysis/device_work.h"

namespace quintet {

namespace {

struct ActivitySum {
  double count = 0;
  double time_ns = 0;
};

using ShapeKey = std::tuple<std::array<std::uint32_t, 3>, std::array<std::uint32_t, 3>,
                            std::uint32_t, std::uint64_t, std::uint64_t, std::optional<double>>;

ShapeKey key_of(const LaunchShape& shape) {
  return {shape.grid,
          shape.block,
          shape.registers,
          shape.static_shared_bytes,
          shape.dynamic_shared_bytes,
          shape.occupancy};
}

class TableBuilder {
 public:
  explicit TableBuilder(const Trace& trace)
      : trace_(trace), activities_(trace.activities.size()), lanes_(trace.lanes.size()) {}

  /// Counts a span if it is work of a device on a stream.
  void add(std::size_t span) {
    const SpanColumns& spans = trace_.spans;
    const std::uint32_t activity = spans.activity[span];
    if (!is_device_activity(trace_, activity) || !on_stream(trace_, span)) return;
    const Interval time = interval_of(spans, span);
    ++activities_[activity].count;
    activities_[activity].time_ns += static_cast<double>(time.length());
    Lane& lane = lanes_[spans.lane[span]];
    ++lane.counts[static_cast<std::size_t>(trace_.activities[activity].kind)];
    lane.times.push_back(time);
    any_ = true;
  }

  [[nodiscard]] bool any() const { return any_; }

  /// Sums divided by `steps`.
  [[nodiscard]] std::vector<ReportKernel> kernels(double steps) const {
    std::map<std::string_view, ReportKernel> by_name;
    std::map<std::string_view, double> longest;  // time of the shape that is shown
    std::map<std::string_view, std::vector<ShapeKey>> shapes;
    double all = 0;
    for (std::size_t index = 0; index < activities_.size(); ++index) {
      const TraceActivity& activity = trace_.activities[index];
      const ActivitySum& sum = activities_[index];
      if (activity.kind != ActivityKind::kernel || sum.count == 0) continue;
      ReportKernel& kernel = by_name[activity.name];
      kernel.count += sum.count;
      kernel.time_ns += sum.time_ns;
      all += sum.time_ns;
      if (!activity.launch) continue;
      shapes[activity.name].push_back(key_of(*activity.launch));
      double& most = longest[activity.name];
      if (kernel.launch && sum.time_ns <= most) continue;
      kernel.launch = activity.launch;
      most = sum.time_ns;
    }
    std::vector<ReportKernel> kernels;
    for (auto& [name, kernel] : by_name) {
      kernel.name = name;
      kernel.mean_ns = kernel.time_ns / kernel.count;
      kernel.share = all > 0 ? kernel.time_ns / all : 0;
      kernel.count /= steps;
      kernel.time_ns /= steps;
      std::vector<ShapeKey>& known = shapes[name];
      std::sort(known.begin(), known.end());
      kernel.shapes =
          static_cast<std::size_t>(std::unique(known.begin(), known.end()) - known.begin());
      kernels.push_back(std::move(kernel));
    }
    std::stable_sort(
        kernels.begin(), kernels.end(),
        [](const ReportKernel& a, const ReportKernel& b) { return a.time_ns > b.time_ns; });
    return kernels;
  }

  [[nodiscard]] std::vector<ReportStream> streams(double steps) const {
    std::vector<ReportStream> streams;
    for (std::size_t index = 0; index < lanes_.size(); ++index) {
      const Lane& lane = lanes_[index];
      if (lane.times.empty()) continue;
      const auto per_step = [&](ActivityKind kind) {
        return lane.counts[static_cast<std::size_t>(kind)] / steps;
      };
      streams.push_back({static_cast<std::uint32_t>(index), per_step(ActivityKind::kernel),
                         per_step(ActivityKind::memcpy), per_step(ActivityKind::memset),
                         static_cast<double>(IntervalSet(lane.times).length()) / steps});
    }
    return streams;
  }

 private:
  struct Lane {
    std::array<double, kActivityKindCount> counts{};
    std::vector<Interval> times;
  };

  const Trace& trace_;
  std::vector<ActivitySum> activities_;
  std::vector<Lane> lanes_;
  bool any_ = false;
};

}  // namespace

DeviceTables device_tables(const MetricContext& context) {
  const Trace& trace = context.trace();
  DeviceTables tables;
  TableBuilder in_steps(trace);
  for (const MeasuredStep* step : context.observed_steps()) {
    for (const std::uint32_t span : step->window->spans) {
      if (step->window->time.contains(trace.spans.begin_ns[span])) in_steps.add(span);
    }
  }
  if (in_steps.any()) {
    tables.steps = context.observed_steps().size();
    const auto steps = static_cast<double>(tables.steps);
    tables.kernels = in_steps.kernels(steps);
    tables.streams = in_steps.streams(steps);
    return tables;
  }
  TableBuilder whole(trace);
  for (std::size_t span = 0; span < trace.spans.size(); ++span)
    whole.add(span);
  tables.kernels = whole.kernels(1);
  tables.streams = whole.streams(1);
  return tables;
}

}  // namespace quintet
