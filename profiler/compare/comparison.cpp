#include "profiler/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "profiler/compare/false_discovery.h"

namespace quintet {

namespace {

/// How far apart shares of critical steps must lie for a task to count as moved.
constexpr double kPathDistance = 0.25;

using Samples = std::vector<RecordingSample>;
using Members = std::vector<std::vector<std::size_t>>;

/// Sum over the members per step; NaN where none of them ran.
StepSeries summed(const RecordingSample& recording, const std::vector<std::size_t>& members) {
  StepSeries sum(recording.task_steps, std::numeric_limits<double>::quiet_NaN());
  for (const std::size_t member : members) {
    const StepSeries& time = recording.tasks[member].time_ns;
    for (std::size_t step = 0; step < time.size(); ++step) {
      if (std::isnan(time[step])) continue;
      sum[step] = std::isnan(sum[step]) ? time[step] : sum[step] + time[step];
    }
  }
  return sum;
}

ProcessSeries series_of(const Samples& side, const Members& members) {
  ProcessSeries series;
  for (std::size_t recording = 0; recording < side.size(); ++recording)
    series.push_back(summed(side[recording], members[recording]));
  return series;
}

std::string lane_of(const Samples& side, const Members& members) {
  std::set<std::string> lanes;
  for (std::size_t recording = 0; recording < side.size(); ++recording) {
    for (const std::size_t member : members[recording]) {
      for (const auto& [lane, busy] : side[recording].tasks[member].lanes)
        lanes.insert(lane);
    }
  }
  std::string text;
  for (const std::string& lane : lanes)
    text += (text.empty() ? "" : "+") + lane;
  return text;
}

std::optional<double> critical_share(const Samples& side, const Members& members) {
  std::size_t critical = 0;
  std::size_t steps = 0;
  for (std::size_t recording = 0; recording < side.size(); ++recording) {
    steps += side[recording].path_steps;
    for (std::size_t step = 0; step < side[recording].path_steps; ++step) {
      const bool any = std::any_of(
          members[recording].begin(), members[recording].end(),
          [&](std::size_t member) { return side[recording].tasks[member].critical[step]; });
      if (any) ++critical;
    }
  }
  if (steps == 0) return std::nullopt;
  return static_cast<double>(critical) / static_cast<double>(steps);
}

/// Judges the changes of one table together.
void test_together(const std::vector<TestedChange*>& changes) {
  std::vector<double> p_values;
  std::vector<TestedChange*> tested;
  for (TestedChange* change : changes) {
    if (!change->change.bounded) continue;
    tested.push_back(change);
    p_values.push_back(change->change.p);
  }
  const std::vector<double> adjusted = adjusted_p_values(p_values);
  for (std::size_t test = 0; test < tested.size(); ++test) {
    tested[test]->adjusted_p = adjusted[test];
    tested[test]->significant =
        tested[test]->change.excludes_zero() && adjusted[test] <= kSignificance;
  }
}

double size_of(const TestedChange& tested) {
  return std::abs(tested.change.difference.value);
}

class Comparer {
 public:
  Comparer(const Samples& a, const Samples& b, const ResampleOptions& options)
      : a_(a), b_(b), resampler_(options) {
    comparison_.resampling = options;
  }

  Comparison build() {
    comparison_.a = side_of(a_);
    comparison_.b = side_of(b_);
    comparison_.by = b_.front().by;
    comparison_.caveats = caveats_of(a_, b_);
    compare_steps();
    const std::vector<AlignedTask> aligned = align_tasks(a_, b_);
    compare_tasks(aligned);
    compare_layers(aligned);
    compare_metrics();
    return std::move(comparison_);
  }

 private:
  static ComparedSide side_of(const Samples& samples) {
    ComparedSide side;
    side.provenance = samples.front().provenance;
    for (const RecordingSample& recording : samples) {
      side.files.push_back(recording.file);
      side.timed_steps += recording.timed_steps;
    }
    return side;
  }

  void compare_steps() {
    ProcessSeries before;
    ProcessSeries after;
    for (const RecordingSample& recording : a_)
      before.push_back(recording.step_time_ns);
    for (const RecordingSample& recording : b_)
      after.push_back(recording.step_time_ns);
    comparison_.step_time = resampler_.change(before, after);
  }

  void compare_tasks(const std::vector<AlignedTask>& aligned) {
    for (const AlignedTask& task : aligned) {
      if (!task.matched()) {
        const bool first = task.names_b.empty();
        (first ? comparison_.only_a : comparison_.only_b)
            .push_back(unmatched(task, first ? a_ : b_, first ? task.members_a : task.members_b));
        continue;
      }
      const auto change =
          resampler_.change(series_of(a_, task.members_a), series_of(b_, task.members_b));
      if (!change) continue;
      TaskChange row;
      row.task = task;
      row.time.change = *change;
      row.lane_a = lane_of(a_, task.members_a);
      row.lane_b = lane_of(b_, task.members_b);
      row.critical_a = critical_share(a_, task.members_a);
      row.critical_b = critical_share(b_, task.members_b);
      comparison_.tasks.push_back(std::move(row));
    }
    judge(comparison_.tasks);
    const auto longer = [](const UnmatchedTask& first, const UnmatchedTask& next) {
      return first.time_ns > next.time_ns;
    };
    std::stable_sort(comparison_.only_a.begin(), comparison_.only_a.end(), longer);
    std::stable_sort(comparison_.only_b.begin(), comparison_.only_b.end(), longer);
  }

  static UnmatchedTask unmatched(const AlignedTask& task, const Samples& side,
                                 const Members& members) {
    StepSeries medians;
    for (const StepSeries& series : series_of(side, members))
      medians.push_back(median_of(series));
    return {task.name, task.shape, lane_of(side, members), median_of(medians)};
  }

  /// Work on streams only: what the host does beside is no part of a step's arithmetic.
  void compare_layers(const std::vector<AlignedTask>& aligned) {
    std::map<std::string, std::pair<Members, Members>> layers;
    for (const AlignedTask& task : aligned) {
      if (task.layer.empty() || task.span_class == SpanClass::host) continue;
      auto& [before, after] = layers[task.layer];
      append(before, task.members_a);
      append(after, task.members_b);
    }
    for (const auto& [name, members] : layers) {
      const auto change =
          resampler_.change(series_of(a_, members.first), series_of(b_, members.second));
      if (!change) continue;
      LayerChange row;
      row.name = name;
      row.time.change = *change;
      comparison_.layers.push_back(std::move(row));
    }
    judge(comparison_.layers);
  }

  static void append(Members& all, const Members& more) {
    all.resize(more.size());
    for (std::size_t recording = 0; recording < more.size(); ++recording)
      all[recording].insert(all[recording].end(), more[recording].begin(), more[recording].end());
  }

  template <class Row>
  static void judge(std::vector<Row>& rows) {
    std::vector<TestedChange*> tested;
    for (Row& row : rows)
      tested.push_back(&row.time);
    test_together(tested);
    std::stable_sort(rows.begin(), rows.end(), [](const Row& first, const Row& next) {
      return size_of(first.time) > size_of(next.time);
    });
  }

  void compare_metrics() {
    for (const MetricValue& metric : b_.front().metrics)
      add_metric(metric.definition);
    for (const MetricValue& metric : a_.front().metrics) {
      if (find_metric(b_.front().metrics, metric.tag()) == nullptr) add_metric(metric.definition);
    }
    std::vector<TestedChange*> tested;
    for (MetricChange& row : comparison_.metrics) {
      if (row.value) tested.push_back(&*row.value);
    }
    test_together(tested);
  }

  /// Per process the values over its steps, or its single value.
  static ProcessSeries metric_series(const Samples& side, const std::string& tag,
                                     MetricState& state, std::string& reason) {
    ProcessSeries series;
    state = MetricState::unknown;
    for (const RecordingSample& recording : side) {
      const MetricValue* metric = find_metric(recording.metrics, tag);
      if (metric == nullptr) continue;
      if (state != MetricState::known) state = metric->state;
      if (!metric->known()) {
        if (reason.empty()) reason = metric->reason;
        continue;
      }
      series.push_back(metric->over_steps.empty() ? StepSeries{metric->value} : metric->over_steps);
    }
    return series;
  }

  static std::optional<double> mean_of_medians(const ProcessSeries& series) {
    if (series.empty()) return std::nullopt;
    double sum = 0;
    for (const StepSeries& process : series)
      sum += median_of(process);
    return sum / static_cast<double>(series.size());
  }

  void add_metric(const MetricDefinition& definition) {
    MetricChange row;
    row.definition = definition;
    const ProcessSeries before = metric_series(a_, definition.tag, row.state_a, row.reason);
    const ProcessSeries after = metric_series(b_, definition.tag, row.state_b, row.reason);
    row.a = mean_of_medians(before);
    row.b = mean_of_medians(after);
    if (row.a && row.b) {
      row.reason.clear();
      if (const auto change = resampler_.change(before, after)) row.value = TestedChange{*change};
    }
    comparison_.metrics.push_back(std::move(row));
  }

  const Samples& a_;
  const Samples& b_;
  Resampler resampler_;
  Comparison comparison_;
};

}  // namespace

bool TaskChange::moved_on_path() const {
  if (!critical_a || !critical_b) return false;
  return (*critical_a >= 0.5) != (*critical_b >= 0.5) &&
         std::abs(*critical_a - *critical_b) >= kPathDistance;
}

std::string ComparedSide::said(const std::string& provenance_key) const {
  const auto found = provenance.find(provenance_key);
  return found == provenance.end() ? std::string() : found->second;
}

Comparison compare_recordings(const std::vector<RecordingSample>& a,
                              const std::vector<RecordingSample>& b,
                              const ResampleOptions& options) {
  return Comparer(a, b, options).build();
}

}  // namespace quintet
