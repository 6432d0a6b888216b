#include "profiler/metrics/metric_context.h"

#include "profiler/analysis/device_work.h"

namespace quintet {

MetricContext::MetricContext(const Trace& trace, const Trace* serial)
    : trace_(trace),
      classes_(task_classes(trace)),
      windows_(step_windows(trace)),
      basis_(window_basis(trace, windows_)),
      relations_(trace) {
  for (const StepWindow& window : windows_) {
    if (window.timed) steps_.push_back(measure(window));
  }
  for (const MeasuredStep& step : steps_) {
    if (step.window->record == WorkRecord::nodes) observed_steps_.push_back(&step);
  }
  if (steps_.empty()) no_steps_reason_ = untimed_reason(trace);
  if (observed_steps_.empty()) {
    not_observed_reason_ =
        steps_.empty() ? no_steps_reason_ : reason_of(steps_.front().window->record);
  }
  std::vector<bool> used(trace.lanes.size());
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    if (on_stream(trace, span)) used[trace.spans.lane[span]] = true;
  }
  for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) {
    if (trace.lanes[lane].kind != LaneKind::stream) continue;
    stream_lanes_.push_back(lane);
    if (used[lane]) used_lanes_.push_back(lane);
  }
  if (serial != nullptr) serial_ = std::make_unique<MetricContext>(*serial);
}

MeasuredStep MetricContext::measure(const StepWindow& window) const {
  MeasuredStep step;
  step.window = &window;
  step.step = &trace_.steps[window.index];
  step.cpu_known = true;
  std::vector<std::vector<Interval>> lanes(trace_.lanes.size());
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
    lanes[trace_.spans.lane[span]].push_back(part);
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
  for (std::vector<Interval>& lane : lanes)
    step.lanes.emplace_back(std::move(lane));
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

std::string MetricContext::provenance(const std::string& key) const {
  const auto found = trace_.provenance.find(key);
  return found == trace_.provenance.end() ? std::string() : found->second;
}

}  // namespace quintet
