// Mappings a second that a search tries, on one core: the steps of shipped recordings, issued anew,
// their waits reduced, simulated. Beside it the same by way of the whole plan.

#include <benchmark/benchmark.h>
#include <stdexcept>
#include <string>

#include "profiler/trace/trace_reader.h"
#include "profiler/whatif/prediction.h"
#include "runtime/policy/policy_catalog.h"
#include "scenarios/lab/mapping_moves.h"
#include "scenarios/lab/mapping_search.h"
#include "scenarios/lab/predictor.h"

namespace {

using namespace quintet;

template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}

Predictor predictor_of(const std::string& name) {
  return value_or_throw(Predictor::of_trace(value_or_throw(
      read_trace(std::string(QUINTET_SOURCE_DIR) + "/scenarios/recorded/" + name + ".qtrace.gz"))));
}

void search(benchmark::State& state, const std::string& name) {
  const Predictor predictor = predictor_of(name);
  MappedStep step = value_or_throw(
      MappedStep::of(predictor.replanner(), predictor.model(), GradientMode::separate));
  SearchOptions options;
  const std::vector<StepMapping> starts = {one_stream(step.dag())};
  std::uint64_t tried = 0;
  for (auto _ : state) {
    options.candidates = 2000;
    ++options.seed;
    tried += search_mappings(step, starts, options).candidates;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(tried));
  state.counters["tasks"] = static_cast<double>(step.dag().size());
}

void plan_and_predict(benchmark::State& state, const std::string& name) {
  const Predictor predictor = predictor_of(name);
  StreamPolicy policy = value_or_throw(find_policy("renaissance-dataflow"));
  policy.step = StepMode::whole_step;
  for (auto _ : state) {
    const ExecutionPlan plan = value_or_throw(predictor.replanner().plan(policy));
    benchmark::DoNotOptimize(value_or_throw(predict_step(plan, predictor.model())).step_ns);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

BENCHMARK_CAPTURE(search, mlp_b128, "mlp-b128-serial-whole_step")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, resnet18_b256, "resnet18-b256-serial-whole_step")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, resnet50_b8, "resnet50-b8-serial-whole_step")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_and_predict, resnet50_b8, "resnet50-b8-serial-whole_step")
    ->Unit(benchmark::kMillisecond);

}  // namespace
