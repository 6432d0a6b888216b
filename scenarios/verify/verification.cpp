#include "scenarios/verify/verification.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "profiler/capture/plan_to_trace.h"

namespace quintet {

namespace {

using Json = nlohmann::ordered_json;

/// More than these are counted, not named: FEATURES may hold a whole network at one place.
constexpr std::size_t kMostTensors = 4;

/// The tensors whose bytes meet those of the race, of the shapes that the two tasks run in.
std::vector<std::string> tensors_at(const ExecutionPlan& plan, const Race& race,
                                    const std::vector<TraceTensor>& tensors) {
  const std::string& earlier = plan.shape(plan.task(race.earlier).shape).name;
  const std::string& later = plan.shape(plan.task(race.later).shape).name;
  std::vector<std::string> names;
  std::size_t more = 0;
  for (const TraceTensor& tensor : tensors) {
    const bool shape = tensor.variant == "any" || tensor.variant == earlier ||
                       tensor.variant == later || earlier == "any" || later == "any";
    if (!shape || tensor.region != race.bytes.region || tensor.offset >= race.bytes.end ||
        tensor.offset + tensor.bytes <= race.bytes.begin) {
      continue;
    }
    if (names.size() < kMostTensors) {
      names.push_back(tensor.name);
    } else {
      ++more;
    }
  }
  if (more > 0) names.push_back(fmt::format("{} more", more));
  return names;
}

std::string pairs_text(std::uint64_t pairs) {
  return fmt::format("{} pair{} of tasks", pairs, pairs == 1 ? "" : "s");
}

std::string text_of(const SurplusCost& cost, bool as_recorded) {
  std::string text =
      fmt::format("    {}; without it {} may overlap", cost.edge.text, pairs_text(cost.pairs));
  if (cost.waited_ns) {
    text += fmt::format("; waited {:.1f} us a step for it", *cost.waited_ns / 1e3);
  } else if (as_recorded) {
    text += "; time waited unknown: no timed step ran it";
  }
  return text + "\n";
}

std::string text_of(const ExecutionPlan& plan, const GraphConcurrency& graph) {
  std::string text = fmt::format(
      "    {}: {} tasks, {} waits; at most {} tasks at once by data, {} as planned",
      plan.name(graph.graph), graph.tasks, graph.edges, graph.width_of_data, graph.width);
  if (graph.surplus > 0) {
    text += fmt::format("; {} waits order nothing and keep {} apart", graph.surplus,
                        pairs_text(graph.lost_pairs));
  }
  return text + "\n";
}

Json races_json(const Verification& verification) {
  const ExecutionPlan& plan = verification.plan;
  Json races = Json::array();
  for (std::size_t index = 0; index < verification.proof.races.size(); ++index) {
    const Race& race = verification.proof.races[index];
    races.push_back({{"earlier", plan.task(race.earlier).name},
                     {"later", plan.task(race.later).name},
                     {"earlier_step", race.earlier_step},
                     {"later_step", race.later_step},
                     {"reversed", race.reversed},
                     {"region", plan.memory.region(race.bytes.region).name()},
                     {"begin", race.bytes.begin},
                     {"end", race.bytes.end},
                     {"tensors", verification.race_tensors[index]},
                     {"earlier_access", name_of(race.earlier_mode)},
                     {"later_access", name_of(race.later_mode)},
                     {"text", race.text},
                     {"cure", race.cure}});
  }
  return races;
}

Json surplus_json(const Verification& verification) {
  const ExecutionPlan& plan = verification.plan;
  Json surplus = Json::array();
  for (const SurplusCost& cost : verification.surplus) {
    surplus.push_back({{"graph", plan.name(cost.edge.graph)},
                       {"from", plan.task(cost.edge.from).name},
                       {"to", plan.task(cost.edge.to).name},
                       {"text", cost.edge.text},
                       {"lost_pairs", cost.pairs},
                       {"waited_ns", cost.waited_ns ? Json(*cost.waited_ns) : Json(nullptr)}});
  }
  return surplus;
}

Json graphs_json(const Verification& verification) {
  Json graphs = Json::array();
  for (const GraphConcurrency& graph : verification.graphs) {
    graphs.push_back({{"graph", verification.plan.name(graph.graph)},
                      {"tasks", graph.tasks},
                      {"edges", graph.edges},
                      {"width_of_data", graph.width_of_data},
                      {"width", graph.width},
                      {"surplus_edges", graph.surplus},
                      {"lost_pairs", graph.lost_pairs}});
  }
  return graphs;
}

}  // namespace

Verification verification_of(std::string subject, ExecutionPlan plan, ProofReport proof,
                             const Trace* recorded) {
  Verification made;
  made.subject = std::move(subject);
  made.plan = std::move(plan);
  made.proof = std::move(proof);
  made.as_recorded = recorded != nullptr;
  if (!made.proof.races.empty()) {
    const std::vector<TraceTensor> tensors =
        recorded != nullptr ? recorded->tensors : trace_of_plan(made.plan).tensors;
    for (const Race& race : made.proof.races)
      made.race_tensors.push_back(tensors_at(made.plan, race, tensors));
  }
  made.surplus = surplus_costs(made.plan, made.proof, recorded);
  made.graphs = graph_concurrency(made.plan, made.proof);
  return made;
}

std::string text_of(const Verification& verification) {
  const ProofReport& proof = verification.proof;
  std::string text = fmt::format(
      "  {} of {} conflicting pairs ordered among {} task runs (three steps, tail, "
      "evaluation), {:.2f} ms\n",
      proof.ordered_pairs, proof.conflicting_pairs, proof.task_runs,
      static_cast<double>(proof.elapsed_ns) / 1e6);
  for (std::size_t index = 0; index < proof.races.size(); ++index) {
    const Race& race = proof.races[index];
    text += fmt::format("  race: {}\n", race.text);
    if (!verification.race_tensors[index].empty()) {
      text += fmt::format("        these bytes hold {}\n",
                          fmt::join(verification.race_tensors[index], ", "));
    }
    text += fmt::format("        cure: {}\n", race.cure);
  }
  if (!proof.surplus.empty()) {
    text += fmt::format("  {} of {} waits order nothing that conflicts:\n", proof.surplus.size(),
                        proof.edges);
  }
  for (const SurplusCost& cost : verification.surplus)
    text += text_of(cost, verification.as_recorded);
  if (!verification.graphs.empty()) text += "  logical width:\n";
  for (const GraphConcurrency& graph : verification.graphs)
    text += text_of(verification.plan, graph);
  return text;
}

nlohmann::ordered_json json_of(const Verification& verification) {
  const ProofReport& proof = verification.proof;
  return {{"task_runs", proof.task_runs},
          {"conflicting_pairs", proof.conflicting_pairs},
          {"ordered_pairs", proof.ordered_pairs},
          {"edges", proof.edges},
          {"proof_ns", proof.elapsed_ns},
          {"races", races_json(verification)},
          {"surplus_edges", surplus_json(verification)},
          {"graphs", graphs_json(verification)}};
}

}  // namespace quintet
