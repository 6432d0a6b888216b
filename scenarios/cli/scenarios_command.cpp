#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "profiler/report/format.h"
#include "profiler/report/json_parts.h"
#include "profiler/report/text_table.h"
#include "profiler/trace/trace_reader.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/policy_catalog.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/recorded_catalog.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/cli/terminal.h"

namespace quintet {

namespace {

struct ScenariosArguments {
  std::string show;
  bool json = false;
};

ExitCode show_text(const std::string& name) {
  for (const BuiltinScenario& scenario : scenario_catalog()) {
    if (scenario.name == name) return print_output(scenario.toml);
  }
  for (const BuiltinPolicy& policy : policy_catalog()) {
    if (policy.name == name) return print_output(policy.toml);
  }
  if (find_computed(name) != nullptr) {
    return report_error({fmt::format("'{}' is computed from the scenario that it is used on", name),
                         fmt::format("use it: quintet run SCENARIO --policy {}", name),
                         {},
                         0});
  }
  if (means_recorded(name)) {
    return report_error({fmt::format("'{}' is no file to start from, it was recorded", name),
                         fmt::format("show it: quintet run {}", name),
                         {},
                         0});
  }
  return report_error({fmt::format("no built-in scenario or policy '{}'", name),
                       "list them with: quintet scenarios",
                       {},
                       0});
}

/// What the list tells of a recorded scenario; an error where its file cannot be read.
struct RecordedRow {
  std::string name;
  std::optional<Error> error;
  RecordedOrigin origin;
  Provenance provenance;
};

std::vector<RecordedRow> recorded_rows() {
  std::vector<RecordedRow> rows;
  for (const RecordedScenario& recorded : recorded_catalog()) {
    RecordedRow row;
    row.name = recorded.name;
    Result<RecordingHead> head = read_head(recorded.file);
    if (head) {
      row.provenance = std::move(head->provenance);
      row.origin = origin_of(row.provenance);
    } else {
      row.error = head.error();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<std::int64_t> step_ns(const RecordedRow& row, const char* key) {
  const auto found = row.provenance.find(key);
  if (found == row.provenance.end()) return std::nullopt;
  std::int64_t value = 0;
  const char* end = found->second.data() + found->second.size();
  const auto [stop, error] = std::from_chars(found->second.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::string duration_text(std::optional<std::int64_t> ns) {
  return ns ? format_duration(static_cast<double>(*ns)) : "unknown";
}

/// One table for each machine and day.
std::string recorded_text() {
  using Rows = std::vector<std::vector<std::string>>;
  std::map<std::string, Rows> tables;
  std::string unreadable;
  for (const RecordedRow& row : recorded_rows()) {
    if (row.error) {
      unreadable += fmt::format("  {}: {}\n", row.name, row.error->message);
      continue;
    }
    tables[fmt::format("{}, {}", row.origin.device, row.origin.date)].push_back(
        {row.name, row.origin.policy, row.origin.step_mode,
         duration_text(step_ns(row, "untraced_step_ns")),
         duration_text(step_ns(row, "traced_step_ns"))});
  }
  std::string text;
  for (const auto& [where, rows] : tables) {
    text += fmt::format("\nRecorded on {}: quintet run NAME shows one, nothing is run\n", where);
    text += text_table({{"name", ColumnAlign::left},
                        {"policy", ColumnAlign::left},
                        {"step mode", ColumnAlign::left},
                        {"untraced", ColumnAlign::right},
                        {"traced", ColumnAlign::right}},
                       rows, terminal_options().unicode);
  }
  if (!unreadable.empty()) text += "\nRecorded, but not to be read\n" + unreadable;
  return text;
}

nlohmann::ordered_json recorded_json() {
  auto list = nlohmann::ordered_json::array();
  const auto number = [](std::optional<std::int64_t> value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  for (const RecordedRow& row : recorded_rows()) {
    if (row.error) {
      list.push_back({{"name", row.name}, {"error", row.error->message}});
      continue;
    }
    list.push_back({{"name", row.name},
                    {"device", row.origin.device},
                    {"date", row.origin.date},
                    {"scenario", row.origin.scenario},
                    {"policy", row.origin.policy},
                    {"step", row.origin.step_mode},
                    {"untraced_step_ns", number(step_ns(row, "untraced_step_ns"))},
                    {"traced_step_ns", number(step_ns(row, "traced_step_ns"))}});
  }
  return list;
}

ExitCode list_json() {
  nlohmann::ordered_json out;
  out["scenarios"] = nlohmann::ordered_json::array();
  for (const BuiltinScenario& entry : scenario_catalog()) {
    const Result<Scenario> scenario = find_scenario(std::string(entry.name));
    if (!scenario) return report_error(scenario.error());
    out["scenarios"].push_back({{"name", scenario->name},
                                {"description", scenario->description},
                                {"network", scenario->network},
                                {"dataset", scenario->data.dataset},
                                {"batch", scenario->batch},
                                {"epochs", scenario->epochs},
                                {"policy", scenario->policy}});
  }
  out["policies"] = nlohmann::ordered_json::array();
  for (const BuiltinPolicy& entry : policy_catalog()) {
    const Result<StreamPolicy> policy = find_policy(std::string(entry.name));
    if (!policy) return report_error(policy.error());
    out["policies"].push_back({{"name", policy->name},
                               {"description", policy->description},
                               {"sync", name_of(policy->sync)},
                               {"gradients", name_of(policy->gradients)},
                               {"step", name_of(policy->step)}});
  }
  out["computed_policies"] = nlohmann::ordered_json::array();
  for (const ComputedPolicy& entry : computed_catalog())
    out["computed_policies"].push_back({{"name", entry.name}, {"description", entry.description}});
  out["recorded"] = recorded_json();
  return print_output(dump_json(out, 2) + "\n");
}

ExitCode list_text() {
  std::string text = "Scenarios\n";
  for (const BuiltinScenario& entry : scenario_catalog()) {
    const Result<Scenario> scenario = find_scenario(std::string(entry.name));
    if (!scenario) return report_error(scenario.error());
    text += fmt::format("  {:<26} {}\n", scenario->name, scenario->description);
    text += fmt::format("  {:<26} {} on {}, batch {}, policy {}\n", "", scenario->network,
                        scenario->data.dataset, scenario->batch, scenario->policy);
  }
  text += "\nPolicies\n";
  for (const BuiltinPolicy& entry : policy_catalog()) {
    const Result<StreamPolicy> policy = find_policy(std::string(entry.name));
    if (!policy) return report_error(policy.error());
    text += fmt::format("  {:<26} {}\n", policy->name, policy->description);
    text += fmt::format("  {:<26} sync {}, gradients {}, step {}\n", "", name_of(policy->sync),
                        name_of(policy->gradients), name_of(policy->step));
  }
  text += "\nComputed policies: made for the scenario they are used on\n";
  for (const ComputedPolicy& entry : computed_catalog())
    text += fmt::format("  {:<26} {}\n", entry.name, entry.description);
  return print_output(text + recorded_text());
}

}  // namespace

CommandAction add_scenarios(CLI::App& app) {
  auto options = std::make_shared<ScenariosArguments>();
  auto* show =
      app.add_option("--show", options->show, "Print the file of a built-in scenario or policy");
  app.add_flag("--json", options->json, "One JSON object on standard output")->excludes(show);
  return [options] {
    if (!options->show.empty()) return show_text(options->show);
    return options->json ? list_json() : list_text();
  };
}

}  // namespace quintet
