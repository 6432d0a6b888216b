// A search as the viewer's Tune tab makes it, from a recording to the list of policies: planning it
// again, the known policies, the mappings, and what each policy on the list changes.
#include <benchmark/benchmark.h>
#include <string>

#include "profiler/trace/trace_reader.h"
#include "viewer/model/tuning/tuning.h"

namespace quintet::viewer {
namespace {

void tune_of_a_recording(benchmark::State& state, const std::string& name) {
  const auto trace = read_trace(QUINTET_SOURCE_DIR "/scenarios/recorded/" + name + ".qtrace.gz");
  if (!trace) return state.SkipWithError("no such recording");
  TuneChoice choice;
  choice.candidates = state.range(0);
  for (auto _ : state) {
    TuneWatch watch;
    JobControl control;
    const auto tuning = tune_recording(*trace, choice, watch, control);
    if (!tuning) return state.SkipWithError("it cannot be tuned");
    state.counters["policies"] = static_cast<double>(tuning->candidates.size());
    state.counters["mappings"] = static_cast<double>(tuning->tried);
  }
}
BENCHMARK_CAPTURE(tune_of_a_recording, mlp, "mlp-b128-serial-whole_step")
    ->Arg(20'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tune_of_a_recording, resnet18, "resnet18-b256-serial-whole_step")
    ->Arg(20'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tune_of_a_recording, resnet50, "resnet50-b32-serial-whole_step")
    ->Arg(20'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quintet::viewer
