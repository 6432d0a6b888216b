#include "runtime/network/training_plan.h"

#include <algorithm>
#include <utility>

#include "runtime/ops/op_catalog.h"

namespace quintet {

namespace {

TrainingSetup setup_of(const TrainingSpec& spec) {
  const RunLength& length = spec.length;
  const auto full = [&](std::int64_t samples) { return samples == 0 ? 0 : length.batch; };
  TrainingSetup setup;
  setup.train_batch = std::min(length.batch, length.train_samples);
  setup.train_tail = tail_batch(length.train_samples, length.batch);
  setup.eval_batch = std::min(full(length.test_samples), length.test_samples);
  setup.eval_tail = tail_batch(length.test_samples, length.batch);
  setup.train_steps = train_step_count(length);
  setup.precision = spec.precision;
  setup.optimizer = spec.optimizer;
  setup.loss = spec.loss;
  setup.ema = spec.ema;
  setup.evaluate = spec.evaluate;
  setup.micro_batches = spec.micro_batches;
  setup.seed = spec.seed;
  return setup;
}

}  // namespace

Result<PlanInput> plan_input_of(const TrainingSpec& spec) {
  Result<TrainingGraph> graph = build_training_graph(spec.network, setup_of(spec));
  if (!graph) return tl::unexpected(graph.error());
  Result<std::vector<Task>> tasks = lower(graph->ops, graph->tensors, spec.lowering);
  if (!tasks) return tl::unexpected(tasks.error());
  PlanInput input;
  input.tensors = std::move(graph->tensors);
  input.shapes = std::move(graph->shapes);
  input.atlas = std::move(graph->atlas);
  input.tasks = std::move(*tasks);
  input.lowering = spec.lowering;
  input.micro_batches = spec.micro_batches;
  return input;
}

}  // namespace quintet
