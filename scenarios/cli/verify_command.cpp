#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "runtime/exec/host_backend.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/prepared_scenario.h"
#include "scenarios/cli/standard_output.h"

namespace quintet {

namespace {

struct Options {
  std::string scenario;
  PolicyOptions policy;
  bool json = false;
};

/// Bytes by name of the region, in the order of the plan; empty regions too.
nlohmann::ordered_json region_bytes(const MemoryPlan& memory) {
  nlohmann::ordered_json bytes = nlohmann::ordered_json::object();
  for (const Region& region : memory.regions())
    bytes[region.name()] = region.bytes;
  return bytes;
}

/// The regions that hold something, and what sharing saves in FEATURES.
std::string text_of(const MemoryPlan& memory) {
  std::string text = "  bytes:";
  for (const Region& region : memory.regions()) {
    if (region.bytes > 0) text += fmt::format(" {} {},", region.name(), region.bytes);
  }
  text.back() = '\n';
  return text +
         fmt::format("  FEATURES would take {} bytes unshared; lifetimes allow no less than {}\n",
                     memory.features_unshared_bytes(), memory.features_lower_bound_bytes());
}

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
          {"host_bytes", plan.memory.bytes(MemorySpace::host)},
          {"region_bytes", region_bytes(plan.memory)},
          {"features_unshared_bytes", plan.memory.features_unshared_bytes()},
          {"features_lower_bound_bytes", plan.memory.features_lower_bound_bytes()}};
}

std::string text_of(const ExecutionPlan& plan, const Scenario& scenario, const ProofReport& proof) {
  std::string text;
  text +=
      fmt::format("{} under {}: {}\n", scenario.name, plan.policy,
                  proof.race_free() ? "race-free" : fmt::format("{} races", proof.races.size()));
  text += fmt::format("  step {}, gradients {}, {:.2f} MiB device memory\n", name_of(plan.mode),
                      name_of(plan.memory.gradients()),
                      static_cast<double>(plan.memory.bytes(MemorySpace::device)) / 0x1p20);
  text += text_of(plan.memory);
  text += fmt::format(
      "  {} of {} conflicting pairs ordered among {} task runs (three steps, tail, "
      "evaluation), {:.2f} ms\n",
      proof.ordered_pairs, proof.conflicting_pairs, proof.task_runs,
      static_cast<double>(proof.elapsed_ns) / 1e6);
  for (const Race& race : proof.races) {
    text += fmt::format("  race: {}\n        cure: {}\n", race.text, race.cure);
  }
  if (!proof.surplus.empty()) {
    text += fmt::format("  {} of {} waits order nothing that conflicts:\n", proof.surplus.size(),
                        proof.edges);
  }
  for (const SurplusEdge& edge : proof.surplus)
    text += fmt::format("    {}\n", edge.text);
  return text;
}

ExitCode verify(const Options& options) {
  const auto prepared = prepare_scenario(options.scenario, options.policy, std::nullopt,
                                         std::make_shared<HostBackend>());
  if (!prepared) return report_error(prepared.error());
  const ProofReport& proof = prepared->proof;
  const ExecutionPlan& plan = prepared->session->plan();
  const ExitCode status = proof.race_free() ? ExitCode::fine : ExitCode::check_failed;
  return print_output(options.json ? json_of(plan, prepared->scenario, proof).dump(2) + "\n"
                                   : text_of(plan, prepared->scenario, proof),
                      status);
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
