#include "profiler/compare/check_summary.h"

#include <fmt/format.h>

#include "profiler/compare/change_format.h"
#include "profiler/report/file_signature.h"
#include "profiler/report/format.h"
#include "profiler/report/text_table.h"
#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

std::string subject_of(const RegressionCheck& check) {
  const ComparedSide& side = check.comparison.b;
  std::string subject = side.said("scenario").empty() ? side.files.front() : side.said("scenario");
  if (!side.said("policy").empty()) subject += " under " + side.said("policy");
  return subject;
}

std::string verdict_line(const RegressionCheck& check) {
  const std::string limit = fmt::format("{:g} %", check.max_regression * 100);
  switch (check.verdict) {
    case CheckVerdict::passed:
      return "no regression beyond " + limit;
    case CheckVerdict::undecided:
      return "no regression beyond " + limit +
             " shown, but none ruled out: more steps or recordings would tell";
    case CheckVerdict::regression:
      return "regression beyond " + limit;
  }
  return {};
}

std::string step_line(const RegressionCheck& check) {
  const SeriesChange& step = *check.comparison.step_time;
  return fmt::format("{} against {}: {}", format_duration(step.after), format_duration(step.before),
                     format_ratio(step));
}

/// "layer conv2 grew most: +50 us [+48 us, +52 us]"; empty where nothing grew.
template <class Row>
std::string worst(const char* kind, const std::string& name, const Row& row) {
  return fmt::format("{} {} grew most: {}{}", kind, name,
                     format_difference(MetricHint::duration, row.time.change),
                     row.time.significant ? "" : " (not significant)");
}

/// Characters that mean something in a Markdown cell, and those that nobody sees.
std::string for_cell(const std::string& raw) {
  std::string text;
  for (const char each : visible_text(raw)) {
    if (each == '<') {
      text += "&lt;";
    } else if (each == '>') {
      text += "&gt;";
    } else if (each == '&') {
      text += "&amp;";
    } else {
      if (std::string_view("\\`*_{}[]()#+!|~@").find(each) != std::string_view::npos) text += '\\';
      text += each;
    }
  }
  return text;
}

std::vector<std::string> cells(const std::string& name, const TestedChange& tested) {
  return {name, format_duration(tested.change.before), format_duration(tested.change.after),
          format_difference(MetricHint::duration, tested.change), format_significance(tested)};
}

/// The grown layers, then tasks, each as a table of at most `rows`.
std::vector<std::vector<std::string>> layer_rows(const RegressionCheck& check, std::size_t rows) {
  std::vector<std::vector<std::string>> table;
  for (const std::size_t position : check.grown_layers) {
    if (table.size() == rows) break;
    const LayerChange& layer = check.comparison.layers[position];
    table.push_back(cells(layer.name, layer.time));
  }
  return table;
}

std::vector<std::vector<std::string>> task_rows(const RegressionCheck& check, std::size_t rows) {
  std::vector<std::vector<std::string>> table;
  for (const std::size_t position : check.grown_tasks) {
    if (table.size() == rows) break;
    const TaskChange& task = check.comparison.tasks[position];
    table.push_back(cells(task.task.name, task.time));
  }
  return table;
}

std::vector<std::string> worst_lines(const RegressionCheck& check) {
  std::vector<std::string> lines;
  bool significant = false;
  if (!check.grown_layers.empty()) {
    const LayerChange& layer = check.comparison.layers[check.grown_layers.front()];
    lines.push_back(worst("layer", layer.name, layer));
    significant = layer.time.significant;
  }
  if (!check.grown_tasks.empty()) {
    const TaskChange& task = check.comparison.tasks[check.grown_tasks.front()];
    lines.push_back(worst("task", task.task.name, task));
    significant = significant || task.time.significant;
  }
  if (check.verdict == CheckVerdict::regression && !significant) {
    lines.emplace_back(
        "no task's own time explains it: quintet compare shows where streams wait longer");
  }
  return lines;
}

std::string markdown_table(const char* title, const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return {};
  std::string text = fmt::format(
      "\n| {} that grew | baseline | now | difference | significant |\n| --- | ---: | ---: | ---: "
      "| --- |\n",
      title);
  for (const std::vector<std::string>& row : rows) {
    for (const std::string& cell : row)
      text += "| " + for_cell(cell) + " ";
    text += "|\n";
  }
  return text;
}

}  // namespace

std::string check_text(const RegressionCheck& check, bool unicode, std::size_t rows) {
  std::string text = fmt::format("{}: {}\n", visible_text(subject_of(check)), verdict_line(check));
  text += "  step time  " + step_line(check) + "\n";
  for (const std::string& line : worst_lines(check))
    text += "  " + visible_text(line) + "\n";
  for (const Caveat& caveat : check.comparison.caveats) {
    text += fmt::format("  ! {}: {}; {}\n", caveat.name, visible_text(caveat.message),
                        visible_text(caveat.cure));
  }
  const auto table = [&](const char* title, const std::vector<std::vector<std::string>>& body) {
    if (body.empty()) return;
    text += "\n" + text_table({{title, ColumnAlign::left},
                               {"baseline", ColumnAlign::right},
                               {"now", ColumnAlign::right},
                               {"difference", ColumnAlign::right},
                               {"significant", ColumnAlign::right}},
                              body, unicode);
  };
  table("layers that grew", layer_rows(check, rows));
  table("tasks that grew", task_rows(check, rows));
  return text + "\n" + method_text(check.comparison) + "\n";
}

std::string check_markdown(const RegressionCheck& check, std::size_t rows) {
  std::string text(kMarkdownSignature);
  text += fmt::format("### {}: {}\n\n", for_cell(subject_of(check)), for_cell(verdict_line(check)));
  text += "Step time " + for_cell(step_line(check)) + ".\n";
  text += fmt::format("Baseline: {}. Now: {}.\n", for_cell(format_side(check.comparison.a)),
                      for_cell(format_side(check.comparison.b)));
  for (const std::string& line : worst_lines(check))
    text += "* " + for_cell(line) + "\n";
  for (const Caveat& caveat : check.comparison.caveats) {
    text += fmt::format("* **{}**: {}; {}\n", for_cell(caveat.name), for_cell(caveat.message),
                        for_cell(caveat.cure));
  }
  text += markdown_table("layer", layer_rows(check, rows));
  text += markdown_table("task", task_rows(check, rows));
  return text + "\n" + for_cell(method_text(check.comparison)) + "\n";
}

}  // namespace quintet
