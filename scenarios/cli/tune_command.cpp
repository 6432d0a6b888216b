#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <set>

#include "profiler/report/json_parts.h"
#include "profiler/report/text_table.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/expected_error.h"
#include "scenarios/cli/option_checks.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/cli/terminal.h"
#include "scenarios/cli/tune_run.h"

namespace quintet {

namespace {

constexpr std::int64_t kMostMemoryMib = std::numeric_limits<std::int64_t>::max() >> 20U;
constexpr std::int64_t kMostMeasured = 100;

struct TuneArguments {
  TuneRunOptions run;
  bool json = false;
};

std::string in_ms(double ns) {
  return fmt::format("{:.4f}", ns / 1e6);
}

std::string in_mib(std::uint64_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / 0x1p20);
}

std::string table_of(const std::vector<RatedPolicy>& policies, double best_ns, bool by_name) {
  std::vector<std::vector<std::string>> rows;
  std::set<std::string> names;
  for (const RatedPolicy& each : policies) {
    if (by_name && !names.insert(each.policy.name).second) continue;  // its best is above
    rows.push_back({each.policy.name, std::string(name_of(each.origin)),
                    std::string(name_of(each.policy.step)),
                    std::string(name_of(each.policy.gradients)), in_ms(each.step_ns),
                    fmt::format("{:+.2f} %", 100 * (each.step_ns / best_ns - 1)),
                    in_mib(each.memory_bytes), each.race_free ? "race-free" : "races"});
  }
  return text_table({{"policy", ColumnAlign::left},
                     {"from", ColumnAlign::left},
                     {"step mode", ColumnAlign::left},
                     {"gradients", ColumnAlign::left},
                     {"step, ms", ColumnAlign::right},
                     {"to the best", ColumnAlign::right},
                     {"MiB", ColumnAlign::right},
                     {"proof", ColumnAlign::left}},
                    rows, terminal_options().unicode);
}

std::string text_of_bound(const StepBound& bound, const RatedPolicy& best) {
  const double best_ns = best.step_ns;
  std::string text = fmt::format(
      "lower bound {} ms (longest chain {}, multiprocessors {}, bytes {}, issue {}): the best "
      "takes "
      "{:.3f} times as long\n",
      in_ms(bound.ns()), in_ms(bound.path_ns), in_ms(bound.area_ns),
      bound.bytes_ns > 0 ? in_ms(bound.bytes_ns) : "unknown", in_ms(bound.issue_ns),
      best_ns / bound.ns());
  if (bound.ns() <= best_ns) return text;
  text +=
      best.policy.step == StepMode::whole_step
          ? "  the model counts no limit of bytes, so it can promise more than memory can move\n"
          : "  the bound is that of a step in one graph: launched one by one, steps overlap\n";
  return text;
}

std::string text_of(const TuneOutcome& outcome, const std::string& out) {
  const TuneReport& report = outcome.report;
  const double best = report.front.front().step_ns;
  std::string text = fmt::format("predicted from {}, recorded under {}", outcome.recording,
                                 outcome.recorded_under);
  if (outcome.recorded_ns > 0) text += fmt::format(": {} ms", in_ms(outcome.recorded_ns));
  text += "\n" + expected_error_text(outcome.error_share, outcome.worst_error_share) + "\n\n";
  text += "Best policies: none is better in both time and memory\n";
  text += table_of(report.front, best, false);
  text += "\nKnown policies, each at its best\n" + table_of(report.known, best, true) + "\n";
  text += text_of_bound(report.bound, report.front.front());
  text += fmt::format(
      "{} mappings tried in {:.1f} s{}; {} policies refused by planner or proof{}\n",
      report.candidates, outcome.seconds, outcome.interrupted ? ", stopped by a signal" : "",
      report.rejected, report.rejected > 0 ? ", the first: " + report.first_rejected : "");
  if (report.unrated > 0)
    text += fmt::format("{} known policies were not looked at: the time was up\n", report.unrated);
  if (!report.searched)
    text += "no mapping was searched for: a step of several micro-batches is no single graph\n";
  for (const MeasuredPolicy& each : outcome.measured) {
    text += fmt::format("measured {} ms{}, predicted {} ms: {}\n",
                        in_ms(static_cast<double>(each.step_ns)),
                        each.runs > 1 ? fmt::format(" in {} runs", each.runs) : "",
                        in_ms(each.rated.step_ns), each.rated.policy.name);
  }
  if (!out.empty()) text += fmt::format("policy {}\n", out);
  return text;
}

OrderedJson json_of(const RatedPolicy& each) {
  return {{"policy", each.policy.name},
          {"from", name_of(each.origin)},
          {"step", name_of(each.policy.step)},
          {"gradients", name_of(each.policy.gradients)},
          {"step_ns", std::llround(each.step_ns)},
          {"device_bytes", each.memory_bytes},
          {"race_free", each.race_free}};
}

OrderedJson json_of(const std::vector<RatedPolicy>& policies) {
  OrderedJson list = OrderedJson::array();
  for (const RatedPolicy& each : policies)
    list.push_back(json_of(each));
  return list;
}

OrderedJson json_of(const TuneOutcome& outcome, const std::string& out) {
  const TuneReport& report = outcome.report;
  OrderedJson measured = OrderedJson::array();
  for (const MeasuredPolicy& each : outcome.measured) {
    measured.push_back(json_of(each.rated));
    measured.back()["measured_step_ns"] = each.step_ns;
    measured.back()["measured_runs"] = each.runs;
  }
  return {
      {"schema", "quintet.tune"},
      {"version", 1},
      {"recording", outcome.recording},
      {"recorded_under", outcome.recorded_under},
      {"recorded_step_ns",
       outcome.recorded_ns > 0 ? OrderedJson(std::llround(outcome.recorded_ns)) : OrderedJson()},
      {"expected_error", share_or_null(outcome.error_share)},
      {"worst_error", share_or_null(outcome.worst_error_share)},
      {"best", json_of(outcome.best())},
      {"policy_toml", policy_text(outcome.best().policy)},
      {"front", json_of(report.front)},
      {"known", json_of(report.known)},
      {"lower_bound",
       {{"ns", std::llround(report.bound.ns())},
        {"path_ns", std::llround(report.bound.path_ns)},
        {"sm_area_ns", std::llround(report.bound.area_ns)},
        {"bytes_ns", report.bound.bytes_ns > 0 ? OrderedJson(std::llround(report.bound.bytes_ns))
                                               : OrderedJson()},
        {"issue_ns", std::llround(report.bound.issue_ns)}}},
      {"candidates", report.candidates},
      {"rejected", report.rejected},
      {"unrated", report.unrated},
      {"searched", report.searched},
      {"interrupted", outcome.interrupted},
      {"measured", std::move(measured)},
      {"out", out.empty() ? OrderedJson() : OrderedJson(out)}};
}

ExitCode tune_and_show(const TuneArguments& options) {
  const auto outcome = run_tuning(options.run);
  if (!outcome) return report_error(outcome.error());
  if (options.json) return print_output(dump_json(json_of(*outcome, options.run.out), 2) + "\n");
  return print_output(text_of(*outcome, options.run.out));
}

}  // namespace

CommandAction add_tune(CLI::App& app) {
  auto options = std::make_shared<TuneArguments>();
  options->run.recorded_connections = true;
  add_scenario_options(app, options->run.scenario);
  add_executor_options(app, options->run.executor, "What a scenario is recorded and measured on");
  app.add_option("--seconds", options->run.seconds,
                 "How long to search (default: 20, or until --candidates are tried)")
      ->check(above_zero());
  app.add_option(
         "--candidates", options->run.candidates,
         "How many mappings to try before the best are polished, which tries more; the same "
         "number and seed give the same answer")
      ->check(whole_number(1));
  app.add_option("--seed", options->run.seed, "Of the search (default: 1)")->check(whole_number(0));
  app.add_option("--memory-limit", options->run.memory_limit_mib,
                 "Most device memory that a policy may take, in MiB")
      ->check(whole_number(1, kMostMemoryMib));
  app.add_option(
         "--measure", options->run.measure,
         "Run so many of the best, found and known, and serial and renaissance; keep the fastest")
      ->check(whole_number(1, kMostMeasured));
  app.add_option("--out", options->run.out, "Write the best policy to this file");
  add_force_option(app, options->run.force);
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options] { return tune_and_show(*options); };
}

}  // namespace quintet
