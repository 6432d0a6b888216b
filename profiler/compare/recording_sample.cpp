#include "profiler/compare/recording_sample.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "profiler/analysis/critical_path.h"
#include "profiler/analysis/step_window.h"
#include "profiler/compare/recording_identity.h"
#include "profiler/metrics/metric_catalog.h"
#include "profiler/trace/span_order.h"

namespace quintet {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kSampledRuns = 16;
/// Times of kernels in steps that are held at once: where the kernels have many names, fewer steps
/// are looked at.
constexpr std::size_t kMostTimes = 1U << 24;

bool imported(const Trace& trace) {
  return trace.provenance.contains("source_format");
}

/// One task or kernel of one step while its spans come by, by begin.
struct StepWork {
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
  std::int64_t busy_ns = 0;
};

class Sampler {
 public:
  Sampler(const Trace& trace, const SampleOptions& options, RecordingSample& sample)
      : trace_(trace),
        options_(options),
        sample_(sample),
        windows_(step_windows(trace)),
        at_work_(windows_with(windows_,
                              [&trace](std::uint32_t span) { return on_stream(trace, span); })),
        classes_(task_classes(trace)) {}

  void run() {
    choose_steps();
    switch (options_.by) {
      case AlignBy::task:
        group_tasks();
        sample_tasks();
        sample_paths();
        break;
      case AlignBy::kernel:
        sample_kernels();
        break;
    }
    drop_what_never_ran();
  }

 private:
  void choose_steps() {
    std::vector<std::size_t> usable;
    for (std::size_t window = 0; window < windows_.size(); ++window) {
      if (windows_[window].timed) usable.push_back(window);
    }
    sample_.timed = !usable.empty();
    sample_.timed_steps = usable.size();
    for (std::size_t window = 0; !sample_.timed && window < windows_.size(); ++window) {
      const bool train = trace_.steps[windows_[window].index].phase == "train";
      if (train && !windows_[window].time.empty()) usable.push_back(window);
    }
    for (const std::size_t position : sampled_positions(usable.size())) {
      const Interval& time = windows_[usable[position]].time;
      sample_.step_time_ns.push_back(static_cast<double>(time.length()));
    }
    // Where only windows of steps were recorded in detail, the others say nothing of tasks.
    std::erase_if(usable, [this](std::size_t window) { return !has_work(windows_[window]); });
    for (const std::size_t position : sampled_positions(usable.size())) {
      column_of_step_[windows_[usable[position]].step] = chosen_.size();
      chosen_.push_back(usable[position]);
    }
    sample_.task_steps = chosen_.size();
  }

  [[nodiscard]] bool has_work(const StepWindow& window) const { return at_work_[window.position]; }

  /// The column of the step that a span serves; of the window it begins in where it does not say.
  [[nodiscard]] std::optional<std::size_t> column_of(std::size_t span) const {
    const std::int32_t step = trace_.spans.step[span];
    if (step >= 0) {
      const auto found = column_of_step_.find(step);
      return found == column_of_step_.end() ? std::nullopt : std::optional(found->second);
    }
    const std::int64_t begin = trace_.spans.begin_ns[span];
    const auto window =
        std::partition_point(windows_.begin(), windows_.end(),
                             [begin](const StepWindow& each) { return each.time.end <= begin; });
    if (window == windows_.end() || !window->time.contains(begin)) return std::nullopt;
    const auto found = column_of_step_.find(window->step);
    return found == column_of_step_.end() ? std::nullopt : std::optional(found->second);
  }

  [[nodiscard]] std::vector<std::uint32_t> spans_by_begin() const {
    std::vector<std::uint32_t> order(trace_.spans.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return span_key(trace_.spans, a) < span_key(trace_.spans, b);
    });
    return order;
  }

  [[nodiscard]] bool usable(std::size_t span) const {
    return trace_.spans.task[span] < trace_.tasks.size() &&
           trace_.spans.lane[span] < trace_.lanes.size();
  }

  void add_time(std::size_t unit, std::size_t column, std::size_t span, StepWork& work) {
    const Interval time = interval_of(trace_.spans, span);
    // Spans come by begin, so what lies before the end so far is counted already.
    const std::int64_t fresh = Interval{std::max(time.begin, work.end_ns), time.end}.length();
    work.end_ns = std::max(work.end_ns, time.end);
    work.busy_ns += fresh;
    sample_.tasks[unit].time_ns[column] = static_cast<double>(work.busy_ns);
    sample_.tasks[unit].lanes[trace_.lanes[trace_.spans.lane[span]].name] += fresh;
  }

  TaskSample& add_unit(std::string name, const TraceTask& task, SpanClass span_class) {
    TaskSample unit;
    unit.name = std::move(name);
    unit.layer = task.layer;
    unit.shape = task.shape;
    unit.span_class = span_class;
    unit.time_ns.assign(chosen_.size(), kNone);
    sample_.tasks.push_back(std::move(unit));
    return sample_.tasks.back();
  }

  void group_tasks() {
    std::map<std::pair<std::string, std::string>, std::size_t> unit_of_identity;
    for (std::size_t index = 0; index < trace_.tasks.size(); ++index) {
      const TraceTask& task = trace_.tasks[index];
      const auto [found, fresh] =
          unit_of_identity.try_emplace({task.name, task.shape}, sample_.tasks.size());
      unit_of_task_.push_back(found->second);
      if (!fresh) continue;
      TaskSample& unit = add_unit(task.name, task, classes_[index]);
      for (const std::string& id : task.covers)
        unit.ids.push_back(id + "@" + task.shape);
      if (unit.ids.empty()) unit.ids.push_back(task.name + "@" + task.shape);
    }
  }

  void sample_tasks() {
    std::vector<std::vector<StepWork>> work(sample_.tasks.size());
    for (const std::uint32_t span : spans_by_begin()) {
      if (!usable(span)) continue;
      const std::optional<std::size_t> column = column_of(span);
      if (!column) continue;
      const std::size_t unit = unit_of_task_[trace_.spans.task[span]];
      if (work[unit].empty()) work[unit].resize(chosen_.size());
      add_time(unit, *column, span, work[unit][*column]);
    }
  }

  void sample_paths() {
    const std::size_t count = std::min(options_.path_steps, chosen_.size());
    if (count == 0) return;
    sample_.path_steps = count;
    for (TaskSample& unit : sample_.tasks)
      unit.critical.assign(count, false);
    TaskRelations relations(trace_);
    for (std::size_t index = 0; index < count; ++index) {
      const StepWindow& window = windows_[chosen_[index * chosen_.size() / count]];
      const auto [runs, path] = step_path(trace_, window, relations);
      for (std::size_t run = 0; run < runs.size(); ++run) {
        if (path.slack_ns[run] == 0)
          sample_.tasks[unit_of_task_[runs[run].task]].critical[index] = true;
      }
    }
  }

  /// Spans by column and task.
  using Occurrences = std::map<std::pair<std::size_t, std::uint32_t>, std::vector<std::uint32_t>>;

  [[nodiscard]] Occurrences occurrences_of_kernels() const {
    Occurrences occurrences;
    for (const std::uint32_t span : spans_by_begin()) {
      if (!on_stream(trace_, span)) continue;
      const std::optional<std::size_t> column = column_of(span);
      if (column) occurrences[{*column, trace_.spans.task[span]}].push_back(span);
    }
    return occurrences;
  }

  /// As many series as the kernels need: of each name the most of one step.
  static std::size_t most_kernels(const Occurrences& occurrences) {
    std::unordered_map<std::uint32_t, std::size_t> most;
    for (const auto& [where, spans] : occurrences)
      most[where.second] = std::max(most[where.second], spans.size());
    std::size_t sum = 0;
    for (const auto& [task, count] : most)
      sum += count;
    return sum;
  }

  /// Keeps `count` of the chosen steps, evenly spread.
  void thin_steps(std::size_t count) {
    std::vector<std::size_t> kept;
    for (std::size_t index = 0; index < count; ++index)
      kept.push_back(chosen_[index * chosen_.size() / count]);
    chosen_ = std::move(kept);
    column_of_step_.clear();
    for (std::size_t column = 0; column < chosen_.size(); ++column)
      column_of_step_[windows_[chosen_[column]].step] = column;
    sample_.task_steps = chosen_.size();
  }

  /// A kernel's place among those of its name in its step: by graph node where each has one, which
  /// concurrency cannot swap, else by begin.
  void sample_kernels() {
    Occurrences occurrences = occurrences_of_kernels();
    if (const std::size_t kernels = most_kernels(occurrences);
        kernels > 0 && chosen_.size() > kMostTimes / kernels) {
      thin_steps(std::max<std::size_t>(1, kMostTimes / kernels));
      occurrences = occurrences_of_kernels();
    }
    std::map<std::pair<std::string, std::size_t>, std::size_t> unit_of_kernel;
    for (auto& [where, spans] : occurrences) {
      const bool nodes = std::all_of(spans.begin(), spans.end(),
                                     [this](std::uint32_t span) { return node_of(span); });
      if (nodes) {
        std::stable_sort(spans.begin(), spans.end(), [this](std::uint32_t a, std::uint32_t b) {
          return *node_of(a) < *node_of(b);
        });
      }
      std::map<std::string, std::size_t> ordinal;
      for (const std::uint32_t span : spans) {
        const std::string name = kernel_name(span);
        add_kernel(where.first, span, name, ++ordinal[name], unit_of_kernel);
      }
    }
  }

  void add_kernel(std::size_t column, std::uint32_t span, const std::string& name,
                  std::size_t ordinal,
                  std::map<std::pair<std::string, std::size_t>, std::size_t>& unit_of_kernel) {
    const auto [found, fresh] = unit_of_kernel.try_emplace({name, ordinal}, sample_.tasks.size());
    if (fresh) {
      const std::uint32_t task = trace_.spans.task[span];
      const std::string title = name + " #" + std::to_string(ordinal);
      add_unit(title, trace_.tasks[task], classes_[task]).ids = {title};
    }
    StepWork work;
    add_time(found->second, column, span, work);
  }

  [[nodiscard]] std::optional<std::uint64_t> node_of(std::uint32_t span) const {
    const std::uint32_t activity = trace_.spans.activity[span];
    if (activity >= trace_.activities.size()) return std::nullopt;
    const TraceActivity& what = trace_.activities[activity];
    return what.captured_node ? what.captured_node : what.graph_node;
  }

  [[nodiscard]] std::string kernel_name(std::uint32_t span) const {
    const std::uint32_t activity = trace_.spans.activity[span];
    return activity < trace_.activities.size() ? trace_.activities[activity].name
                                               : trace_.tasks[trace_.spans.task[span]].name;
  }

  /// Tasks of evaluation, of the short last batch, of graphs that no sampled step launched.
  void drop_what_never_ran() {
    std::erase_if(sample_.tasks, [](const TaskSample& unit) { return unit.lanes.empty(); });
  }

  const Trace& trace_;
  const SampleOptions& options_;
  RecordingSample& sample_;
  std::vector<StepWindow> windows_;
  std::vector<bool> at_work_;  ///< per window
  std::vector<SpanClass> classes_;
  std::vector<std::size_t> chosen_;  ///< positions in windows_, one per column
  std::unordered_map<std::int64_t, std::size_t> column_of_step_;
  std::vector<std::size_t> unit_of_task_;
};

}  // namespace

std::string RecordingSample::said(const std::string& provenance_key) const {
  const auto found = provenance.find(provenance_key);
  return found == provenance.end() ? std::string() : found->second;
}

AlignBy alignment_of(const Trace& a, const Trace& b) {
  return imported(a) || imported(b) ? AlignBy::kernel : AlignBy::task;
}

std::vector<std::size_t> sampled_positions(std::size_t count) {
  std::vector<std::size_t> positions;
  if (count <= kSampledSeries) {
    positions.resize(count);
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    return positions;
  }
  constexpr std::size_t kRun = kSampledSeries / kSampledRuns;
  for (std::size_t run = 0; run < kSampledRuns; ++run) {
    const std::size_t first = run * (count - kRun) / (kSampledRuns - 1);
    for (std::size_t within = 0; within < kRun; ++within)
      positions.push_back(first + within);
  }
  return positions;
}

RecordingSample sample_recording(const Trace& trace, const std::string& file,
                                 const SampleOptions& options) {
  RecordingSample sample;
  sample.file = file;
  sample.identity = recording_identity(trace);
  sample.state = trace.state;
  sample.provenance = trace.provenance;
  sample.by = options.by;
  for (const Finding& finding : trace.findings) {
    if (finding.severity >= Severity::data_loss) sample.findings.push_back(finding);
  }
  Sampler(trace, options, sample).run();
  if (options.metrics) sample.metrics = compute_metrics(trace);
  for (MetricValue& metric : sample.metrics) {
    StepSeries thinned;
    for (const std::size_t position : sampled_positions(metric.over_steps.size()))
      thinned.push_back(metric.over_steps[position]);
    metric.over_steps = std::move(thinned);
  }
  return sample;
}

}  // namespace quintet
