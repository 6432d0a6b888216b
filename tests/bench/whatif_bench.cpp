// Predictions a second on one core: of a SimGraph that is there (what a search runs, after it moved a
// task), and from the plan on. Network-like steps under `dataflow` on three streams, an edge for every
// fourth task. Target: 20,000 a second of a step of 500 tasks.

#include <benchmark/benchmark.h>
#include <stdexcept>
#include <utility>

#include "profiler/whatif/cost_model.h"
#include "profiler/whatif/prediction.h"
#include "profiler/whatif/simulator.h"
#include "profiler/whatif/step_model.h"
#include "runtime/policy/sync_planner.h"
#include "tests/support/random_task_graph.h"

namespace {

using namespace quintet;

/// Everything that a prediction needs: tasks of 5 to 54 us that want half of the device or all of it.
struct Step {
  ExecutionPlan plan;
  CostModel model;
};

Step step_of(std::size_t tasks) {
  Step step{test::network_like_plan(tasks), {}};
  step.model.device = shipped_device_model();
  TaskGraph& graph = step.plan.graphs.at(test::kRandomGraph);
  const auto edges = plan_sync({.tasks = step.plan.tasks,
                                .accesses = step.plan.accesses,
                                .placed = graph.tasks,
                                .rule = SyncRule::dataflow});
  if (!edges) throw std::runtime_error(to_string(edges.error()));
  graph.edges = *edges;
  step.plan.mode = StepMode::whole_step;
  ShapeVariant shape;
  shape.name = "train";
  shape.batch = 1;
  shape.training = true;
  step.plan.shapes = {shape};
  for (const Task& task : step.plan.tasks) {
    TaskCost cost;
    const std::uint32_t number = task.id.value();
    cost.alone_ns = 5000 + 1000.0 * (number % 50);
    cost.kernels = 1 + number % 3;
    cost.sm_share = number % 2 == 0 ? 1 : 0.5;
    step.model.costs.by_key[cost_key(task.name, shape.name)] = cost;
  }
  return step;
}

void simulate(benchmark::State& state) {
  const Step step = step_of(static_cast<std::size_t>(state.range(0)));
  auto model = step_model_of(step.plan, step.model.costs, step.model.device);
  if (!model) throw std::runtime_error(to_string(model.error()));
  Simulator simulator(step.model.device.contention);
  SimIndex moved = 0;
  const auto nodes = static_cast<SimIndex>(model->graph.nodes.size());
  for (auto _ : state) {
    std::uint16_t& queue = model->graph.nodes[moved].queue;
    queue = static_cast<std::uint16_t>((queue + 1) % 3);
    moved = (moved + 7) % nodes;
    benchmark::DoNotOptimize(simulator.run(model->graph).step_ns);
  }
  state.counters["predictions/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["tasks"] = nodes;
  state.counters["edges"] = static_cast<double>(model->graph.edges.size());
}

void predict(benchmark::State& state) {
  const Step step = step_of(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    auto prediction = predict_step(step.plan, step.model);
    if (!prediction) throw std::runtime_error(to_string(prediction.error()));
    benchmark::DoNotOptimize(prediction->step_ns);
  }
  state.counters["predictions/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

BENCHMARK(simulate)->Unit(benchmark::kMicrosecond)->Arg(100)->Arg(500)->Arg(2000);
BENCHMARK(predict)->Unit(benchmark::kMicrosecond)->Arg(500);

}  // namespace
