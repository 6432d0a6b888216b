#include "tests/support/export_trace.h"

#include <random>
#include <string>
#include <utility>

#include "profiler/trace/trace_batch.h"

namespace quintet {

namespace {

constexpr std::uint32_t kStepUs = 1000;
constexpr std::int64_t kBeginNs = 5'000'000'000;
constexpr std::uint16_t kComp1 = 0, kComp2 = 1, kStream13 = 2, kStream14 = 3, kMain = 4;

enum Activity : std::uint32_t { kGemm, kRelu, kCopy, kClear, kLaunchCall, kRange, kInnerRange };

TraceTask task(std::string name, std::string layer, std::string kind, std::string part,
               std::optional<std::uint16_t> lane) {
  TraceTask task;
  task.name = std::move(name);
  task.layer = std::move(layer);
  task.op_kind = std::move(kind);
  task.part = std::move(part);
  task.graph = "DEEP_FWD_BWD";
  task.shape = "train";
  if (lane) task.policy_lane = LaneId(*lane);
  task.placement_reason = "part " + task.part;
  task.flops = 2e6;
  task.bytes = 4096;
  return task;
}

void add_plan(Trace& trace) {
  trace.provenance = {
      {"scenario", "export"},     {"policy", "renaissance"},
      {"executor", "cuda"},       {"gpu", "Test GPU"},
      {"multiprocessors", "132"}, {"clock_realtime_offset_ns", "1795980990000000007"}};
  trace.lanes = {{LaneId(kComp1), "COMP_1", LaneKind::stream, 0, 0, 0},
                 {LaneId(kComp2), "COMP_2", LaneKind::stream, 0, 0, 0},
                 {LaneId(kStream13), "GPU 0 stream 13", LaneKind::executor, 0, 0, 0},
                 {LaneId(kStream14), "GPU 0 stream 14", LaneKind::executor, 0, 0, 0},
                 {LaneId(kMain), "HOST_MAIN", LaneKind::host, 0, 0, 0}};
  trace.tasks = {task("data/H2D_COPY/copy", "data", "H2D_COPY", "copy", kComp2),
                 task(kHostileName, "conv1", "CONV_FP32_FWD", "Y", kComp1),
                 task("relu1/RELU_FP32_FWD/Y", "relu1", "RELU_FP32_FWD", "Y", kComp2),
                 task("conv1/CONV_FP32_BWD/dW", "conv1", "CONV_FP32_BWD", "dW", kComp1),
                 task("all/RANGE_CLEAR/clear", "all", "RANGE_CLEAR", "clear", kComp1),
                 task("step/HOST/range", "", "HOST", "host", std::nullopt)};
  trace.tasks[4].graph = "ZERO_GRAD";
  trace.tasks[5].graph.clear();
  trace.tasks[5].flops = trace.tasks[5].bytes = 0;
  trace.graphs = {{"WHOLE_STEP_A@train",
                   LaneId(kComp1),
                   {4, 0, 1, 2, 3},
                   {{0, 1, "conflict", "conv1 reads \"images\""},
                    {1, 2, "adjacent", "the op before"},
                    {2, 3, "manual", "listed by the user"},
                    {0, 3, "op_internal", "dX in place"}},
                   false},
                  {"DEEP_COMM", LaneId(kComp2), {}, {}, true}};
}

void add_activities(Trace& trace) {
  trace.activities = {
      {ActivityKind::kernel, "void gemm<float, 128>(float const*)", 0xFFFF'0000'0000'0001,
       0x1'0000'0001, LaunchShape{{132, 2, 1}, {256, 1, 1}, 168, 1024, 65536, 0.125}},
      {ActivityKind::kernel, "relu", 7, 3,
       LaunchShape{{1, 1, 4}, {32, 2, 1}, 16, 0, 0, std::nullopt}},
      {ActivityKind::memcpy, "Memcpy HtoD (Pinned -> Device)", 8, 4, std::nullopt, 200704},
      {ActivityKind::memset, "Memset (Device)", 9, 5, std::nullopt, 4096},
      {ActivityKind::api_call, "cudaGraphLaunch_v10000"},
      {ActivityKind::host_range, "step"},
      {ActivityKind::host_range, "prepare"}};
}

void add_step(Trace& trace, std::int32_t step) {
  const auto span = [&](std::int64_t begin_us, std::int64_t end_us, std::uint32_t task,
                        std::uint16_t lane, std::uint16_t executor, std::uint32_t activity,
                        std::uint32_t correlation) {
    const std::int64_t base = kBeginNs + step * std::int64_t{kStepUs} * 1000 + step;
    append_span(trace.spans, {base + begin_us * 1000, base + end_us * 1000, -1, task, step, lane,
                              executor, activity, correlation, 9});
  };
  const std::uint32_t launch = 100 + static_cast<std::uint32_t>(step);
  span(0, 40, 5, kMain, kMain, kInnerRange, 0);
  span(0, 900, 5, kMain, kMain, kRange, 0);
  span(50, 60, 5, kMain, kMain, kLaunchCall, 900 + launch);
  span(70, 80, 4, kComp1, kStream13, kClear, launch);
  span(75, 175, 0, kComp2, kStream14, kCopy, launch);
  span(180, 380, 1, kComp1, kStream13, kGemm, launch);
  span(370, 480, 1, kComp1, kStream13, kRelu, launch);  // begins before the one before it ends
  span(480, 480, 2, kComp2, kStream13, kRelu, launch);
  span(490, 560, 2, kComp2, kStream14, kRelu, launch);
  span(600, 800, 3, kComp1, kStream13, kGemm, launch);

  const std::int64_t base = trace.spans.begin_ns[trace.spans.size() - 10];
  trace.launches.push_back({0, LaneId(kComp1), step, base + 50'500, base + 58'000, launch});
  trace.host_waits.push_back(
      {LaneId(kMain), step, "host_sync", "COMP_1", base + 400'000, base + 820'000});
  TraceStep row;
  row.step = step;
  row.phase = "train";
  row.shape = "train";
  row.slot = step % 2 == 0 ? "A" : "B";
  row.batch = 64;
  row.begin_ns = base;
  row.end_ns = base + 950'000;
  if (step != 1) row.loss = 2.25 / (1 + step);
  row.learning_rate = 0.05;
  trace.steps.push_back(std::move(row));
}

}  // namespace

Trace export_trace() {
  Trace trace;
  add_plan(trace);
  add_activities(trace);
  for (std::int32_t step = 0; step < 3; ++step)
    add_step(trace, step);
  trace.untimed = {{1, 2, kComp1, kStream13, kGemm, 102, 0, 0}};
  trace.findings = {{Severity::notice, "untimed_activities", "1 kernel without a time", 1}};
  return trace;
}

Trace random_export_trace(std::uint32_t seed, int count) {
  Trace trace = export_trace();
  trace.spans = {};
  std::mt19937 random(seed);
  const auto below = [&random](std::uint32_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
  };
  for (int index = 0; index < count; ++index) {
    const bool host = below(4) == 0;
    // Few begins and few lengths: many spans begin, or end, together.
    const auto begin = kBeginNs + std::int64_t{below(200)} * 10;
    const auto length = std::int64_t{below(12)} * 10;
    const auto lane = host ? kMain : static_cast<std::uint16_t>(below(2));
    const auto executor = host ? kMain : static_cast<std::uint16_t>(2 * below(2) + below(2));
    const std::uint32_t activity = below(3) == 0 ? kWholeTask : below(host ? 7 : 4);
    append_span(trace.spans,
                {begin, begin + length, -1, below(5), static_cast<std::int32_t>(below(4)) - 1, lane,
                 host ? kMain : executor, activity, below(5), kUnknownChannel});
  }
  return trace;
}

}  // namespace quintet
