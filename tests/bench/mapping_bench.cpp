// From an edit of ResNet-50's policy to the verdict on it: plan, memory, waits, proof and what they
// change. Recordings are those that come with the program.
#include <benchmark/benchmark.h>
#include <string>

#include "profiler/trace/trace_reader.h"
#include "profiler/whatif/cost_model.h"
#include "profiler/whatif/prediction.h"
#include "scenarios/lab/replanner.h"
#include "viewer/model/mapping/mapping_table.h"
#include "viewer/model/mapping/mapping_verdict.h"

namespace quintet {
namespace {

std::optional<Replanner> recorded(const std::string& name) {
  const auto trace = read_trace(QUINTET_SOURCE_DIR "/scenarios/recorded/" + name + ".qtrace.gz");
  if (!trace) return std::nullopt;
  auto replanner = Replanner::of_trace(*trace);
  if (!replanner) return std::nullopt;
  return std::move(*replanner);
}

const Task& first_dw(const PlanInput& input) {
  for (const Task& task : input.tasks) {
    if (task.part == TaskPart::dW) return task;
  }
  return input.tasks.front();
}

/// An edit, its preview, the table and the verdict, in one thread.
void verdict_of_an_edit(benchmark::State& state, const std::string& name) {
  const auto replanner = recorded(name);
  if (!replanner) return state.SkipWithError("no such recording, or it cannot be planned again");
  const PlanMaker maker = [&](const StreamPolicy& policy) { return replanner->plan(policy); };
  const PolicyDraft draft(replanner->policy());
  const MappingVerdict base = judge(maker, draft.base(), nullptr);
  const std::vector<Task>& tasks = replanner->input().tasks;
  std::size_t moved = 0;
  for (auto _ : state) {
    const StreamKind stream = kStreamKinds[1 + moved++ % 3];
    const auto policy = draft.preview(
        move_task(tasks, draft.policy(), first_dw(replanner->input()), stream, MoveReach::kind));
    benchmark::DoNotOptimize(judge(maker, *policy, &base));
  }
}
BENCHMARK_CAPTURE(verdict_of_an_edit, whole_step, "resnet50-b32-renaissance-dataflow-whole_step")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(verdict_of_an_edit, event_sync, "resnet50-b32-renaissance-event_sync")
    ->Unit(benchmark::kMillisecond);

/// What a verdict's prediction adds: the step time, and steps to draw.
void forecast_of_a_plan(benchmark::State& state) {
  const auto trace =
      read_trace(QUINTET_SOURCE_DIR
                 "/scenarios/recorded/resnet50-b32-renaissance-dataflow-whole_step.qtrace.gz");
  const auto replanner = recorded("resnet50-b32-renaissance-dataflow-whole_step");
  if (!trace || !replanner) return state.SkipWithError("no such recording");
  const auto plan = replanner->plan(replanner->policy());
  const auto costs = cost_model_of(*trace, *plan);
  if (!costs) return state.SkipWithError("nothing is known of the device");
  for (auto _ : state) {
    benchmark::DoNotOptimize(predict_step(*plan, *costs));
    benchmark::DoNotOptimize(predicted_trace(*plan, *costs, *trace));
  }
}
BENCHMARK(forecast_of_a_plan)->Unit(benchmark::kMillisecond);

/// Once for each recording that is opened.
void costs_of_a_recording(benchmark::State& state) {
  const auto trace =
      read_trace(QUINTET_SOURCE_DIR
                 "/scenarios/recorded/resnet50-b32-renaissance-dataflow-whole_step.qtrace.gz");
  const auto replanner = recorded("resnet50-b32-renaissance-dataflow-whole_step");
  if (!trace || !replanner) return state.SkipWithError("no such recording");
  const auto plan = replanner->plan(replanner->policy());
  for (auto _ : state)
    benchmark::DoNotOptimize(cost_model_of(*trace, *plan));
}
BENCHMARK(costs_of_a_recording)->Unit(benchmark::kMillisecond);

void table_of_a_draft(benchmark::State& state) {
  const auto replanner = recorded("resnet50-b32-renaissance-dataflow-whole_step");
  if (!replanner) return state.SkipWithError("no such recording, or it cannot be planned again");
  const PolicyDraft draft(replanner->policy());
  for (auto _ : state)
    benchmark::DoNotOptimize(mapping_table(replanner->input().tasks, draft.state()));
}
BENCHMARK(table_of_a_draft)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quintet
