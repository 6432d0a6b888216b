/// How a metric went from commit to commit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/compare/comparison.h"
#include "profiler/compare/history_store.h"

namespace quintet {

/// The runs of one commit: one scenario, one policy, one device.
struct TrendPoint {
  std::string scenario;
  std::string policy;
  std::string device;
  std::string commit;   ///< empty = unknown: then each run is a point of its own
  std::string started;  ///< of its first run
  std::size_t runs = 0;
  double value = 0;  ///< mean over the runs
  double lowest = 0;
  double highest = 0;
  /// From the point before of the same line; no interval where both points are single runs.
  std::optional<TestedChange> change;
};

struct Trend {
  HistoryFilter filter;
  std::string tag;
  std::string name;
  MetricHint hint = MetricHint::count;
  std::vector<TrendPoint> points;  ///< by line, then start

  /// What a line of points has in common beyond the filter: "serial, two cores".
  [[nodiscard]] std::string line_of(const TrendPoint& point) const;
};

/// `values`: of one metric, by start, as HistoryStore::values gives them.
Trend build_trend(const std::vector<HistoryValue>& values, const HistoryFilter& filter,
                  const std::string& tag);

}  // namespace quintet
