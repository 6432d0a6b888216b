// Time of memory plan, and of the whole plan with its proof, for ResNet-50 at 224x224 and batch 32,
// and the bytes of FEATURES. Target: plan and proof together in at most 1 s.

#include <benchmark/benchmark.h>
#include <stdexcept>
#include <utility>

#include "runtime/network/network_catalog.h"
#include "runtime/network/training_graph.h"
#include "runtime/ops/op_catalog.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/memory_planner.h"
#include "runtime/policy/plan_builder.h"
#include "runtime/policy/policy_catalog.h"

namespace {

using namespace quintet;

template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  return *std::move(result);
}

PlanInput resnet50() {
  const auto network = value_or_throw(
      make_network("resnet50", {.height = 224, .width = 224, .channels = 3, .classes = 100}));
  TrainingSetup setup;
  setup.train_batch = 32;
  setup.train_tail = 16;
  setup.eval_batch = 32;
  setup.eval_tail = 16;
  TrainingGraph graph = value_or_throw(build_training_graph(network, setup));
  PlanInput input;
  input.tasks = value_or_throw(lower(graph.ops, graph.tensors, Lowering::article));
  input.tensors = std::move(graph.tensors);
  input.shapes = std::move(graph.shapes);
  input.atlas = std::move(graph.atlas);
  for (Task& task : input.tasks) {
    if (!runs_on_host(task.graph)) task.workspace_bytes = kTensorAlignment;
  }
  return input;
}

void report_bytes(benchmark::State& state, const PlanInput& input, const MemoryPlan& memory) {
  const auto mebibytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 0x1p20; };
  state.counters["tasks"] = static_cast<double>(input.tasks.size());
  state.counters["tensors"] = static_cast<double>(input.tensors.all().size());
  state.counters["MiB"] = mebibytes(memory.region(RegionKind::FEATURES).bytes);
  state.counters["MiB_unshared"] = mebibytes(memory.features_unshared_bytes());
  state.counters["MiB_bound"] = mebibytes(memory.features_lower_bound_bytes());
}

void plan_memory_of_resnet50(benchmark::State& state, GradientMode gradients,
                             FeatureSharing sharing) {
  const PlanInput input = resnet50();
  MemoryPlan memory;
  for (auto _ : state) {
    memory = plan_memory(input.tensors, input.tasks, gradients, {}, sharing);
    benchmark::DoNotOptimize(memory.regions().data());
  }
  report_bytes(state, input, memory);
}

void plan_and_prove_resnet50(benchmark::State& state, GradientMode gradients,
                             FeatureSharing sharing) {
  PlanInput input = resnet50();
  input.sharing = sharing;
  StreamPolicy policy = value_or_throw(find_policy("renaissance-dataflow"));
  policy.gradients = gradients;
  ExecutionPlan plan;
  ProofReport proof;
  for (auto _ : state) {
    plan = value_or_throw(build_plan(input, policy));
    proof = value_or_throw(prove(plan));
    benchmark::DoNotOptimize(proof.races.data());
  }
  report_bytes(state, input, plan.memory);
  state.counters["runs"] = static_cast<double>(proof.task_runs);
  state.counters["pairs"] = static_cast<double>(proof.conflicting_pairs);
  state.counters["races"] = static_cast<double>(proof.races.size());
}

constexpr auto kInPlace = GradientMode::in_place;
constexpr auto kSeparate = GradientMode::separate;
constexpr auto kShared = FeatureSharing::by_lifetime;
constexpr auto kApart = FeatureSharing::none;

BENCHMARK_CAPTURE(plan_memory_of_resnet50, in_place, kInPlace, kShared)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_memory_of_resnet50, separate, kSeparate, kShared)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_and_prove_resnet50, in_place, kInPlace, kShared)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_and_prove_resnet50, separate, kSeparate, kShared)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_and_prove_resnet50, separate_unshared, kSeparate, kApart)
    ->Unit(benchmark::kMillisecond);

}  // namespace
