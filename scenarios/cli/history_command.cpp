#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

#include "profiler/compare/comparison_json.h"
#include "profiler/compare/trend_writers.h"
#include "profiler/report/text_table.h"
#include "profiler/trace/trace_reader.h"
#include "runtime/policy/nearest_name.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/compared_recordings.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/source_commit.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/cli/terminal.h"

namespace quintet {

namespace {

struct HistoryArguments {
  std::string action;
  std::vector<std::string> recordings;
  std::string database = "quintet-history.sqlite";
  std::optional<std::string> commit;
  HistoryFilter filter;
  std::string metric = "step/time";
  std::string html;
  bool json = false;
  OutputRule rule;
};

ExitCode add(const HistoryArguments& options) {
  if (options.recordings.empty()) {
    return report_error({"history add has no recording to add", "name a .qtrace file", {}, 0});
  }
  const auto files = recordings_of(options.recordings);
  if (!files) return report_error(files.error());
  const std::string commit = options.commit ? *options.commit : source_commit();
  std::vector<HistoryEntry> entries;
  for (const std::string& file : *files) {
    const Result<Trace> trace = read_trace(file);
    if (!trace) return report_error(trace.error());
    entries.push_back(history_entry(*trace, file, commit));
  }
  auto store = HistoryStore::open(options.database, HistoryStore::Access::write);
  if (!store) return report_error(store.error());
  const auto replaced = store->add(entries);
  if (!replaced) return report_error(replaced.error());
  return print_output(fmt::format("{}: {} added, {} replaced, commit {}\n", options.database,
                                  entries.size() - *replaced, *replaced,
                                  commit.empty() ? "unknown" : commit));
}

OrderedJson runs_json(const std::vector<HistoryRun>& runs) {
  OrderedJson rows = OrderedJson::array();
  for (const HistoryRun& run : runs) {
    rows.push_back({{"identity", run.identity},
                    {"scenario", run.scenario},
                    {"policy", run.policy},
                    {"executor", run.executor},
                    {"device", run.device},
                    {"lowering", run.lowering},
                    {"batch", run.batch},
                    {"commit", run.commit},
                    {"started", run.started},
                    {"file", run.file},
                    {"timed_steps", run.timed_steps}});
  }
  return {{"schema", "quintet.history"}, {"version", 1}, {"runs", std::move(rows)}};
}

ExitCode list(const HistoryArguments& options) {
  auto store = HistoryStore::open(options.database, HistoryStore::Access::read);
  if (!store) return report_error(store.error());
  const auto runs = store->runs(options.filter);
  if (!runs) return report_error(runs.error());
  if (options.json) return print_output(json_document(runs_json(*runs)));
  std::vector<std::vector<std::string>> rows;
  for (const HistoryRun& run : *runs) {
    rows.push_back({run.file, run.scenario, run.policy, run.device, run.commit.substr(0, 12),
                    run.started, std::to_string(run.timed_steps)});
  }
  const TextOptions terminal = terminal_options();
  return print_output(text_table({{"recording", ColumnAlign::left},
                                  {"scenario", ColumnAlign::left},
                                  {"policy", ColumnAlign::left},
                                  {"device", ColumnAlign::left},
                                  {"commit", ColumnAlign::left},
                                  {"date", ColumnAlign::left},
                                  {"steps", ColumnAlign::right}},
                                 rows, terminal.unicode));
}

/// A tag that no run has is a slip of the pen, not an empty trend.
Result<void> check_metric(HistoryStore& store, const std::string& metric) {
  const auto tags = store.tags();
  if (!tags) return tl::unexpected(tags.error());
  const std::vector<std::string_view> names(tags->begin(), tags->end());
  if (names.empty() || std::find(names.begin(), names.end(), metric) != names.end()) return {};
  return fail("no run has the metric " + metric, suggestion(metric, names));
}

ExitCode trend(const HistoryArguments& options) {
  auto store = HistoryStore::open(options.database, HistoryStore::Access::read);
  if (!store) return report_error(store.error());
  if (auto known = check_metric(*store, options.metric); !known) return report_error(known.error());
  const auto values = store->values(options.filter, options.metric);
  if (!values) return report_error(values.error());
  const Trend built = build_trend(*values, options.filter, options.metric);
  if (!options.html.empty()) {
    const auto written = write_file(options.html, trend_html(built), options.rule);
    if (!written) return report_error(written.error());
  }
  if (options.json) return print_output(json_document(trend_json(built)));
  if (!options.html.empty()) return print_output(options.html + "\n");
  return print_output(trend_text(built, terminal_options().unicode, 0));
}

ExitCode history(HistoryArguments options) {
  if (options.action == "add") return add(options);
  if (!options.recordings.empty()) {
    return report_error({"history " + options.action + " takes no recordings",
                         "leave them out, or use history add",
                         {},
                         0});
  }
  options.rule.inputs = {options.database};
  options.rule.input_error = "is the history itself";
  if (const auto free = check_output(options.html, "--html", options.rule); !free)
    return report_error(free.error());
  return options.action == "list" ? list(options) : trend(options);
}

}  // namespace

CommandAction add_history(CLI::App& app) {
  auto options = std::make_shared<HistoryArguments>();
  app.add_option("action", options->action, "add, list or trend")
      ->required()
      ->check(CLI::IsMember({"add", "list", "trend"}));
  app.add_option("recordings", options->recordings,
                 "add: .qtrace recordings, or folders of them; one that is known is replaced");
  app.add_option("--db", options->database, "The history's file")->capture_default_str();
  app.add_option("--commit", options->commit,
                 "add: the source's commit; what git says of this folder where it is left out");
  app.add_option("--scenario", options->filter.scenario, "list, trend: of this scenario");
  app.add_option("--policy", options->filter.policy, "list, trend: under this policy");
  app.add_option("--device", options->filter.device, "list, trend: on this device");
  app.add_option("--metric", options->metric, "trend: the metric's tag")->capture_default_str();
  app.add_option("--html", options->html, "trend: write a self-contained HTML page to this file");
  add_force_option(app, options->rule.force);
  app.add_flag("--json", options->json, "list, trend: one JSON object on standard output");
  return [options] { return history(*options); };
}

}  // namespace quintet
