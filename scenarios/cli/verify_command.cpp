#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "scenarios/cli/command.h"
#include "scenarios/cli/executor_options.h"
#include "scenarios/cli/gpu.h"
#include "scenarios/cli/prepared_scenario.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/cli/verify_recording.h"
#include "scenarios/verify/stress.h"
#include "scenarios/verify/verification.h"

namespace quintet {

namespace {

using Json = nlohmann::ordered_json;

/// Where the user does not say how many: enough for losses, tail and evaluation to differ.
constexpr std::int64_t kStressTrainSteps = 6;

struct VerifyArguments {
  ScenarioOptions scenario;
  PolicyOptions policy;
  ExecutorOptions executor;
  int stress = 0;  ///< runs; 0 = none
  bool allow_races = false;
  bool json = false;
};

/// What the proofs and the runs say: of the plan, of the graphs captured from it, of the bits.
struct Verdict {
  const Verification& plan;
  std::string scenario;
  std::optional<CapturedGraphs> captured;
  std::optional<StressReport> stress = std::nullopt;
  bool stress_refused = false;  ///< the plan has races, and nobody allowed them

  [[nodiscard]] bool race_free() const { return plan.proof.race_free(); }
  [[nodiscard]] bool captured_right() const { return !captured || captured->findings.empty(); }
  [[nodiscard]] bool same_bits() const { return !stress || stress->same_bits(); }
  [[nodiscard]] bool fine() const { return race_free() && captured_right() && same_bits(); }
};

/// Bytes by name of the region, in the order of the plan; empty regions too.
Json region_bytes(const MemoryPlan& memory) {
  Json bytes = Json::object();
  for (const Region& region : memory.regions())
    bytes[region.name()] = region.bytes;
  return bytes;
}

/// The regions that hold something, and what sharing saves in FEATURES where the plan knows.
std::string text_of(const MemoryPlan& memory) {
  std::string text = "  bytes:";
  for (const Region& region : memory.regions()) {
    if (region.bytes > 0) text += fmt::format(" {} {},", region.name(), region.bytes);
  }
  text.back() = '\n';
  if (memory.features_unshared_bytes() == 0) return text;
  return text +
         fmt::format("  FEATURES would take {} bytes unshared; lifetimes allow no less than {}\n",
                     memory.features_unshared_bytes(), memory.features_lower_bound_bytes());
}

Json json_of(const CapturedGraphs& captured) {
  return {{"graphs", captured.graphs},
          {"nodes", captured.nodes},
          {"edges", captured.edges},
          {"conflicting_pairs", captured.conflicting_pairs},
          {"findings", captured.findings}};
}

std::string text_of(const CapturedGraphs& captured) {
  std::string text =
      fmt::format("  captured: {} graphs, {} nodes, {} edges; {} conflicting pairs, {} findings\n",
                  captured.graphs, captured.nodes, captured.edges, captured.conflicting_pairs,
                  captured.findings.size());
  for (const std::string& finding : captured.findings)
    text += fmt::format("    {}\n", finding);
  return text;
}

Json json_of(const StressReport& stress) {
  Json differences = Json::array();
  for (const StressDifference& found : stress.differences) {
    differences.push_back({{"run", found.run},
                           {"step", found.step ? Json(*found.step) : Json(nullptr)},
                           {"tensor", found.tensor},
                           {"bytes", found.bytes},
                           {"of_bytes", found.of_bytes}});
  }
  return {{"orders", stress.orders},       {"delayed", stress.delayed},
          {"steps", stress.steps},         {"reference", stress.reference},
          {"differing", stress.differing}, {"differences", std::move(differences)}};
}

std::string text_of(const StressReport& stress) {
  std::string text = fmt::format(
      "  stress: {} runs of {} steps ({} in orders that the plan allows, {} with streams "
      "held up) against {}: {}\n",
      stress.orders + stress.delayed, stress.steps, stress.orders, stress.delayed, stress.reference,
      stress.same_bits() ? "the same bits" : fmt::format("{} with other bits", stress.differing));
  for (const StressDifference& found : stress.differences) {
    text += found.step
                ? fmt::format("    {}: step {}, {} differs\n", found.run, *found.step, found.tensor)
                : fmt::format("    {}: after the last step, {} differs in {} of {} bytes\n",
                              found.run, found.tensor, found.bytes, found.of_bytes);
  }
  return text;
}

std::string_view verdict_name(const Verdict& verdict) {
  if (!verdict.race_free()) return "races";
  if (!verdict.same_bits()) return "other bits";
  return verdict.captured_right() ? "race-free" : "not proved as captured";
}

std::string verdict_text(const Verdict& verdict) {
  if (!verdict.race_free()) return fmt::format("{} races", verdict.plan.proof.races.size());
  if (!verdict.same_bits()) return "race-free as planned, but runs differ in their bits";
  return verdict.captured_right() ? "race-free" : "race-free as planned, not proved as captured";
}

Json json_of(const Verdict& verdict) {
  const ExecutionPlan& plan = verdict.plan.plan;
  Json json = {{"schema", "quintet.verify"},
               {"version", 1},
               {"scenario", verdict.scenario},
               {"subject", verdict.plan.subject},
               {"as_recorded", verdict.plan.as_recorded},
               {"policy", plan.policy},
               {"step", name_of(plan.mode)},
               {"gradients", name_of(plan.memory.gradients())},
               {"verdict", verdict_name(verdict)}};
  json.update(json_of(verdict.plan));
  json.update(Json{{"captured", verdict.captured ? json_of(*verdict.captured) : Json(nullptr)},
                   {"stress", verdict.stress ? json_of(*verdict.stress) : Json(nullptr)},
                   {"device_bytes", plan.memory.bytes(MemorySpace::device)},
                   {"host_bytes", plan.memory.bytes(MemorySpace::host)},
                   {"region_bytes", region_bytes(plan.memory)},
                   {"features_unshared_bytes", plan.memory.features_unshared_bytes()},
                   {"features_lower_bound_bytes", plan.memory.features_lower_bound_bytes()}});
  return json;
}

std::string text_of(const Verdict& verdict) {
  const ExecutionPlan& plan = verdict.plan.plan;
  std::string text = fmt::format("{}: {}\n", verdict.plan.subject, verdict_text(verdict));
  text += fmt::format("  step {}, gradients {}, {:.2f} MiB device memory\n", name_of(plan.mode),
                      name_of(plan.memory.gradients()),
                      static_cast<double>(plan.memory.bytes(MemorySpace::device)) / 0x1p20);
  text += text_of(plan.memory);
  text += text_of(verdict.plan);
  if (verdict.captured) text += text_of(*verdict.captured);
  if (verdict.stress) text += text_of(*verdict.stress);
  if (verdict.stress_refused) {
    text += "  stress: not run, for races may give any bits; see what they do with --allow-races\n";
  }
  return text;
}

ExitCode print(const Verdict& verdict, bool json) {
  return print_output(json ? json_of(verdict).dump(2) + "\n" : text_of(verdict),
                      verdict.fine() ? ExitCode::fine : ExitCode::check_failed);
}

/// Runs the session's plan under stress; on a GPU against a run of the same scenario under serial.
Result<StressReport> stress_scenario(const VerifyArguments& options,
                                     const PreparedScenario& prepared,
                                     const std::shared_ptr<Backend>& backend) {
  StressOptions how;
  how.runs = options.stress;
  if (backend->name() == "host") return stress(*prepared.session, *backend, nullptr, how);
  PolicyOptions serial;
  serial.policy = "serial";
  serial.gradients = name_of(prepared.policy.gradients);
  serial.step = name_of(prepared.policy.step);
  const auto reference = prepare_scenario(options.scenario, serial, backend);
  if (!reference) return tl::unexpected(reference.error());
  return stress(*prepared.session, *backend, reference->session.get(), how);
}

ExitCode verify_scenario(VerifyArguments options) {
  const auto backend = open_backend(options.executor);
  if (!backend) return report_error(backend.error());
  if (options.stress > 0 && !options.scenario.steps) options.scenario.steps = kStressTrainSteps;
  auto prepared = prepare_scenario(options.scenario, options.policy, *backend);
  if (!prepared) return report_error(prepared.error());
  const Verification verification =
      verification_of(fmt::format("{} under {}", prepared->scenario.name, prepared->policy.name),
                      prepared->session->plan(), prepared->proof, nullptr);
  Verdict verdict{verification, prepared->scenario.name, std::nullopt};
  if (options.executor.name == "cuda") {
    auto captured = prove_captured_graphs(*prepared->session);
    if (!captured) return report_error(captured.error());
    verdict.captured = std::move(*captured);
  }
  verdict.stress_refused =
      options.stress > 0 && !verification.proof.race_free() && !options.allow_races;
  if (options.stress > 0 && !verdict.stress_refused) {
    auto stressed = stress_scenario(options, *prepared, *backend);
    if (!stressed) return report_error(stressed.error());
    verdict.stress = std::move(*stressed);
  }
  return print(verdict, options.json);
}

/// A recording is what it is: options that would train something else are refused.
Result<void> check_options(const VerifyArguments& options) {
  const ScenarioOptions& scenario = options.scenario;
  const bool changed = scenario.batch || scenario.epochs || scenario.steps ||
                       !scenario.precision.empty() || !scenario.lowering.empty() ||
                       scenario.resident_input;
  if (changed) {
    return fail(
        fmt::format("{} is a recording, of which only the policy can change", scenario.scenario),
        "leave the other options out, or verify its scenario");
  }
  if (options.stress > 0 || options.executor.name != "host") {
    return fail(fmt::format("{} is a recording, which runs nowhere", scenario.scenario),
                "name a scenario for --stress and --executor");
  }
  return {};
}

ExitCode verify(const VerifyArguments& options) {
  if (!means_recording(options.scenario.scenario)) return verify_scenario(options);
  if (auto checked = check_options(options); !checked) return report_error(checked.error());
  const auto verification = verify_recording(options.scenario.scenario, options.policy);
  if (!verification) return report_error(verification.error());
  return print({*verification, options.scenario.scenario, std::nullopt}, options.json);
}

}  // namespace

CommandAction add_verify(CLI::App& app) {
  auto options = std::make_shared<VerifyArguments>();
  add_scenario_options(app, options->scenario);
  app.get_option("scenario")
      ->description("Built-in scenario, scenario file, recording, or recorded/NAME");
  add_policy_options(app, options->policy);
  app.get_option("--policy")
      ->description(
          "Built-in policy or policy file (default: the scenario's, or what was recorded)");
  add_executor_options(app, options->executor,
                       "What the plan is for: host; or cuda, whose captured graphs are proved too");
  app.add_option(
         "--stress", options->stress,
         "Run real steps so often in other orders and with streams held up, and compare bits")
      ->check(CLI::Range(1, 100'000));
  app.add_flag("--allow-races", options->allow_races, "Stress a policy that has races, too");
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options] { return verify(*options); };
}

}  // namespace quintet
