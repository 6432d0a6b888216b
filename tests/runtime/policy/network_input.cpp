#include "tests/runtime/policy/network_input.h"

#include <gtest/gtest.h>

#include "runtime/ops/op_catalog.h"

namespace quintet::test {

namespace {

constexpr std::uint64_t kWorkspaceBytes = 4096;

}  // namespace

PlanInput planned_input(std::string_view network_name, const NetworkInput& input,
                        const TrainingSetup& setup) {
  const auto network = make_network(network_name, input);
  EXPECT_TRUE(network.has_value()) << to_string(network.error());
  auto graph = build_training_graph(*network, setup);
  EXPECT_TRUE(graph.has_value()) << to_string(graph.error());
  auto tasks = lower(graph->ops, graph->tensors, Lowering::article);
  EXPECT_TRUE(tasks.has_value()) << to_string(tasks.error());
  for (Task& task : *tasks) {
    if (!runs_on_host(task.graph)) task.workspace_bytes = kWorkspaceBytes;
  }
  return {graph->tensors, graph->shapes, graph->atlas, *tasks, Lowering::article};
}

PlanInput planned_input(std::string_view network_name, Precision precision) {
  NetworkInput input;
  input.hidden = {32, 16};
  TrainingSetup setup;
  setup.train_batch = 8;
  setup.train_tail = 4;
  setup.eval_batch = 6;
  setup.eval_tail = 2;
  setup.train_steps = 4;
  setup.precision = precision;
  return planned_input(network_name, input, setup);
}

PlanInput full_size_input(std::string_view network_name, Precision precision) {
  const NetworkInput input{.height = 224, .width = 224, .channels = 3, .classes = 100};
  TrainingSetup setup;
  setup.train_batch = 32;
  setup.eval_batch = 32;
  setup.precision = precision;
  return planned_input(network_name, input, setup);
}

}  // namespace quintet::test
