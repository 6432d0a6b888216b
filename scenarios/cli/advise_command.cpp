#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "profiler/report/json_parts.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/trace/utf8.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/expected_error.h"
#include "scenarios/cli/interrupt_watch.h"
#include "scenarios/cli/option_checks.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/recorded_catalog.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/lab/advisor.h"

namespace quintet {

namespace {

struct AdviseArguments {
  std::string recording;
  std::string out;
  AdviceOptions advice;
  bool json = false;
  OutputRule rule;
};

constexpr std::size_t kShownWaits = 5;

double mebibytes(std::int64_t bytes) {
  return static_cast<double>(bytes) / 0x1p20;
}

std::string text_of(const AdviceReport& report, const AdviseArguments& options) {
  std::string text =
      fmt::format("{}: {:.4f} ms a step predicted", options.recording, report.step_ns / 1e6);
  if (report.recorded_ns > 0) text += fmt::format(", {:.4f} ms recorded", report.recorded_ns / 1e6);
  text += "; " + expected_error_text(report.error_share) + "\n";
  if (report.advice.empty())
    text +=
        fmt::format("no single change gains {:.1f} % or more\n", 100 * options.advice.least_share);
  std::size_t rank = 0;
  for (const Advice& advice : report.advice) {
    text += fmt::format(
        "{:2}. {}\n    {}\n    {:+.1f} us ({:+.2f} %), {:+.1f} MiB, {:+} waits, {}\n", ++rank,
        visible_text(advice.title), visible_text(advice.why), -advice.gain_ns / 1e3,
        -100 * advice.gain_ns / report.step_ns, mebibytes(advice.memory_bytes), advice.waits,
        advice.race_free ? "race-free" : "races: " + advice.race);
  }
  text += fmt::format("{} changes tried, {} more do not plan{}\n", report.tried, report.impossible,
                      report.complete ? "" : "; stopped before the others");
  for (std::size_t wait = 0; wait < std::min(kShownWaits, report.waits.size()); ++wait) {
    const StreamWait& each = report.waits[wait];
    text += fmt::format("{}{:>8.1f} us {} waits: {} for {}\n", wait == 0 ? "longest waits\n" : "",
                        each.ns / 1e3, each.stream, visible_text(each.next),
                        visible_text(each.blocker));
  }
  if (!options.out.empty()) text += fmt::format("policy {}\n", options.out);
  return text;
}

OrderedJson json_of(const AdviceReport& report, const AdviseArguments& options) {
  OrderedJson advice = OrderedJson::array();
  for (const Advice& each : report.advice) {
    advice.push_back({{"title", each.title},
                      {"why", each.why},
                      {"step_ns", std::llround(each.step_ns)},
                      {"gain_ns", std::llround(each.gain_ns)},
                      {"device_bytes_more", each.memory_bytes},
                      {"waits_more", each.waits},
                      {"race_free", each.race_free},
                      {"race", each.race.empty() ? OrderedJson() : OrderedJson(each.race)},
                      {"policy_toml", policy_text(each.policy)}});
  }
  OrderedJson waits = OrderedJson::array();
  for (const StreamWait& each : report.waits) {
    waits.push_back({{"stream", each.stream},
                     {"next", each.next},
                     {"blocker", each.blocker},
                     {"ns", std::llround(each.ns)}});
  }
  return {{"schema", "quintet.advise"},
          {"version", 1},
          {"recording", options.recording},
          {"step_ns", std::llround(report.step_ns)},
          {"recorded_step_ns",
           report.recorded_ns > 0 ? OrderedJson(std::llround(report.recorded_ns)) : OrderedJson()},
          {"expected_error", share_or_null(report.error_share)},
          {"advice", std::move(advice)},
          {"tried", report.tried},
          {"impossible", report.impossible},
          {"complete", report.complete},
          {"waits", std::move(waits)},
          {"out", options.out.empty() ? OrderedJson() : OrderedJson(options.out)}};
}

Result<AdviceReport> advise_on(AdviseArguments& options) {
  const auto path = recording_path(options.recording);
  if (!path) return tl::unexpected(path.error());
  options.rule.inputs = {*path};
  if (auto free = check_output(options.out, "--out", options.rule); !free)
    return tl::unexpected(free.error());
  const auto trace = read_trace(*path);
  if (!trace) return tl::unexpected(trace.error());
  const auto predictor = Predictor::of_trace(*trace);
  if (!predictor) return tl::unexpected(predictor.error());
  InterruptWatch watch;
  ProgressLine progress("advising", static_cast<std::int64_t>(options.advice.most_tried),
                        "changes");
  return advise(*trace, *predictor, options.advice, [&](std::size_t done, std::size_t of) {
    progress.update(static_cast<std::int64_t>(done), fmt::format("of {}", of));
    return !watch.interrupted();
  });
}

ExitCode advise_and_show(AdviseArguments options) {
  const auto report = advise_on(options);
  if (!report) return report_error(report.error());
  if (!options.out.empty()) {
    const auto safe = std::find_if(report->advice.begin(), report->advice.end(),
                                   [](const Advice& advice) { return advice.race_free; });
    if (safe == report->advice.end()) {
      return report_error({"there is no race-free change to write", "leave out --out", {}, 0});
    }
    const auto written = write_policy(options.out, safe->policy, options.rule);
    if (!written) return report_error(written.error());
  }
  if (options.json) return print_output(dump_json(json_of(*report, options), 2) + "\n");
  return print_output(text_of(*report, options));
}

}  // namespace

CommandAction add_advise(CLI::App& app) {
  auto options = std::make_shared<AdviseArguments>();
  app.add_option("recording", options->recording,
                 "A recording of this program, or recorded/NAME (quintet scenarios)")
      ->required();
  app.add_option("--most", options->advice.most, "Changes to show (default: 10)")
      ->check(whole_number(1));
  app.add_option("--out", options->out,
                 "Write the policy with the best race-free change to this file");
  add_force_option(app, options->rule.force);
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options] { return advise_and_show(*options); };
}

}  // namespace quintet
