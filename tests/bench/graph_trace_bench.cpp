// What graph-heavy traces cost: launches of 500 nodes that run on 12 streams of the driver, once, five
// and ten times as many of them. The complexity that is printed should be N; times a record likewise
// stay what they are.
//
//   graph_trace_bench --benchmark_filter=recorded
#include <benchmark/benchmark.h>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "profiler/analysis/device_summary.h"
#include "profiler/analysis/launch_calls.h"
#include "profiler/analysis/step_window.h"
#include "profiler/capture/device_spans.h"
#include "profiler/import/trace_builder.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {
namespace {

constexpr std::uint32_t kNodes = 500;
constexpr std::uint32_t kStreams = 12;
constexpr std::int64_t kStepNs = 5'000'000;
constexpr std::uint64_t kGraph = std::uint64_t{2} << 32;

std::int64_t begin_of(std::int64_t launch, std::uint32_t node) {
  return launch * kStepNs + 100'000 + node * 9'000;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (std::uint32_t node = 0; node < kNodes; ++node)
    names.push_back(fmt::format("void kernel_{}<float, 128>(float*)", node % 40));
  return names;
}

/// As an importer meets it: a call, its nodes, a range that names the step.
void import_into(TraceBuilder& builder, std::int64_t launches,
                 const std::vector<std::string>& names) {
  const ImportSourceId file = builder.open_source("graph.json", "chrome_json");
  const std::uint16_t host = builder.lane({file, LaneRole::thread, 0, 1, 1});
  for (std::int64_t launch = 0; launch < launches; ++launch) {
    const auto correlation = static_cast<std::uint32_t>(launch + 1);
    ImportedSpan call;
    call.activity.kind = ActivityKind::api_call;
    call.activity.name = "cudaGraphLaunch_v10000";
    call.lane = host;
    call.begin_ns = launch * kStepNs;
    call.end_ns = call.begin_ns + 60'000;
    call.correlation = correlation;
    builder.add(call);
    builder.add_step(file, {launch, StepMark::step}, call.begin_ns, call.begin_ns + kStepNs);
    for (std::uint32_t node = 0; node < kNodes; ++node) {
      ImportedSpan span;
      span.activity.name = names[node];
      span.activity.graph_node = kGraph + node;
      span.lane = builder.lane({file, LaneRole::stream, 0, 0, node % kStreams});
      span.begin_ns = begin_of(launch, node);
      span.end_ns = span.begin_ns + 12'000;
      span.correlation = correlation;
      builder.add(span);
    }
  }
}

Trace imported(std::int64_t launches) {
  TraceBuilder builder;
  import_into(builder, launches, kernel_names());
  return *builder.finish();
}

void report_rate(benchmark::State& state) {
  const std::int64_t records = state.range(0) * kNodes;
  state.SetComplexityN(state.range(0));
  state.SetItemsProcessed(state.iterations() * records);
}

void imported_graphs(benchmark::State& state) {
  const std::vector<std::string> names = kernel_names();
  for ([[maybe_unused]] const auto& turn : state) {
    TraceBuilder builder;
    import_into(builder, state.range(0), names);
    benchmark::DoNotOptimize(builder.finish());
  }
  report_rate(state);
}

/// From a driver's records to spans of tasks.
void recorded_graphs(benchmark::State& state) {
  const std::vector<std::string> names = kernel_names();
  NodeTable nodes;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    nodes.captured(node, {node, static_cast<std::uint16_t>(node % 5), 0, 0, 0});
    nodes.cloned(node, kGraph + node);
  }
  for ([[maybe_unused]] const auto& turn : state) {
    DeviceSpansStart start;
    start.lanes = 7;
    start.tasks = kNodes;
    start.graphs = {"WHOLE_STEP_A@train"};
    DeviceSpans spans(std::move(start));
    std::size_t taken = 0;
    for (std::int64_t launch = 0; launch < state.range(0); ++launch) {
      const auto correlation = static_cast<std::uint32_t>(launch + 1);
      spans.launched(correlation, {static_cast<std::int32_t>(launch), 0, 0, launch * kStepNs});
      for (std::uint32_t node = 0; node < kNodes; ++node) {
        DeviceRecord record;
        record.name = names[node];
        record.begin_ns = begin_of(launch, node);
        record.end_ns = record.begin_ns + 12'000;
        record.stream = node % kStreams;
        record.correlation = correlation;
        record.graph_node = kGraph + node;
        spans.add(record, nodes);
      }
      taken += spans.take().spans.size();
    }
    benchmark::DoNotOptimize(taken);
  }
  report_rate(state);
}

/// What every report begins with: launches, windows, what the devices did.
void analysed_graphs(benchmark::State& state) {
  const Trace trace = imported(state.range(0));
  for ([[maybe_unused]] const auto& turn : state) {
    benchmark::DoNotOptimize(launch_calls(trace));
    benchmark::DoNotOptimize(step_windows(trace));
    benchmark::DoNotOptimize(summarise_devices(trace));
  }
  report_rate(state);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t times : {1, 5, 10})
    benchmark->Arg(200 * times);
  benchmark->Unit(benchmark::kMillisecond)->Complexity(benchmark::oN);
}

BENCHMARK(imported_graphs)->Apply(sizes);
BENCHMARK(recorded_graphs)->Apply(sizes);
BENCHMARK(analysed_graphs)->Apply(sizes);

}  // namespace
}  // namespace quintet
