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

namespace quintet {

namespace {

struct Options {
  ScenarioOptions scenario;
  PolicyOptions policy;
  ExecutorOptions executor;
  bool json = false;
};

/// What the proofs say: that on the plan, and that on the graphs captured from it, where some were.
struct Verdict {
  const ProofReport& plan;
  std::optional<CapturedGraphs> captured;

  [[nodiscard]] bool captured_right() const { return !captured || captured->findings.empty(); }
  [[nodiscard]] bool fine() const { return plan.race_free() && captured_right(); }
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

nlohmann::ordered_json json_of(const CapturedGraphs& captured) {
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

std::string_view verdict_name(const Verdict& verdict) {
  if (!verdict.plan.race_free()) return "races";
  return verdict.captured_right() ? "race-free" : "not proved as captured";
}

std::string verdict_text(const Verdict& verdict) {
  if (!verdict.plan.race_free()) return fmt::format("{} races", verdict.plan.races.size());
  return verdict.captured_right() ? "race-free" : "race-free as planned, not proved as captured";
}

nlohmann::ordered_json json_of(const ExecutionPlan& plan, const Scenario& scenario,
                               const Verdict& verdict) {
  const ProofReport& proof = verdict.plan;
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
  return {
      {"schema", "quintet.verify"},
      {"version", 1},
      {"scenario", scenario.name},
      {"policy", plan.policy},
      {"step", name_of(plan.mode)},
      {"gradients", name_of(plan.memory.gradients())},
      {"verdict", verdict_name(verdict)},
      {"task_runs", proof.task_runs},
      {"conflicting_pairs", proof.conflicting_pairs},
      {"ordered_pairs", proof.ordered_pairs},
      {"edges", proof.edges},
      {"proof_ns", proof.elapsed_ns},
      {"races", std::move(races)},
      {"surplus_edges", std::move(surplus)},
      {"captured", verdict.captured ? json_of(*verdict.captured) : nlohmann::ordered_json(nullptr)},
      {"device_bytes", plan.memory.bytes(MemorySpace::device)},
      {"host_bytes", plan.memory.bytes(MemorySpace::host)},
      {"region_bytes", region_bytes(plan.memory)},
      {"features_unshared_bytes", plan.memory.features_unshared_bytes()},
      {"features_lower_bound_bytes", plan.memory.features_lower_bound_bytes()}};
}

std::string text_of(const ExecutionPlan& plan, const Scenario& scenario, const Verdict& verdict) {
  const ProofReport& proof = verdict.plan;
  std::string text;
  text += fmt::format("{} under {}: {}\n", scenario.name, plan.policy, verdict_text(verdict));
  text += fmt::format("  step {}, gradients {}, {:.2f} MiB device memory\n", name_of(plan.mode),
                      name_of(plan.memory.gradients()),
                      static_cast<double>(plan.memory.bytes(MemorySpace::device)) / 0x1p20);
  text += text_of(plan.memory);
  text += fmt::format(
      "  {} of {} conflicting pairs ordered among {} task runs (three steps, tail, "
      "evaluation), {:.2f} ms\n",
      proof.ordered_pairs, proof.conflicting_pairs, proof.task_runs,
      static_cast<double>(proof.elapsed_ns) / 1e6);
  if (verdict.captured) text += text_of(*verdict.captured);
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
  const auto backend = open_backend(options.executor);
  if (!backend) return report_error(backend.error());
  const auto prepared = prepare_scenario(options.scenario, options.policy, *backend);
  if (!prepared) return report_error(prepared.error());
  const ExecutionPlan& plan = prepared->session->plan();
  Verdict verdict{prepared->proof, std::nullopt};
  if (options.executor.name == "cuda") {
    auto captured = prove_captured_graphs(*prepared->session);
    if (!captured) return report_error(captured.error());
    verdict.captured = std::move(*captured);
  }
  return print_output(options.json ? json_of(plan, prepared->scenario, verdict).dump(2) + "\n"
                                   : text_of(plan, prepared->scenario, verdict),
                      verdict.fine() ? ExitCode::fine : ExitCode::check_failed);
}

}  // namespace

CommandAction add_verify(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_scenario_options(app, options->scenario);
  add_policy_options(app, options->policy);
  add_executor_options(app, options->executor,
                       "What the plan is for: host; or cuda, whose captured graphs are proved too");
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options] { return verify(*options); };
}

}  // namespace quintet
