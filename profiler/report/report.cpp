#include "profiler/report/report.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "profiler/analysis/critical_path.h"
#include "profiler/analysis/device_work.h"
#include "profiler/metrics/concurrency.h"
#include "profiler/metrics/pair_overlap_metric.h"
#include "profiler/metrics/probe_effect.h"
#include "profiler/report/format.h"
#include "profiler/report/report_rows.h"

namespace quintet {

namespace {

/// What one task did over the sampled steps.
struct TaskSamples {
  std::vector<double> times;
  std::vector<double> slacks;
  std::size_t runs = 0;
  std::size_t critical = 0;
};

/// "conv2 dW", and "conv2" for its forward task: short enough to stand in a box.
std::string label_of(const TraceTask& task) {
  if (task.layer.empty()) return task.name;
  const bool forward = task.part.empty() || task.part == "Y";
  return forward ? task.layer : task.layer + " " + task.part;
}

/// Builds the parts of a report from one context.
class ReportBuilder {
 public:
  ReportBuilder(MetricContext& context, Report& report)
      : context_(context), trace_(context.trace()), report_(report) {}

  void build() {
    describe();
    sample_tasks();
    draw_timelines();
    list_tasks();
    roll_up();
    list_edges();
    summarise_concurrency();
    summarise_overlap();
    summarise_waits();
  }

 private:
  void describe() {
    report_.state = trace_.state;
    report_.provenance = trace_.provenance;
    report_.lanes = trace_.lanes;
    report_.device = summarise_devices(trace_);
    report_.metrics = compute_metric_groups(context_);
    report_.steps = trace_.steps;
    std::stable_sort(report_.steps.begin(), report_.steps.end(),
                     [](const TraceStep& a, const TraceStep& b) { return a.step < b.step; });
    report_.findings = trace_.findings;
    std::stable_sort(report_.findings.begin(), report_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    report_.timed_steps = context_.steps().size();
    report_.observed_steps = context_.observed_steps().size();
    report_.unobserved = context_.not_observed_reason();
    report_.basis = context_.basis();
    report_.device_tables = device_tables(context_);
    report_.clocks = report_clocks(trace_);
    const MetricValue* slowdown = report_.metric("probe/slowdown");
    if (slowdown != nullptr && slowdown->known()) report_.slowdown = slowdown->value;
  }

  void sample_tasks() {
    samples_.resize(trace_.tasks.size());
    for (const MeasuredStep* step : context_.task_steps(kTaskSampleSteps)) {
      sampled_ns_ += step->length();
      std::map<std::uint32_t, double> time_of;
      for (const RunInterval& run : task_runs(trace_, *step->window, RunChoice::begun)) {
        time_of[run.task] += static_cast<double>(run.busy_ns);
        ++samples_[run.task].runs;
      }
      for (const auto& [task, time] : time_of)
        samples_[task].times.push_back(time);
      step_times_.push_back(std::move(time_of));
    }
    for (const MeasuredStep* step : context_.sampled_steps()) {
      const auto [runs, path] = step_path(trace_, *step->window, context_.relations());
      for (std::size_t run = 0; run < runs.size(); ++run) {
        TaskSamples& sample = samples_[runs[run].task];
        sample.slacks.push_back(static_cast<double>(path.slack_ns[run]));
        if (path.slack_ns[run] == 0) ++sample.critical;
      }
    }
  }

  /// Ranges and calls of host threads: an import has more of them than of everything else.
  [[nodiscard]] bool accompanies(std::uint32_t task) const {
    return is_pseudo_task(trace_.tasks[task]) && context_.classes()[task] == SpanClass::host;
  }

  void list_tasks() {
    std::set<std::uint32_t> drawn;
    for (const StepTimeline& timeline : report_.timelines) {
      for (const TimelineBox& box : timeline.boxes)
        drawn.insert(box.task);
    }
    for (std::uint32_t index = 0; index < trace_.tasks.size(); ++index) {
      TaskSamples& sample = samples_[index];
      if ((sample.runs == 0 || accompanies(index)) && !drawn.contains(index)) continue;
      const TraceTask& task = trace_.tasks[index];
      ReportTask row;
      row.index = index;
      row.name = task.name;
      row.label = label_of(task);
      row.layer = task.layer;
      row.op_kind = task.op_kind;
      row.part = task.part;
      row.graph = task.graph;
      row.lane = task.policy_lane && task.policy_lane->value() < trace_.lanes.size()
                     ? trace_.lanes[task.policy_lane->value()].name
                     : std::string();
      row.placement_reason = task.placement_reason;
      row.family = family_of(task, context_.classes()[index]);
      row.runs = sample.runs;
      row.share = sampled_ns_ > 0
                      ? std::accumulate(sample.times.begin(), sample.times.end(), 0.0) / sampled_ns_
                      : 0;
      row.time_ns = distribution_of(sample.times);
      row.slack_known = !sample.slacks.empty();
      if (row.slack_known) {
        row.critical =
            static_cast<double>(sample.critical) / static_cast<double>(sample.slacks.size());
        row.slack_ns = distribution_of(sample.slacks).median;
      }
      row.work_known = !is_pseudo_task(task);
      row.flops = task.flops;
      row.bytes = task.bytes;
      report_.tasks.push_back(std::move(row));
    }
    std::stable_sort(report_.tasks.begin(), report_.tasks.end(),
                     [](const ReportTask& a, const ReportTask& b) { return a.share > b.share; });
  }

  /// Layers and op kinds, over stream work only: what the host does beside is no part of a step's
  /// arithmetic.
  void roll_up() {
    report_.layers = rollup_by([](const TraceTask& task) { return task.layer; });
    // Names of an import belong to no layer.
    if (report_.layers.size() == 1 && report_.layers[0].name.empty()) report_.layers.clear();
    report_.op_kinds = rollup_by([](const TraceTask& task) { return task.op_kind; });
  }

  template <class NameOf>
  std::vector<ReportRollup> rollup_by(NameOf name_of_task) {
    std::map<std::string, std::set<std::uint32_t>> members;
    std::map<std::string, std::vector<double>> times;
    std::map<std::string, double> sums;
    double all = 0;
    for (const auto& time_of : step_times_) {
      std::map<std::string, double> in_step;
      for (const auto& [task, time] : time_of) {
        if (context_.classes()[task] == SpanClass::host) continue;
        const std::string name = name_of_task(trace_.tasks[task]);
        members[name].insert(task);
        in_step[name] += time;
        all += time;
      }
      for (const auto& [name, time] : in_step) {
        times[name].push_back(time);
        sums[name] += time;
      }
    }
    std::vector<ReportRollup> rollups;
    for (auto& [name, values] : times) {
      rollups.push_back({name, members[name].size(), distribution_of(values).median,
                         all > 0 ? sums[name] / all : 0});
    }
    std::stable_sort(
        rollups.begin(), rollups.end(),
        [](const ReportRollup& a, const ReportRollup& b) { return a.share > b.share; });
    return rollups;
  }

  void draw_timelines() {
    const std::vector<StepWindow>& windows = context_.windows();
    std::set<std::size_t> drawn;
    const auto draw_once = [&](const char* label, std::size_t position) {
      if (drawn.insert(position).second) draw(label, windows[position]);
    };
    std::vector<std::size_t> timed = timed_by_length(windows);
    if (!context_.observed_steps().empty()) {
      std::erase_if(timed, [&windows](std::size_t position) {
        return windows[position].record != WorkRecord::nodes;
      });
    }
    if (!timed.empty()) {
      draw_once("median", timed[(timed.size() - 1) / 2]);
      draw_once("fastest", timed.front());
      draw_once("p95", timed[(timed.size() - 1) * 95 / 100]);
      draw_once("slowest", timed.back());
    }
    // Windows without work (a hole, an empty recording) say nothing.
    const auto has_work = [](const StepWindow& window) {
      return !window.time.empty() && (!window.spans.empty() || window.covered());
    };
    for (std::size_t position = 0; position < windows.size(); ++position) {
      if (!has_work(windows[position])) continue;
      draw_once("first", position);
      break;
    }
    for (std::size_t position = windows.size(); position-- > 0;) {
      if (!has_work(windows[position])) continue;
      draw_once("last", position);
      break;
    }
  }

  void draw(const char* label, const StepWindow& window) {
    StepTimeline timeline;
    timeline.label = label;
    timeline.step = window.step;
    timeline.length_ns = window.time.length();
    timeline.unknown = reason_of(window.record);
    if (timeline.unknown.empty() && context_.work_elsewhere())
      timeline.unknown = context_.not_observed_reason();
    std::map<std::pair<std::uint32_t, std::int64_t>, std::int64_t> slack_of;
    const auto [runs, path] = step_path(trace_, window, context_.relations());
    for (std::size_t run = 0; run < runs.size(); ++run)
      slack_of[{runs[run].task, runs[run].time.begin}] = path.slack_ns[run];
    for (const RunInterval& run : task_runs(trace_, window, RunChoice::touching)) {
      TimelineBox box{run.task, run.lane.value(), relative(run.time, window),
                      run.step, run.cpu_ns,       std::nullopt};
      const auto slack = slack_of.find({run.task, run.time.begin});
      if (slack != slack_of.end()) box.slack_ns = slack->second;
      timeline.boxes.push_back(box);
    }
    if (timeline.boxes.size() > kTimelineBoxes) {
      timeline.boxes_left_out += std::erase_if(
          timeline.boxes, [this](const TimelineBox& box) { return accompanies(box.task); });
    }
    if (timeline.boxes.size() > kTimelineBoxes) keep_longest(timeline);
    if (timeline.unknown.empty()) {
      WaitList list = list_waits(trace_, window, context_.relations(), kTimelineWaits);
      timeline.waits = std::move(list.waits);
      timeline.waits_left_out = list.left_out;
    }
    for (Wait& wait : timeline.waits)
      wait.time = relative(wait.time, window);
    report_.timelines.push_back(std::move(timeline));
  }

  static Interval relative(const Interval& time, const StepWindow& window) {
    return {time.begin - window.time.begin, time.end - window.time.begin};
  }

  static void keep_longest(StepTimeline& timeline) {
    std::vector<TimelineBox>& boxes = timeline.boxes;
    std::vector<std::int64_t> lengths;
    for (const TimelineBox& box : boxes)
      lengths.push_back(box.time.length());
    std::nth_element(lengths.begin(), lengths.begin() + kTimelineBoxes, lengths.end(),
                     std::greater<>());
    const std::int64_t shortest = lengths[kTimelineBoxes];
    const std::size_t before = boxes.size();
    std::size_t room = kTimelineBoxes;  // for those of exactly the shortest length
    for (const std::int64_t length : lengths)
      room -= length > shortest ? 1 : 0;
    std::erase_if(boxes, [shortest, &room](const TimelineBox& box) {
      if (box.time.length() != shortest) return box.time.length() < shortest;
      if (room == 0) return true;
      --room;
      return false;
    });
    timeline.boxes_left_out += before - boxes.size();
  }

  void list_edges() {
    std::set<std::uint32_t> shown;
    for (const StepTimeline& timeline : report_.timelines) {
      for (const TimelineBox& box : timeline.boxes)
        shown.insert(box.task);
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const TraceGraph& graph : trace_.graphs) {
      for (const TraceEdge& edge : graph.edges) {
        if (!shown.contains(edge.from) || !shown.contains(edge.to)) continue;
        if (seen.insert({edge.from, edge.to}).second) {
          report_.edges.push_back({edge.from, edge.to, edge.rule});
        }
      }
    }
  }

  void summarise_concurrency() {
    report_.concurrency.resize(std::min(concurrency_levels(context_), kConcurrencyLevels));
    double all = 0;
    for (const MeasuredStep* step : context_.observed_steps()) {
      for (std::size_t n = 0; n < report_.concurrency.size(); ++n)
        report_.concurrency[n] += static_cast<double>(step->occupancy.time_with(n));
      report_.concurrency_above += static_cast<double>(time_above(*step));
      all += step->length();
    }
    if (all == 0) return;
    for (double& share : report_.concurrency)
      share /= all;
    report_.concurrency_above /= all;
  }

  void summarise_overlap() {
    const std::vector<std::size_t> lanes = pair_lanes(context_);
    for (const std::size_t lane : lanes)
      report_.overlap_lanes.push_back(static_cast<std::uint32_t>(lane));
    const LaneOverlaps overlaps(context_, lanes);
    report_.overlap.assign(lanes.size(), std::vector<std::optional<double>>(lanes.size()));
    for (std::size_t a = 0; a < lanes.size(); ++a) {
      for (std::size_t b = a; b < lanes.size(); ++b) {
        const std::vector<double> values = overlaps.values(a, b);
        if (values.empty()) continue;
        report_.overlap[a][b] = distribution_of(values).median;
        report_.overlap[b][a] = report_.overlap[a][b];
      }
    }
  }

  void summarise_waits() {
    const auto sampled = context_.sampled_steps();
    if (sampled.empty()) return;
    for (const std::size_t lane : context_.stream_lanes()) {
      LaneWaits row;
      row.lane = static_cast<std::uint32_t>(lane);
      report_.waits.push_back(row);
    }
    const auto count = static_cast<double>(sampled.size());
    for (const MeasuredStep* step : sampled) {
      const auto totals = wait_totals(trace_, *step->window, context_.relations());
      for (LaneWaits& row : report_.waits) {
        const std::int64_t busy = context_.lane_busy(row.lane).length_within(step->window->time);
        row.busy_ns += static_cast<double>(busy) / count;
        for (std::size_t cause = 0; cause < kWaitCauseCount; ++cause)
          row.wait_ns[cause] += static_cast<double>(totals[row.lane][cause]) / count;
      }
    }
  }

  MetricContext& context_;
  const Trace& trace_;
  Report& report_;
  std::vector<TaskSamples> samples_;
  std::vector<std::map<std::uint32_t, double>> step_times_;
  double sampled_ns_ = 0;
};

}  // namespace

const MetricValue* Report::metric(std::string_view tag) const {
  for (const MetricGroup& group : metrics) {
    if (const MetricValue* found = find_metric(group.values, tag)) return found;
  }
  return nullptr;
}

std::string Report::said(const std::string& provenance_key) const {
  const auto found = provenance.find(provenance_key);
  return found == provenance.end() ? std::string() : found->second;
}

std::string Report::probe_notice() const {
  if (!slowdown || *slowdown <= kProbeEffectLimit) return {};
  return "recording made the steps " + format_value(MetricHint::factor, *slowdown) +
         " as long: times, gaps and overlaps are those of the slowed steps";
}

Report build_report(const Trace& trace, const Trace* serial, const RangeOptions& ranges) {
  Report report;
  MetricContext context(trace, serial);
  ReportBuilder(context, report).build();
  list_ranges(trace, ranges, report);
  return report;
}

}  // namespace quintet
