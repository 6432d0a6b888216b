// Time of the race proof by number of task runs, on network-like plans under `dataflow` (race-free)
// and on the same without edges (racy, so that every race is written out). Surplus edges included.
// Target: 10,000 runs in at most 100 ms.

#include <benchmark/benchmark.h>
#include <stdexcept>
#include <utility>

#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/sync_planner.h"
#include "tests/support/random_task_graph.h"

namespace {

using namespace quintet;

void add_edges(ExecutionPlan& plan, SyncRule rule) {
  TaskGraph& graph = plan.graphs.at(test::kRandomGraph);
  const auto edges = plan_sync(
      {.tasks = plan.tasks, .accesses = plan.accesses, .placed = graph.tasks, .rule = rule});
  if (!edges) throw std::runtime_error(to_string(edges.error()));
  graph.edges = *edges;
}

void prove_plan(benchmark::State& state, ExecutionPlan plan, SyncRule rule, std::size_t steps) {
  add_edges(plan, rule);
  const StepSequence sequence(steps, test::kRandomStep);
  ProofReport report;
  for (auto _ : state) {
    report = prove(plan, sequence).value();
    benchmark::DoNotOptimize(report.races.data());
  }
  state.counters["runs"] = static_cast<double>(report.task_runs);
  state.counters["pairs"] = static_cast<double>(report.conflicting_pairs);
  state.counters["races"] = static_cast<double>(report.races.size());
  state.counters["surplus"] = static_cast<double>(report.surplus.size());
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Unit(benchmark::kMillisecond)->ArgNames({"runs", "steps"});
  for (const std::int64_t runs : {500, 2000, 10000}) {
    for (const std::int64_t steps : {1, 5})
      benchmark->Args({runs, steps});
  }
}

/// range(0) runs in range(1) steps.
void prove_network(benchmark::State& state, SyncRule rule) {
  const auto steps = static_cast<std::size_t>(state.range(1));
  const std::size_t tasks = static_cast<std::size_t>(state.range(0)) / steps;
  prove_plan(state, test::network_like_plan(tasks), rule, steps);
}
void prove_dataflow(benchmark::State& state) {
  prove_network(state, SyncRule::dataflow);
}
void prove_adjacent_conflicts(benchmark::State& state) {
  prove_network(state, SyncRule::adjacent_conflicts);
}
void prove_without_edges(benchmark::State& state) {
  prove_network(state, SyncRule::manual);
}

/// The unfriendly case: every task touches a few pieces of a small memory, so that more than
/// every fourth pair conflicts.
void prove_dense(benchmark::State& state) {
  ExecutionPlan plan = test::random_plan({.tasks = static_cast<std::size_t>(state.range(0)),
                                          .streams = 5,
                                          .seed = 1,
                                          .shuffled_issue = false});
  prove_plan(state, std::move(plan), SyncRule::dataflow, 1);
}

BENCHMARK(prove_dataflow)->Apply(sizes);
BENCHMARK(prove_adjacent_conflicts)->Apply(sizes);
BENCHMARK(prove_without_edges)->Apply(sizes);
BENCHMARK(prove_dense)
    ->Unit(benchmark::kMillisecond)
    ->ArgName("runs")
    ->Arg(500)
    ->Arg(2000)
    ->Arg(10000);

}  // namespace
