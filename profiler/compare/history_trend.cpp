#include "profiler/compare/history_trend.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "profiler/compare/false_discovery.h"

namespace quintet {

namespace {

/// The points of one line while its runs come by in order of start.
struct LinePoints {
  std::vector<TrendPoint> points;
  std::vector<ProcessSeries> values;  ///< per point: one value a run
};

void add_run(LinePoints& line, const HistoryValue& value) {
  const auto same = [&value](const TrendPoint& point) {
    return !value.run.commit.empty() && point.commit == value.run.commit;
  };
  auto found = std::find_if(line.points.begin(), line.points.end(), same);
  if (found == line.points.end()) {
    TrendPoint point;
    point.scenario = value.run.scenario;
    point.policy = value.run.policy;
    point.device = value.run.device;
    point.commit = value.run.commit;
    point.started = value.run.started;
    line.points.push_back(std::move(point));
    line.values.emplace_back();
    found = std::prev(line.points.end());
  }
  ++found->runs;
  line.values[static_cast<std::size_t>(found - line.points.begin())].push_back(
      {value.metric.value});
}

void summarise(LinePoints& line, Resampler& resampler) {
  for (std::size_t index = 0; index < line.points.size(); ++index) {
    TrendPoint& point = line.points[index];
    const ProcessSeries& values = line.values[index];
    double sum = 0;
    point.lowest = point.highest = values.front().front();
    for (const StepSeries& value : values) {
      sum += value.front();
      point.lowest = std::min(point.lowest, value.front());
      point.highest = std::max(point.highest, value.front());
    }
    point.value = sum / static_cast<double>(values.size());
    if (index == 0) continue;
    if (const auto change = resampler.change(line.values[index - 1], values))
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

std::string Trend::line_of(const TrendPoint& point) const {
  std::string line;
  if (filter.scenario.empty()) line += point.scenario + ", ";
  if (filter.policy.empty()) line += point.policy + ", ";
  return line + (point.device.empty() ? "unknown device" : point.device);
}

Trend build_trend(const std::vector<HistoryValue>& values, const HistoryFilter& filter,
                  const std::string& tag) {
  Trend trend;
  trend.filter = filter;
  trend.tag = tag;
  trend.name = tag;
  std::map<std::tuple<std::string, std::string, std::string>, LinePoints> lines;
  for (const HistoryValue& value : values) {
    trend.name = value.metric.name;
    trend.hint = value.metric.hint;
    add_run(lines[{value.run.scenario, value.run.policy, value.run.device}], value);
  }
  Resampler resampler;
  for (auto& [what, line] : lines) {
    summarise(line, resampler);
    for (TrendPoint& point : line.points)
      trend.points.push_back(std::move(point));
  }
  judge(trend.points);
  return trend;
}

}  // namespace quintet
