#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "runtime/exec/scenario_session.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/policy/hazard_proof.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/policy_options.h"

namespace quintet {

namespace {

struct Options {
  std::string scenario;
  PolicyOptions policy;
  bool json = false;
};

nlohmann::ordered_json json_of(const ExecutionPlan& plan, const Scenario& scenario,
                               const ProofReport& proof) {
  nlohmann::ordered_json races = nlohmann::ordered_json::array();
  for (const Race& race : proof.races) {
    races.push_back({{"earlier", plan.task(race.earlier).name},
                     {"later", plan.task(race.later).name},
                     {"earlier_step", race.earlier_step},
                     {"later_step", race.later_step},
                     {"reversed", race.reversed},
                     {"region", plan.memory.region(race.bytes.region).name()},
                     {"begin", race.bytes.begin},
                     {"end", race.bytes.end},
                     {"earlier_access", name_of(race.earlier_mode)},
                     {"later_access", name_of(race.later_mode)},
                     {"text", race.text},
                     {"cure", race.cure}});
  }
  nlohmann::ordered_json surplus = nlohmann::ordered_json::array();
  for (const SurplusEdge& edge : proof.surplus) {
    surplus.push_back({{"graph", plan.name(edge.graph)},
                       {"from", plan.task(edge.from).name},
                       {"to", plan.task(edge.to).name},
                       {"text", edge.text}});
  }
  return {{"schema", "quintet.verify"},
          {"version", 1},
          {"scenario", scenario.name},
          {"policy", plan.policy},
          {"step", name_of(plan.mode)},
          {"gradients", name_of(plan.memory.gradients())},
          {"verdict", proof.race_free() ? "race-free" : "races"},
          {"task_runs", proof.task_runs},
          {"conflicting_pairs", proof.conflicting_pairs},
          {"ordered_pairs", proof.ordered_pairs},
          {"edges", proof.edges},
          {"proof_ns", proof.elapsed_ns},
          {"races", std::move(races)},
          {"surplus_edges", std::move(surplus)},
          {"device_bytes", plan.memory.bytes(MemorySpace::device)},
          {"host_bytes", plan.memory.bytes(MemorySpace::host)}};
}

void print_text(const ExecutionPlan& plan, const Scenario& scenario, const ProofReport& proof) {
  fmt::print("{} under {}: {}\n", scenario.name, plan.policy,
             proof.race_free() ? "race-free" : fmt::format("{} races", proof.races.size()));
  fmt::print("  step {}, gradients {}, {:.2f} MiB device memory\n", name_of(plan.mode),
             name_of(plan.memory.gradients()),
             static_cast<double>(plan.memory.bytes(MemorySpace::device)) / 0x1p20);
  fmt::print(
      "  {} of {} conflicting pairs ordered among {} task runs (three steps, tail, "
      "evaluation), {:.2f} ms\n",
      proof.ordered_pairs, proof.conflicting_pairs, proof.task_runs,
      static_cast<double>(proof.elapsed_ns) / 1e6);
  for (const Race& race : proof.races) {
    fmt::print("  race: {}\n        cure: {}\n", race.text, race.cure);
  }
  if (!proof.surplus.empty()) {
    fmt::print("  {} of {} waits order nothing that conflicts:\n", proof.surplus.size(),
               proof.edges);
  }
  for (const SurplusEdge& edge : proof.surplus)
    fmt::print("    {}\n", edge.text);
}

ExitCode verify(const Options& options) {
  const Result<Scenario> scenario = find_scenario(options.scenario);
  if (!scenario) return report_error(scenario.error());
  const Result<StreamPolicy> policy = choose_policy(options.policy, *scenario);
  if (!policy) return report_error(policy.error());
  const auto data = open_data(*scenario);
  if (!data) return report_error(data.error());
  Result<TrainingSpec> spec = spec_of(*scenario, **data, std::nullopt);
  if (!spec) return report_error(spec.error());
  const auto session = TrainingSession::prepare(std::move(*spec), *data, *policy);
  if (!session) return report_error(session.error());
  const ExecutionPlan& plan = (*session)->plan();
  const Result<ProofReport> proof = prove(plan);
  if (!proof) return report_error(proof.error());
  if (options.json) {
    fmt::print("{}\n", json_of(plan, *scenario, *proof).dump(2));
  } else {
    print_text(plan, *scenario, *proof);
  }
  return proof->race_free() ? ExitCode::fine : ExitCode::check_failed;
}

}  // namespace

CommandAction add_verify(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("scenario", options->scenario, "Built-in scenario or scenario file")->required();
  add_policy_options(app, options->policy);
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options] { return verify(*options); };
}

}  // namespace quintet
