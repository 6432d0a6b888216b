#include "profiler/compare/comparison_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "profiler/compare/change_format.h"
#include "profiler/report/format.h"
#include "profiler/report/terminal_timeline.h"
#include "profiler/report/text_table.h"
#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

/// Tags that are always shown, or their beginnings where they end in '/'; others only where they
/// changed significantly.
constexpr auto kShown = std::to_array<std::string_view>(
    {"step/time", "step/throughput", "utilisation/any", "lane/", "concurrency/mean",
     "concurrency/cpu", "hidden/", "overlap/", "bound/critical_path", "bound/efficiency", "wait/",
     "host_sync/count", "memory/device"});

bool shown(std::string_view tag) {
  return std::any_of(kShown.begin(), kShown.end(), [tag](std::string_view each) {
    return each.ends_with('/') ? tag.starts_with(each) : tag == each;
  });
}

class ComparisonText {
 public:
  ComparisonText(const Comparison& comparison, const Report& a, const Report& b,
                 const TextOptions& options)
      : comparison_(comparison), a_(a), b_(b), options_(options) {}

  std::string write() {
    head();
    timelines();
    metrics();
    layers();
    tasks();
    moved_streams();
    moved_on_path();
    unmatched("Only in A", comparison_.only_a);
    unmatched("Only in B", comparison_.only_b);
    heading("Method");
    wrapped(method_text(comparison_), "  ");
    return std::move(text_);
  }

 private:
  void heading(const std::string& title) { text_ += "\n" + title + "\n"; }

  /// Breaks at blanks so that lines fit.
  void wrapped(const std::string& raw, const std::string& indent) {
    const std::string sentence = visible_text(raw);
    std::string line = indent;
    std::size_t begin = 0;
    while (begin < sentence.size()) {
      const std::size_t end = std::min(sentence.find(' ', begin), sentence.size());
      const std::string word = sentence.substr(begin, end - begin);
      if (line.size() > indent.size() && line.size() + 1 + word.size() > options_.width) {
        text_ += line + "\n";
        line = indent;
      }
      if (line.size() > indent.size()) line += ' ';
      line += word;
      begin = end + 1;
    }
    text_ += line + "\n";
  }

  void head() {
    const std::string scenario = comparison_.b.said("scenario");
    text_ += (scenario.empty() ? "Comparison" : visible_text(scenario)) + "\n";
    text_ += "  A  " + visible_text(format_side(comparison_.a)) + "\n";
    text_ += "  B  " + visible_text(format_side(comparison_.b)) + "\n";
    for (const Caveat& caveat : comparison_.caveats)
      wrapped(fmt::format("{}: {}; {}", caveat.name, caveat.message, caveat.cure), "  ! ");
    if (!comparison_.step_time) {
      text_ += "  Step time unknown: a side has no step\n";
      return;
    }
    const SeriesChange& step = *comparison_.step_time;
    text_ += fmt::format("\nStep time  A {}, B {}: {}\n", format_duration(step.before),
                         format_duration(step.after),
                         step.ratio ? format_ratio(step) : std::string("no ratio"));
    text_ += fmt::format("  difference {}, {}\n", format_difference(MetricHint::duration, step),
                         verdict(step));
    if (!comparison_.between_processes_known())
      text_ += "  spread between processes unknown: one recording a side\n";
  }

  static std::string verdict(const SeriesChange& step) {
    if (!step.bounded) return "significance unknown: too few steps";
    if (!step.excludes_zero()) return "not significant";
    return step.difference.value > 0 ? "significant: B is slower" : "significant: B is faster";
  }

  void timelines() {
    if (a_.timelines.empty() || b_.timelines.empty()) return;
    const StepTimeline& first = a_.timelines.front();
    const StepTimeline& second = b_.timelines.front();
    const std::int64_t scale = std::max(first.length_ns, second.length_ns);
    heading("Timelines of one step each, on one scale");
    const auto draw = [&](const char* side, const Report& report, const StepTimeline& timeline) {
      text_ += fmt::format("  {}, step {}{}, {}\n", side, timeline.step,
                           timeline.label == "median" ? ", the median one" : "",
                           format_duration(static_cast<double>(timeline.length_ns)));
      text_ += terminal_timeline(report, timeline, {options_.width, options_.unicode, scale});
    };
    draw("A", a_, first);
    draw("B", b_, second);
  }

  static std::string value_of(MetricHint hint, const std::optional<double>& value,
                              MetricState state) {
    return value ? format_value(hint, *value) : std::string(name_of(state));
  }

  void metrics() {
    std::vector<std::vector<std::string>> rows;
    for (const MetricChange& row : comparison_.metrics) {
      const bool significant = row.value && row.value->significant;
      if (!significant && !shown(row.definition.tag)) continue;
      // The busy time of a lane says the same as its utilisation.
      if (row.definition.tag.ends_with("/busy")) continue;
      // What neither side knows (a stream both leave idle) would only be noise here.
      if (!row.a && !row.b) continue;
      rows.push_back({row.definition.name, value_of(row.definition.hint, row.a, row.state_a),
                      value_of(row.definition.hint, row.b, row.state_b),
                      row.value ? format_change(row.definition.hint, row.value->change) : "",
                      row.value ? format_significance(*row.value) : ""});
    }
    if (rows.empty()) return;
    heading("Metrics");
    text_ += text_table({{"metric", ColumnAlign::left},
                         {"A", ColumnAlign::right},
                         {"B", ColumnAlign::right},
                         {"change", ColumnAlign::right},
                         {"significant", ColumnAlign::right}},
                        rows, options_.unicode, options_.width);
  }

  static std::vector<std::string> change_cells(const std::string& name,
                                               const TestedChange& tested) {
    return {name, format_duration(tested.change.before), format_duration(tested.change.after),
            format_difference(MetricHint::duration, tested.change), format_significance(tested)};
  }

  [[nodiscard]] std::string change_table(const char* title,
                                         const std::vector<std::vector<std::string>>& rows) const {
    return text_table({{title, ColumnAlign::left},
                       {"A", ColumnAlign::right},
                       {"B", ColumnAlign::right},
                       {"difference", ColumnAlign::right},
                       {"significant", ColumnAlign::right}},
                      rows, options_.unicode, options_.width);
  }

  void left_out(std::size_t all, std::size_t listed, const char* what) {
    if (all > listed) text_ += fmt::format("  {} more {}\n", all - listed, what);
  }

  void layers() {
    if (comparison_.layers.empty()) return;
    std::vector<std::vector<std::string>> rows;
    for (const LayerChange& layer : comparison_.layers) {
      if (rows.size() == options_.rows) break;
      rows.push_back(change_cells(layer.name, layer.time));
    }
    heading("Layers, work per step, largest difference first");
    text_ += change_table("layer", rows);
    left_out(comparison_.layers.size(), rows.size(), "in the JSON and HTML forms");
  }

  void tasks() {
    if (comparison_.tasks.empty()) return;
    std::vector<std::vector<std::string>> rows;
    for (const TaskChange& task : comparison_.tasks) {
      if (rows.size() == options_.rows) break;
      rows.push_back(change_cells(title_of(task), task.time));
    }
    heading("Tasks, work per step, largest difference first");
    text_ += change_table("task", rows);
    left_out(comparison_.tasks.size(), rows.size(), "in the JSON and HTML forms");
  }

  /// "conv1/CONV_FP32_FWD/Y (2 : 1)" where one side fuses what the other does apart.
  static std::string title_of(const TaskChange& change) {
    const AlignedTask& task = change.task;
    if (task.names_a.size() == 1 && task.names_b.size() == 1) return task.name;
    return fmt::format("{} ({} : {} tasks)", task.name, task.names_a.size(), task.names_b.size());
  }

  void moved_streams() {
    std::vector<std::vector<std::string>> rows;
    std::size_t moved = 0;
    for (const TaskChange& task : comparison_.tasks) {
      if (!task.moved_stream()) continue;
      ++moved;
      if (rows.size() < options_.rows) rows.push_back({title_of(task), task.lane_a, task.lane_b});
    }
    if (rows.empty()) return;
    heading(
        fmt::format("Moved to another stream: {} of {} tasks", moved, comparison_.tasks.size()));
    text_ += text_table(
        {{"task", ColumnAlign::left}, {"A", ColumnAlign::left}, {"B", ColumnAlign::left}}, rows,
        options_.unicode, options_.width);
    left_out(moved, rows.size(), "in the JSON and HTML forms");
  }

  void moved_on_path() {
    std::vector<std::vector<std::string>> rows;
    std::size_t moved = 0;
    for (const TaskChange& task : comparison_.tasks) {
      if (!task.moved_on_path()) continue;
      ++moved;
      if (rows.size() == options_.rows) continue;
      rows.push_back({title_of(task), format_percentage(*task.critical_a),
                      format_percentage(*task.critical_b),
                      *task.critical_b > *task.critical_a ? "onto it" : "off it"});
    }
    if (rows.empty()) return;
    heading("Critical path: tasks that moved, with the share of steps in which they are on it");
    text_ += text_table({{"task", ColumnAlign::left},
                         {"A", ColumnAlign::right},
                         {"B", ColumnAlign::right},
                         {"moved", ColumnAlign::left}},
                        rows, options_.unicode, options_.width);
    left_out(moved, rows.size(), "in the JSON and HTML forms");
  }

  void unmatched(const char* title, const std::vector<UnmatchedTask>& tasks) {
    if (tasks.empty()) return;
    heading(fmt::format("{}: {} tasks", title, tasks.size()));
    std::vector<std::vector<std::string>> rows;
    for (const UnmatchedTask& task : tasks) {
      if (rows.size() == options_.rows) break;
      rows.push_back({task.name, task.lane, format_duration(task.time_ns)});
    }
    text_ += text_table({{"task", ColumnAlign::left},
                         {"stream", ColumnAlign::left},
                         {"per step", ColumnAlign::right}},
                        rows, options_.unicode, options_.width);
    left_out(tasks.size(), rows.size(), "in the JSON and HTML forms");
  }

  const Comparison& comparison_;
  const Report& a_;
  const Report& b_;
  const TextOptions& options_;
  std::string text_;
};

}  // namespace

std::string comparison_text(const Comparison& comparison, const Report& a, const Report& b,
                            const TextOptions& options) {
  return ComparisonText(comparison, a, b, options).write();
}

}  // namespace quintet
