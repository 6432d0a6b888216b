#include "scenarios/cli/replay.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

#include "profiler/metrics/metric_catalog.h"
#include "profiler/report/text_report.h"
#include "profiler/trace/trace_file.h"
#include "profiler/trace/trace_reader.h"
#include "scenarios/cli/recorded_catalog.h"
#include "scenarios/cli/run_json.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/cli/terminal.h"
#include "scenarios/cli/what_if.h"

namespace quintet {

namespace {

/// Options that say what to do with a run, not how it goes.
constexpr std::array kHarmless = {"--out", "--json", "--help"};

/// What a recorded run was like, as the option of that name says it; empty where it does not tell.
std::string recorded_value(const std::string& option, const Provenance& provenance) {
  const RecordedOrigin origin = origin_of(provenance);
  if (option == "--policy") return origin.policy;
  if (option == "--step") return origin.step_mode;
  std::string key = option.substr(2);
  std::replace(key.begin(), key.end(), '-', '_');
  if (key == "record") key = "record_mode";
  if (const auto found = provenance.find(key); found != provenance.end()) return found->second;
  const auto scenario = provenance.find("scenario");
  if (scenario == provenance.end()) return {};
  const std::string changed = key + " = ";
  const std::size_t at = scenario->second.find(changed);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + changed.size();
  return scenario->second.substr(begin, scenario->second.find_first_of(",)", begin) - begin);
}

/// What was given for an option, in the words of its --help.
std::string given_value(const CLI::Option& option, const std::string& name,
                        const RunOptions& options) {
  if (name == "--record") return std::string(name_of(options.record));  // the parser has its number
  return option.get_expected_max() == 0 ? "true" : option.results().front();
}

/// What another policy, or other knobs of it, would be predicted with.
constexpr std::array kPolicyOptions = {"--policy", "--sync", "--gradients", "--step"};

/// True where the policy that is asked for is not the recorded one.
bool asks_for_another_policy(const CLI::App& app, const RunOptions& options,
                             const Provenance& provenance) {
  return std::any_of(kPolicyOptions.begin(), kPolicyOptions.end(), [&](const char* name) {
    const CLI::Option* option = app.get_option(name);
    return option->count() > 0 &&
           given_value(*option, name, options) != recorded_value(name, provenance);
  });
}

/// The same run under another policy cannot be shown as it was, but it can be predicted.
WhatIfOptions what_if_options(const RunOptions& options, bool json) {
  WhatIfOptions what_if;
  what_if.recording = options.scenario.scenario;
  what_if.policy = options.policy;
  what_if.out = options.out;
  what_if.allow_races = options.allow_races;
  what_if.json = json;
  return what_if;
}

/// Refuses the first option that asks for another run than the recorded one.
Result<void> check_options(const CLI::App& app, const RunOptions& options,
                           const Provenance& provenance, bool predicts) {
  const auto lists = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (lists(kHarmless, name)) continue;
    if (predicts && (lists(kPolicyOptions, name) || name == "--allow-races")) continue;
    const std::string value = given_value(*option, name, options);
    if (value == recorded_value(name, provenance)) continue;
    const std::string given = option->get_expected_max() == 0 ? name : name + " " + value;
    return fail(fmt::format("a recorded run is shown as it was, {} would change it", given),
                fmt::format("leave it out, choose another recording (quintet scenarios), or train "
                            "here: quintet run {} {}",
                            origin_of(provenance).scenario, given));
  }
  return {};
}

/// The recorded run as if it had just ended.
RunOutcome outcome_of(Trace trace, const std::string& recording) {
  const auto said = [&trace](const char* key) {
    const auto found = trace.provenance.find(key);
    return found == trace.provenance.end() ? std::string() : found->second;
  };
  RunOutcome outcome;
  outcome.scenario = said("scenario");
  outcome.policy = said("policy");
  outcome.executor = said("executor");
  outcome.lowering = said("lowering");
  outcome.result.weights_hash = said("weights_hash");
  outcome.result.steps = static_cast<std::int64_t>(trace.steps.size());
  for (const TraceStep& step : trace.steps) {
    if (step.phase == "train") outcome.result.losses.push_back(step.loss.value_or(NAN));
  }
  for (const Finding& finding : trace.findings) {
    if (finding.name == "race") outcome.races.push_back(finding.message);
  }
  outcome.recording = recording;
  outcome.ran = true;
  outcome.metrics = compute_metrics(trace);
  outcome.trace = std::move(trace);
  return outcome;
}

OrderedJson json_of(const RunOutcome& outcome, const std::string& name) {
  const RecordedOrigin origin = origin_of(outcome.trace.provenance);
  OrderedJson json = run_json(outcome);
  json["recorded"] = {{"name", name}, {"device", origin.device}, {"date", origin.date}};
  return json;
}

std::string text_of(const Trace& trace, const std::string& copy) {
  const RecordedOrigin origin = origin_of(trace.provenance);
  std::string text =
      fmt::format("recorded on {}, {}; nothing was run here\n\n", origin.device, origin.date);
  text += text_report(build_report(trace), terminal_options());
  if (!copy.empty()) text += fmt::format("\nrecording {}\n", copy);
  return text;
}

/// A copy never takes the place of what it is a copy of.
Result<void> copy_to(const std::string& out, const Trace& trace, const std::string& from) {
  std::error_code error;
  if (std::filesystem::equivalent(from, out, error)) {
    return fail("is the recording itself", "name another file for --out", out);
  }
  return write_trace(trace, out, form_of(out));
}

}  // namespace

ExitCode replay(const CLI::App& app, const RunOptions& options, bool json) {
  const Result<RecordedScenario> recorded = find_recorded(options.scenario.scenario);
  if (!recorded) return report_error(recorded.error());
  Result<Trace> trace = read_trace(recorded->file);
  if (!trace) return report_error(trace.error());
  const bool predicts = asks_for_another_policy(app, options, trace->provenance);
  if (auto fine = check_options(app, options, trace->provenance, predicts); !fine)
    return report_error(fine.error());
  if (predicts) return show_what_if(what_if_options(options, json));
  if (!options.out.empty()) {
    auto copied = copy_to(options.out, *trace, recorded->file);
    if (!copied) return report_error(copied.error());
  }
  if (!json) return print_output(text_of(*trace, options.out));
  const RunOutcome outcome =
      outcome_of(std::move(*trace), options.out.empty() ? recorded->file : options.out);
  return print_output(dump_json(json_of(outcome, recorded->name), 2) + "\n");
}

}  // namespace quintet
