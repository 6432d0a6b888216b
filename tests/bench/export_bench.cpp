// Writing a long recording for other programs: speed, bytes a span, and that it streams.
//
//     build/release/bin/bench/export_bench --benchmark_filter='/10000000'

#include <benchmark/benchmark.h>
#include <fstream>
#include <string>
#include <utility>

#include "profiler/report/chrome_trace.h"
#include "profiler/report/perfetto_trace.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {
namespace {

constexpr std::uint32_t kTasks = 500;
constexpr std::uint16_t kStreams = 5;

/// A step of 500 tasks on five policy lanes and five executor lanes, each task one kernel with all
/// that a recorder knows of it, each step one launch; an edge from every task to the next one.
Trace long_trace(std::int64_t spans) {
  Trace trace;
  for (std::uint32_t lane = 0; lane < 2U * kStreams; ++lane) {
    const bool policy = lane < kStreams;
    trace.lanes.push_back({LaneId(lane),
                           (policy ? "COMP_" : "GPU 0 stream ") + std::to_string(lane),
                           policy ? LaneKind::stream : LaneKind::executor, 0, 0, 0});
  }
  TraceGraph graph{"WHOLE_STEP_A@train", LaneId(0), {}, {}, false};
  for (std::uint32_t index = 0; index < kTasks; ++index) {
    const std::string layer = "stage3.block" + std::to_string(index) + ".conv2";
    TraceTask task;
    task.name = layer + "/CONV_AMP_BWD/dW";
    task.layer = layer;
    task.op_kind = "CONV_AMP_BWD";
    task.part = "dW";
    task.graph = "DEEP_FWD_BWD";
    task.shape = "train";
    task.policy_lane = LaneId(index % kStreams);
    task.flops = 1e9;
    task.bytes = 1e6;
    trace.tasks.push_back(std::move(task));
    trace.activities.push_back({ActivityKind::kernel,
                                "sm90_xmma_wgrad_implicit_gemm_" + std::to_string(index),
                                0x1'0000'0000 + index,
                                index,
                                LaunchShape{{132, 2, 1}, {256, 1, 1}, 168, 1024, 65536, 0.125},
                                {}});
    graph.tasks.push_back(index);
    if (index > 0) graph.edges.push_back({index - 1, index, "conflict", "reads what it writes"});
  }
  trace.graphs.push_back(std::move(graph));
  std::int64_t now = 86'400'000'000'000;  // a machine that has been up for a day
  for (std::int64_t span = 0; span < spans; ++span) {
    const auto task = static_cast<std::uint32_t>(span % kTasks);
    const auto step = static_cast<std::int32_t>(span / kTasks);
    const auto correlation = static_cast<std::uint32_t>(step + 1);
    const auto lane = static_cast<std::uint16_t>(task % kStreams);
    if (task == 0) {
      trace.launches.push_back({0, LaneId(0), step, now, now + 900, correlation});
      trace.steps.push_back({step, "train", "train", "A", 32, now, now + 2'000'000, 2.5, 1, 0.1});
    }
    now += 1000;
    append_span(trace.spans,
                {now, now + 3'000, -1, task, step, lane,
                 static_cast<std::uint16_t>(lane + kStreams), task, correlation, lane});
  }
  return trace;
}

/// A figure of this process's memory, in MB: VmRSS is what it has now, VmHWM the most it had.
double memory_mb(const std::string& figure) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(figure + ":")) return std::stod(line.substr(figure.size() + 1)) / 1e3;
  return 0;
}

/// From now on VmHWM counts anew.
void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << 5;
}

template <Result<void> (*Write)(const Trace&, const ByteSink&)>
void write_trace(benchmark::State& state) {
  const Trace trace = long_trace(state.range(0));
  forget_peak();
  const double before = memory_mb("VmRSS");
  std::int64_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    const Result<void> written = Write(trace, [&bytes](std::string_view piece) -> Result<void> {
      bytes += static_cast<std::int64_t>(piece.size());
      return {};
    });
    if (!written) state.SkipWithError("not written");
  }
  state.SetBytesProcessed(bytes * static_cast<std::int64_t>(state.iterations()));
  state.SetItemsProcessed(state.range(0) * static_cast<std::int64_t>(state.iterations()));
  state.counters["bytes_a_span"] = static_cast<double>(bytes) / static_cast<double>(state.range(0));
  state.counters["trace_MB"] = before;
  state.counters["writer_MB"] = memory_mb("VmHWM") - before;  // beyond the trace
}

BENCHMARK(write_trace<write_perfetto_trace>)
    ->Name("perfetto")
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(write_trace<write_chrome_trace>)
    ->Name("chrome")
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quintet
