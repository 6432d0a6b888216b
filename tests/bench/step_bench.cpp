// Time to look closely at one step of a recording of 10 million spans, and to fold it; and to find out
// once where steps lie in it. Recordings of 100,000 steps; RUNS = tasks a step, on five streams, each
// reading what three before it wrote.
//   step/RUNS   counters: runs, waits; bytes_folded, bytes_close, bytes_linked = what stays of it in
//               sums, closely, and with what links are found in

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <memory>
#include <string>

#include "profiler/trace/span_order.h"
#include "profiler/trace/trace_batch.h"
#include "viewer/model/timeline/folded_step.h"
#include "viewer/model/timeline/step_insight.h"

namespace quintet::viewer {
namespace {

constexpr std::int64_t kSpans = 10'000'000;
constexpr std::uint16_t kStreams = 5;
constexpr std::int64_t kRunNs = 1000;

TraceTask task_of(std::uint32_t number) {
  TraceTask task;
  task.name = "task " + std::to_string(number);
  task.shape = "train";
  task.policy_lane = LaneId(static_cast<std::uint16_t>(number % kStreams));
  const auto touch = [&task](std::uint32_t written_by, AccessMode mode) {
    Access access;
    access.region = RegionId(0);
    access.offset = std::uint64_t{written_by} * 64;
    access.bytes = 64;
    access.mode = mode;
    task.accesses.push_back(access);
  };
  for (const std::uint32_t before : {1U, 7U, 31U}) {
    if (number >= before) touch(number - before, AccessMode::read);
  }
  touch(number, AccessMode::write);
  return task;
}

std::shared_ptr<Trace> trace_of(std::uint32_t runs) {
  auto trace = std::make_shared<Trace>();
  for (std::uint16_t lane = 0; lane < kStreams; ++lane) {
    Lane entry;
    entry.id = LaneId(lane);
    entry.name = "stream " + std::to_string(lane);
    trace->lanes.push_back(entry);
  }
  for (std::uint32_t task = 0; task < runs; ++task)
    trace->tasks.push_back(task_of(task));
  for (std::int64_t step = 0; step < kSpans / runs; ++step) {
    TraceStep entry;
    entry.step = step;
    entry.phase = "train";
    entry.shape = "train";
    entry.begin_ns = step * runs * kRunNs;
    entry.end_ns = entry.begin_ns + runs * kRunNs;
    trace->steps.push_back(entry);
    for (std::uint32_t task = 0; task < runs; ++task) {
      Span span;
      span.begin_ns = entry.begin_ns + task * kRunNs;
      span.end_ns = span.begin_ns + 2 * kRunNs - task % 900;
      span.task = task;
      span.step = static_cast<std::int32_t>(step);
      span.lane = span.executor_lane = static_cast<std::uint16_t>(task % kStreams);
      append_span(trace->spans, span);
    }
  }
  sort_spans(trace->spans);
  return trace;
}

void slicer(benchmark::State& state) {
  const std::shared_ptr<Trace> trace = trace_of(100);
  for (auto _ : state)
    benchmark::DoNotOptimize(StepSlicer(trace));
}

void step(benchmark::State& state) {
  const std::shared_ptr<Trace> trace = trace_of(static_cast<std::uint32_t>(state.range(0)));
  const StepSlicer slicer(trace);
  std::int64_t at = 0;
  const auto allocated = [] { return static_cast<double>(mallinfo2().uordblks); };
  const auto steps = static_cast<std::int64_t>(trace->steps.size());
  for (auto _ : state) {
    at = (at + steps / 3) % steps;
    const double before = allocated();
    const auto insight = StepInsight::of(slicer, at);
    if (!insight) return state.SkipWithError(to_string(insight.error()).c_str());
    state.counters["bytes_linked"] = allocated() - before;
    const FoldedStep folded = fold(*insight);
    state.counters["runs"] = static_cast<double>(insight->runs().size());
    state.counters["waits"] = static_cast<double>(insight->waits().size());
    state.counters["bytes_close"] = static_cast<double>(insight->without_links().held_bytes());
    state.counters["bytes_folded"] = static_cast<double>(folded.held_bytes());
  }
}

BENCHMARK(slicer)->Unit(benchmark::kMillisecond);
BENCHMARK(step)->Arg(100)->Arg(400)->Arg(1600)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quintet::viewer
