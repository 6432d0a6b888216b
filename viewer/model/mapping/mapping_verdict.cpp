#include "viewer/model/mapping/mapping_verdict.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace quintet {

namespace {

using EdgeNames = std::pair<std::string_view, std::string_view>;
using EdgesByName = std::map<EdgeNames, VerdictEdge>;

/// The edges of all graphs by the names of their tasks; names belong to the plan.
EdgesByName edges_of(const ExecutionPlan& plan) {
  EdgesByName edges;
  for (const auto& [key, graph] : plan.graphs) {
    for (const Edge& edge : graph.edges) {
      const std::string& from = plan.task(edge.from).name;
      const std::string& to = plan.task(edge.to).name;
      edges.try_emplace({from, to}, VerdictEdge{from, to, edge.rule, edge.reason});
    }
  }
  return edges;
}

std::vector<VerdictEdge> only_in_first(const EdgesByName& first, const EdgesByName& second) {
  std::vector<VerdictEdge> edges;
  for (const auto& [names, edge] : first) {
    if (!second.contains(names)) edges.push_back(edge);
  }
  return edges;
}

/// The edge that a policy file can list against the race: both tasks in one graph, in order.
std::optional<ManualEdge> curing_edge(const ExecutionPlan& plan, const Race& race) {
  if (race.reversed) return std::nullopt;
  for (const auto& [key, graph] : plan.graphs) {
    std::optional<StreamKind> before;
    for (const PlacedTask& placed : graph.tasks) {
      if (placed.task == race.earlier) before = placed.stream;
      if (placed.task != race.later || !before || *before == placed.stream) continue;
      return ManualEdge{plan.task(race.earlier).name, plan.task(race.later).name, 0};
    }
  }
  return std::nullopt;
}

void add_races(const ExecutionPlan& plan, const ProofReport& proof, const MappingVerdict* base,
               MappingVerdict& verdict) {
  std::set<std::pair<std::string_view, std::string_view>> known;
  if (base != nullptr) {
    for (const VerdictRace& race : base->races)
      known.emplace(race.earlier, race.later);
  }
  for (const Race& race : proof.races) {
    VerdictRace row;
    row.earlier = plan.task(race.earlier).name;
    row.later = plan.task(race.later).name;
    row.region = plan.memory.region(race.bytes.region).name();
    row.begin = race.bytes.begin;
    row.end = race.bytes.end;
    row.text = race.text;
    row.cure = race.cure;
    row.edge = curing_edge(plan, race);
    row.new_here = !known.contains({row.earlier, row.later});
    verdict.races.push_back(std::move(row));
  }
  std::stable_partition(verdict.races.begin(), verdict.races.end(),
                        [](const VerdictRace& race) { return race.new_here; });
}

void add_memory(const ExecutionPlan& plan, const MappingVerdict* base, MappingVerdict& verdict) {
  verdict.device_bytes = plan.memory.bytes(MemorySpace::device);
  const MemoryPlan* before =
      base != nullptr && base->plan != nullptr ? &base->plan->memory : nullptr;
  const auto difference = [](std::uint64_t now, std::uint64_t then) {
    return static_cast<std::int64_t>(now) - static_cast<std::int64_t>(then);
  };
  if (before != nullptr) {
    verdict.device_difference =
        difference(verdict.device_bytes, before->bytes(MemorySpace::device));
  }
  for (const Region& region : plan.memory.regions()) {
    // Regions of every plan come in one order.
    const std::uint64_t then = before != nullptr ? before->region(region.id).bytes : region.bytes;
    if (region.bytes == 0 && then == 0) continue;
    verdict.memory.push_back(
        {region.name(), region.space(), region.bytes, difference(region.bytes, then)});
  }
}

void add_edges(const ExecutionPlan& plan, const MappingVerdict* base, MappingVerdict& verdict) {
  const EdgesByName now = edges_of(plan);
  verdict.waits = now.size();
  if (base == nullptr || base->plan == nullptr) return;
  const EdgesByName then = edges_of(*base->plan);
  verdict.added = only_in_first(now, then);
  verdict.freed = only_in_first(then, now);
}

void add_surplus(const ExecutionPlan& plan, const ProofReport& proof, MappingVerdict& verdict) {
  std::set<EdgeNames> seen;
  for (const SurplusEdge& edge : proof.surplus) {
    const std::string& from = plan.task(edge.from).name;
    const std::string& to = plan.task(edge.to).name;
    if (!seen.emplace(from, to).second) continue;
    const TaskGraph& graph = plan.graphs.at(edge.graph);
    const auto found = std::find_if(graph.edges.begin(), graph.edges.end(), [&](const Edge& each) {
      return each.from == edge.from && each.to == edge.to;
    });
    verdict.surplus.push_back({from, to, found->rule, edge.text});
  }
}

std::string megabytes(std::int64_t bytes) {
  return fmt::format("{:+.1f} MiB", static_cast<double>(bytes) / 0x1p20);
}

std::string changes_text(const MappingVerdict& verdict) {
  std::string text;
  if (!verdict.added.empty()) text += fmt::format(", {} waits more", verdict.added.size());
  if (!verdict.freed.empty()) text += fmt::format(", {} fewer", verdict.freed.size());
  if (verdict.device_difference != 0) text += ", " + megabytes(verdict.device_difference);
  return text;
}

std::vector<PolicyEdit> cures_of(const VerdictRace& race, const StreamPolicy& policy) {
  switch (policy.sync) {
    case SyncRule::manual:
      return race.edge ? std::vector{add_edge(*race.edge)} : std::vector<PolicyEdit>{};
    case SyncRule::adjacent:
      return {set_sync(SyncRule::adjacent_conflicts), set_sync(SyncRule::dataflow)};
    case SyncRule::adjacent_conflicts:
    case SyncRule::dataflow:
      return {};
  }
  return {};
}

}  // namespace

MappingVerdict judge(const PlanMaker& maker, const StreamPolicy& policy,
                     const MappingVerdict* base) {
  const auto start = std::chrono::steady_clock::now();
  MappingVerdict verdict;
  Result<ExecutionPlan> plan = maker(policy);
  const Result<ProofReport> proof =
      plan ? prove(*plan) : Result<ProofReport>(tl::unexpected(plan.error()));
  if (!proof) {
    verdict.kind = VerdictKind::no_plan;
    verdict.error = proof.error();
  } else {
    add_races(*plan, *proof, base, verdict);
    add_memory(*plan, base, verdict);
    add_edges(*plan, base, verdict);
    verdict.kind = proof->race_free() ? VerdictKind::race_free : VerdictKind::races;
    add_surplus(*plan, *proof, verdict);
    verdict.plan = std::make_shared<const ExecutionPlan>(std::move(*plan));
  }
  verdict.elapsed_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start)
          .count();
  return verdict;
}

std::string headline(const MappingVerdict& verdict) {
  switch (verdict.kind) {
    case VerdictKind::no_plan:
      return to_string(*verdict.error);
    case VerdictKind::races:
      return fmt::format("{} race{}: {}", verdict.races.size(),
                         verdict.races.size() == 1 ? "" : "s", verdict.races.front().text);
    case VerdictKind::race_free:
      return "race-free" + changes_text(verdict);
  }
  return {};
}

std::string forecast_text(const MappingVerdict& verdict) {
  if (!verdict.forecast) {
    return verdict.why_no_forecast.empty()
               ? std::string{}
               : fmt::format("predicted step unknown: {}", verdict.why_no_forecast);
  }
  const Forecast& forecast = *verdict.forecast;
  const std::string error = forecast.error_share > 0
                                ? fmt::format("+- {:.1f} %", forecast.error_share * 100)
                                : "error unknown";
  std::string text = forecast.step_ns == forecast.base_step_ns
                         ? fmt::format("predicted {:.3f} ms ({})", forecast.step_ns / 1e6, error)
                         : fmt::format("predicted {:.3f} -> {:.3f} ms ({:+.1f} %, {})",
                                       forecast.base_step_ns / 1e6, forecast.step_ns / 1e6,
                                       (forecast.step_ns / forecast.base_step_ns - 1) * 100, error);
  if (forecast.unpriced > 0) {
    text += fmt::format(", {} task{} without a cost", forecast.unpriced,
                        forecast.unpriced == 1 ? "" : "s");
  }
  return text;
}

std::vector<ManualEdge> listed_edges(const ExecutionPlan& plan) {
  std::vector<ManualEdge> listed;
  for (const auto& [names, edge] : edges_of(plan))
    listed.push_back({edge.from, edge.to, 0});
  return listed;
}

DropAnswer drop_answer(const MappingVerdict& verdict, const StreamPolicy& policy) {
  if (verdict.kind == VerdictKind::no_plan) return {false, to_string(*verdict.error), {}};
  if (!verdict.races.empty() && verdict.races.front().new_here) {
    const VerdictRace& race = verdict.races.front();
    return {false, fmt::format("{}; {}", race.text, race.cure), cures_of(race, policy)};
  }
  return {true, headline(verdict), {}};
}

}  // namespace quintet
