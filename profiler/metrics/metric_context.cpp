#include "profiler/metrics/metric_context.h"

#include <algorithm>
#include <utility>

#include "profiler/analysis/device_work.h"

namespace quintet {

MetricContext::MetricContext(const Trace& trace, const Trace* serial)
    : trace_(trace),
      classes_(task_classes(trace)),
      windows_(step_windows(trace)),
      basis_(window_basis(trace, windows_)),
      relations_(trace) {
  measure_steps();
  for (const MeasuredStep& step : steps_) {
    if (step.window->record == WorkRecord::nodes) observed_steps_.push_back(&step);
  }
  if (steps_.empty()) no_steps_reason_ = untimed_reason(trace);
  if (observed_steps_.empty()) {
    not_observed_reason_ =
        steps_.empty() ? no_steps_reason_ : reason_of(steps_.front().window->record);
  }
  judge_work();
  std::vector<std::vector<Interval>> busy(trace.lanes.size());
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    if (on_stream(trace, span))
      busy[trace.spans.lane[span]].push_back(interval_of(trace.spans, span));
  }
  for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) {
    const bool used = !busy[lane].empty();
    lane_busy_.emplace_back(std::move(busy[lane]));
    if (trace.lanes[lane].kind != LaneKind::stream) continue;
    stream_lanes_.push_back(lane);
    if (used) used_lanes_.push_back(lane);
  }
  if (serial != nullptr) serial_ = std::make_unique<MetricContext>(*serial);
}

void MetricContext::measure_steps() {
  for (const StepWindow& window : windows_) {
    if (window.timed) steps_.push_back(measure(window));
  }
  if (windows_.empty() || windows_.front().covering == nullptr) return;
  // What covers windows from outside to outside is the same in each: sums over it suffice.
  const SpanColumns& spans = trace_.spans;
  const auto counted = [this](auto satisfies) {
    return sum_over_covering<std::int64_t>(
        windows_, [&](std::uint32_t span) { return std::int64_t{satisfies(span) ? 1 : 0}; });
  };
  const auto work = counted([this](std::uint32_t span) { return on_stream(trace_, span); });
  const auto unsaid = counted(
      [&](std::uint32_t span) { return on_stream(trace_, span) && spans.cpu_ns[span] < 0; });
  const auto graphs = counted([&](std::uint32_t span) {
    return activity_kind(trace_, spans.activity[span]) == ActivityKind::graph;
  });
  std::array<std::vector<std::int64_t>, kSpanClassCount> of_class;
  for (std::size_t index = 0; index < kSpanClassCount; ++index) {
    of_class[index] = counted([&](std::uint32_t span) {
      return on_stream(trace_, span) &&
             class_of_span(trace_, classes_, span) == static_cast<SpanClass>(index);
    });
  }
  const auto cpu = sum_over_covering<long double>(windows_, [&](std::uint32_t span) {
    if (!on_stream(trace_, span) || spans.cpu_ns[span] < 0) return 0.0L;
    return static_cast<long double>(spans.cpu_ns[span]) /
           static_cast<long double>(interval_of(spans, span).length());
  });
  for (MeasuredStep& step : steps_) {
    const std::size_t at = step.window->position;
    const IntervalSet whole({step.window->time});
    step.occupancy.covering = static_cast<std::size_t>(work[at]);
    if (work[at] > 0) step.all = whole;
    if (graphs[at] > 0) step.graphs = whole;
    for (std::size_t index = 0; index < kSpanClassCount; ++index) {
      if (of_class[index][at] > 0) step.by_class[index] = whole;
    }
    step.cpu_known = step.cpu_known && unsaid[at] == 0;
    step.cpu_ns += static_cast<double>(cpu[at]) * step.length();
  }
}

/// Where the timed steps hold no work of a device, they must not look idle: says why.
void MetricContext::judge_work() {
  work_record_ = summarise_devices(trace_).record;
  if (observed_steps_.empty()) return;
  const DeviceWorkRecord record = work_record_;
  const auto is_graph = [this](std::uint32_t activity) {
    return activity_kind(trace_, activity) == ActivityKind::graph;
  };
  const auto works = [&](std::uint32_t span) {
    return on_stream(trace_, span) || is_graph(trace_.spans.activity[span]);
  };
  bool any = false;
  for (std::uint32_t span = 0; span < trace_.spans.size() && !any; ++span)
    any = works(span);
  const bool untimed =
      std::any_of(trace_.untimed.begin(), trace_.untimed.end(), [&](const TraceUntimed& each) {
        return is_device_activity(trace_, each.activity) || is_graph(each.activity);
      });
  std::string reason;
  if (record == DeviceWorkRecord::unrecognised) {
    reason = reason_of(record);
  } else if (any) {
    reason = work_outside_steps(works);
  } else if (untimed) {
    reason = "when the recorded work ran is not known: all of it is untimed";
  } else if (record == DeviceWorkRecord::absent) {
    reason = "the recording holds no work of a device";
    work_absent_ = true;
  } else {
    reason = reason_of(record);
  }
  if (reason.empty()) return;
  observed_steps_.clear();
  not_observed_reason_ = reason;
  work_elsewhere_ = true;
}

template <class Works>
std::string MetricContext::work_outside_steps(Works works) const {
  const std::vector<bool> touched = windows_with(windows_, works);
  const auto in_timed = [&](const MeasuredStep& step) { return touched[step.window->position]; };
  if (std::any_of(steps_.begin(), steps_.end(), in_timed)) return {};
  const bool in_any = std::find(touched.begin(), touched.end(), true) != touched.end();
  return in_any ? "the work lies outside every timed step" : "the work lies outside every step";
}

MetricValue MetricContext::without_work(MetricDefinition definition) const {
  return work_absent_ ? absent_metric(std::move(definition), not_observed_reason_)
                      : unknown_metric(std::move(definition), not_observed_reason_);
}

MetricValue MetricContext::over_work(MetricDefinition definition, std::vector<double> values,
                                     const std::string& absence) const {
  if (observed_steps_.empty()) return without_work(std::move(definition));
  if (values.empty()) return absent_metric(std::move(definition), absence);
  return known_over_steps(std::move(definition), std::move(values), {});
}

MetricValue MetricContext::over_work_or_unknown(MetricDefinition definition,
                                                std::vector<double> values,
                                                const std::string& reason) const {
  if (observed_steps_.empty()) return without_work(std::move(definition));
  return known_over_steps(std::move(definition), std::move(values), reason);
}

std::vector<const MeasuredStep*> MetricContext::task_steps(std::size_t limit) const {
  if (!work_elsewhere_) return sampled_steps(limit);
  std::vector<const MeasuredStep*> sample;
  const std::size_t count = std::min(limit, steps_.size());
  for (std::size_t index = 0; index < count; ++index)
    sample.push_back(&steps_[index * steps_.size() / count]);
  return sample;
}

MeasuredStep MetricContext::measure(const StepWindow& window) const {
  MeasuredStep step;
  step.window = &window;
  step.step = &trace_.steps[window.index];
  step.cpu_known = true;
  std::array<std::vector<Interval>, kSpanClassCount> by_class;
  std::vector<Interval> all;
  std::vector<Interval> graphs;
  for (const std::uint32_t span : window.spans) {
    const Interval whole = interval_of(trace_.spans, span);
    if (activity_kind(trace_, trace_.spans.activity[span]) == ActivityKind::graph) {
      graphs.push_back(intersect(whole, window.time));
    }
    if (!on_stream(trace_, span)) continue;
    const Interval part = intersect(whole, window.time);
    by_class[static_cast<std::size_t>(class_of_span(trace_, classes_, span))].push_back(part);
    all.push_back(part);
    const std::int64_t cpu = trace_.spans.cpu_ns[span];
    if (cpu < 0) {
      step.cpu_known = false;
    } else if (!whole.empty()) {
      step.cpu_ns += static_cast<double>(cpu) * static_cast<double>(part.length()) /
                     static_cast<double>(whole.length());
    }
  }
  step.occupancy = occupancy_of(all, window.time);
  step.all = IntervalSet(std::move(all));
  step.graphs = IntervalSet(std::move(graphs));
  for (std::size_t index = 0; index < kSpanClassCount; ++index) {
    step.by_class[index] = IntervalSet(std::move(by_class[index]));
  }
  return step;
}

std::vector<const MeasuredStep*> MetricContext::sampled_steps(std::size_t limit) const {
  std::vector<const MeasuredStep*> sample;
  const std::size_t count = std::min(limit, observed_steps_.size());
  for (std::size_t index = 0; index < count; ++index) {
    sample.push_back(observed_steps_[index * observed_steps_.size() / count]);
  }
  return sample;
}

std::vector<std::int64_t> MetricContext::lengths_within(const IntervalSet& set) const {
  std::vector<std::int64_t> lengths(observed_steps_.size());
  const std::vector<Interval>& all = set.intervals();
  auto piece = all.begin();
  for (std::size_t step = 0; step < lengths.size() && piece != all.end(); ++step) {
    const Interval& window = observed_steps_[step]->window->time;
    while (piece != all.end() && piece->end <= window.begin)
      ++piece;
    // The last one may reach into the next window.
    for (; piece != all.end() && piece->begin < window.end; ++piece) {
      lengths[step] += intersect(*piece, window).length();
      if (piece->end > window.end) break;
    }
  }
  return lengths;
}

std::vector<std::size_t> MetricContext::busiest_lanes(std::size_t most) const {
  std::vector<std::size_t> lanes = stream_lanes_;
  if (lanes.size() <= most) return lanes;
  std::vector<Interval> windows;
  for (const MeasuredStep* step : observed_steps_)
    windows.push_back(step->window->time);
  const IntervalLengths observed{IntervalSet(std::move(windows))};
  std::vector<std::int64_t> busy(trace_.lanes.size());
  for (const std::size_t lane : lanes) {
    for (const Interval& each : lane_busy_[lane].intervals())
      busy[lane] += observed.within(each);
  }
  std::stable_sort(lanes.begin(), lanes.end(),
                   [&busy](std::size_t a, std::size_t b) { return busy[a] > busy[b]; });
  lanes.resize(most);
  std::sort(lanes.begin(), lanes.end());
  return lanes;
}

std::string MetricContext::provenance(const std::string& key) const {
  const auto found = trace_.provenance.find(key);
  return found == trace_.provenance.end() ? std::string() : found->second;
}

}  // namespace quintet
