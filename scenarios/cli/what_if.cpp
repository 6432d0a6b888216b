#include "scenarios/cli/what_if.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "profiler/metrics/metric_catalog.h"
#include "profiler/report/format.h"
#include "profiler/report/json_parts.h"
#include "profiler/report/text_report.h"
#include "profiler/trace/trace_file.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/trace/utf8.h"
#include "runtime/policy/policy_catalog.h"
#include "scenarios/cli/expected_error.h"
#include "scenarios/cli/recorded_catalog.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/cli/terminal.h"
#include "scenarios/lab/predictor.h"

namespace quintet {

namespace {

/// Everything that is shown of one prediction.
struct Shown {
  std::string recording;
  StreamPolicy policy;
  const Predictor& predictor;
  WhatIf what_if;
  Trace trace;
  std::vector<MetricValue> metrics;
  std::vector<MetricValue> before;  ///< of the recorded plan, predicted as well
};

/// Of the recording's own policy, as it ran, with the knobs turned; of another the file's.
Result<StreamPolicy> policy_of(const WhatIfOptions& options, const Predictor& predictor) {
  if (!options.policy.policy.empty()) {
    return choose_policy(options.policy, predictor.replanner().scenario(),
                         [&] { return Result<PlanInput>(predictor.replanner().input()); });
  }
  return with_knobs(options.policy, predictor.replanner().policy());
}

double mebibytes(const MemoryPlan& memory) {
  return static_cast<double>(memory.bytes(MemorySpace::device)) / 0x1p20;
}

std::string text_of_moves(const WhatIf& what_if) {
  constexpr std::size_t kMostLines = 12;
  std::string text;
  for (std::size_t line = 0; line < what_if.moved.size(); ++line) {
    if (line == kMostLines) {
      return text + fmt::format("  and {} more kinds\n", what_if.moved.size() - kMostLines);
    }
    const MovedTasks& moved = what_if.moved[line];
    text += fmt::format("  {:5} x {:<36} {} -> {}\n", moved.tasks, visible_text(moved.what),
                        name_of(moved.from), name_of(moved.to));
  }
  return text.empty() ? "  no task is on another stream\n" : text;
}

/// Metrics of both plans, both predicted, that differ by a hundredth or more.
std::string text_of_metrics(const Shown& shown) {
  std::string text;
  for (const MetricValue& metric : shown.metrics) {
    const MetricValue* before = find_metric(shown.before, metric.definition.tag);
    if (before == nullptr || !before->known() || !metric.known()) continue;
    if (std::abs(metric.value - before->value) <= 0.01 * std::abs(before->value)) continue;
    text += fmt::format("  {:<34} {:>14} {:>14}\n", metric.definition.name,
                        format_value(metric.definition.hint, before->value),
                        format_value(metric.definition.hint, metric.value));
  }
  if (text.empty()) return text;
  return fmt::format("  {:<34} {:>14} {:>14}\n", "what differs, both predicted", "as recorded",
                     "so") +
         text;
}

std::string text_of(const Shown& shown, const std::string& out) {
  const Prediction& prediction = shown.what_if.prediction;
  const double recorded = shown.predictor.recorded_ns();
  std::string text =
      fmt::format("predicted, nothing was run: {} under {}\n", shown.recording, shown.policy.name);
  text += fmt::format("step {:.4f} ms", prediction.step_ns / 1e6);
  if (recorded > 0) {
    text += fmt::format(", recorded {:.4f} ms: {:+.2f} %", recorded / 1e6,
                        100 * (prediction.step_ns / recorded - 1));
  }
  text += "; " + expected_error_text(prediction.error_share, prediction.worst_error_share) + "\n";
  text += fmt::format("constants: {}\n", shown.predictor.model().device.provenance);
  text +=
      fmt::format("memory {:.1f} MiB, recorded {:.1f} MiB\n", mebibytes(shown.what_if.plan.memory),
                  mebibytes(shown.predictor.recorded().memory));
  text += fmt::format("proof: {}\n", shown.trace.provenance.at("verdict"));
  if (!prediction.unpriced.empty()) {
    text += fmt::format("guessed, for the recording never ran them: {}\n",
                        fmt::join(prediction.unpriced, ", "));
  }
  text += "moved:\n" + text_of_moves(shown.what_if);
  text += text_of_metrics(shown);
  text += fmt::format("\n{}\n", text_timeline(build_report(shown.trace), terminal_options()));
  for (const Race& race : shown.what_if.proof.races)
    text += fmt::format("race: {}\n", race.text);
  if (!out.empty()) text += fmt::format("predicted recording {}\n", out);
  return text;
}

OrderedJson json_of(const Shown& shown, const std::string& out) {
  const Prediction& prediction = shown.what_if.prediction;
  OrderedJson moved = OrderedJson::array();
  for (const MovedTasks& each : shown.what_if.moved) {
    moved.push_back({{"what", each.what},
                     {"from", name_of(each.from)},
                     {"to", name_of(each.to)},
                     {"tasks", each.tasks}});
  }
  OrderedJson races = OrderedJson::array();
  for (const Race& race : shown.what_if.proof.races)
    races.push_back(race.text);
  const double recorded = shown.predictor.recorded_ns();
  OrderedJson json = {
      {"schema", "quintet.whatif"},
      {"version", 1},
      {"predicted", true},
      {"recording", shown.recording},
      {"policy", shown.policy.name},
      {"step", name_of(shown.policy.step)},
      {"gradients", name_of(shown.policy.gradients)},
      {"step_ns", std::llround(prediction.step_ns)},
      {"recorded_step_ns", recorded > 0 ? OrderedJson(std::llround(recorded)) : OrderedJson()},
      {"expected_error", share_or_null(prediction.error_share)},
      {"worst_error", share_or_null(prediction.worst_error_share)},
      {"constants", shown.predictor.model().device.provenance},
      {"verdict", shown.trace.provenance.at("verdict")},
      {"races", std::move(races)},
      {"device_bytes", shown.what_if.plan.memory.bytes(MemorySpace::device)},
      {"recorded_device_bytes", shown.predictor.recorded().memory.bytes(MemorySpace::device)},
      {"unpriced", prediction.unpriced},
      {"moved", std::move(moved)},
      {"metrics", metrics_json(shown.metrics)},
      {"out", out.empty() ? OrderedJson() : OrderedJson(out)}};
  return json;
}

/// A prediction never takes the place of what it was made from.
Result<void> write_prediction(const Trace& trace, const std::string& out, const std::string& from) {
  if (out.empty()) return {};
  std::error_code error;
  if (std::filesystem::equivalent(from, out, error)) {
    return fail("is the recording that the prediction is made from", "name another file for --out",
                out);
  }
  return write_trace(trace, out, form_of(out));
}

ExitCode refuse_races(const WhatIf& what_if) {
  for (const Race& race : what_if.proof.races)
    report_failure("race: " + race.text + "; cure: " + race.cure);
  report_failure(
      fmt::format("{} races under {}: not predicted; mend the policy, or see what it would do with "
                  "--allow-races",
                  what_if.proof.races.size(), what_if.plan.policy));
  return ExitCode::check_failed;
}

}  // namespace

ExitCode show_what_if(const WhatIfOptions& options) {
  const auto path = recording_path(options.recording);
  if (!path) return report_error(path.error());
  const auto recording = read_trace(*path);
  if (!recording) return report_error(recording.error());
  const auto predictor = Predictor::of_trace(*recording);
  if (!predictor) return report_error(predictor.error());
  const auto policy = policy_of(options, *predictor);
  if (!policy) return report_error(policy.error());
  auto what_if = predictor->what_if(*policy);
  if (!what_if) return report_error(what_if.error());
  if (!what_if->proof.race_free() && !options.allow_races) return refuse_races(*what_if);
  auto trace = predictor->trace_of(*what_if, *policy, *recording);
  if (!trace) return report_error(trace.error());
  const auto before = predicted_trace(predictor->recorded(), predictor->model(), *recording);
  if (!before) return report_error(before.error());
  if (auto written = write_prediction(*trace, options.out, *path); !written) {
    return report_error(written.error());
  }
  Shown shown{options.recording, *policy, *predictor, std::move(*what_if),
              std::move(*trace), {},      {}};
  shown.metrics = compute_metrics(shown.trace);
  shown.before = compute_metrics(*before);
  if (options.json) return print_output(dump_json(json_of(shown, options.out), 2) + "\n");
  return print_output(text_of(shown, options.out));
}

}  // namespace quintet
