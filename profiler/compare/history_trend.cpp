#include "profiler/compare/history_trend.h"

#include <algorithm>
#include <map>

#include "profiler/compare/false_discovery.h"

namespace quintet {

namespace {

/// The points of one device while its runs come by in order of start.
struct DevicePoints {
  std::vector<TrendPoint> points;
  std::vector<ProcessSeries> values;  ///< per point: one value a run
};

void add_run(DevicePoints& device, const HistoryValue& value) {
  const auto same = [&value](const TrendPoint& point) {
    return !value.run.commit.empty() && point.commit == value.run.commit;
  };
  auto found = std::find_if(device.points.begin(), device.points.end(), same);
  if (found == device.points.end()) {
    TrendPoint point;
    point.device = value.run.device;
    point.commit = value.run.commit;
    point.started = value.run.started;
    device.points.push_back(std::move(point));
    device.values.emplace_back();
    found = std::prev(device.points.end());
  }
  ++found->runs;
  device.values[static_cast<std::size_t>(found - device.points.begin())].push_back(
      {value.metric.value});
}

void summarise(DevicePoints& device, Resampler& resampler) {
  for (std::size_t index = 0; index < device.points.size(); ++index) {
    TrendPoint& point = device.points[index];
    const ProcessSeries& values = device.values[index];
    double sum = 0;
    point.lowest = point.highest = values.front().front();
    for (const StepSeries& value : values) {
      sum += value.front();
      point.lowest = std::min(point.lowest, value.front());
      point.highest = std::max(point.highest, value.front());
    }
    point.value = sum / static_cast<double>(values.size());
    if (index == 0) continue;
    if (const auto change = resampler.change(device.values[index - 1], values))
      point.change = TestedChange{*change};
  }
}

void judge(std::vector<TrendPoint>& points) {
  std::vector<TestedChange*> tested;
  std::vector<double> p_values;
  for (TrendPoint& point : points) {
    if (!point.change || !point.change->change.bounded) continue;
    tested.push_back(&*point.change);
    p_values.push_back(point.change->change.p);
  }
  const std::vector<double> adjusted = adjusted_p_values(p_values);
  for (std::size_t test = 0; test < tested.size(); ++test) {
    tested[test]->adjusted_p = adjusted[test];
    tested[test]->significant =
        tested[test]->change.excludes_zero() && adjusted[test] <= kSignificance;
  }
}

}  // namespace

Trend build_trend(const std::vector<HistoryValue>& values, const HistoryFilter& filter,
                  const std::string& tag) {
  Trend trend;
  trend.filter = filter;
  trend.tag = tag;
  trend.name = tag;
  std::map<std::string, DevicePoints> devices;
  for (const HistoryValue& value : values) {
    trend.name = value.metric.name;
    trend.hint = value.metric.hint;
    add_run(devices[value.run.device], value);
  }
  Resampler resampler;
  for (auto& [name, device] : devices) {
    summarise(device, resampler);
    for (TrendPoint& point : device.points)
      trend.points.push_back(std::move(point));
  }
  judge(trend.points);
  return trend;
}

}  // namespace quintet
