#include "tests/support/gpu_trace.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "profiler/trace/trace_batch.h"

namespace quintet {

namespace {

constexpr std::int32_t kSteps = 6;
constexpr std::int64_t kPeriod = 8000;
constexpr RegionId kBatch{0};
constexpr RegionId kFeatures{1};
constexpr RegionId kGradients{2};
constexpr RegionId kWeights{3};
constexpr RegionId kResults{4};

// Activities, by index.
enum : std::uint32_t {
  kCopyIn,
  kFwdGemm,
  kFwdBias,
  kBwdGemm,
  kBwdReduce,
  kFill,
  kSgd,
  kCast,
  kCopyOut
};

Access access(RegionId region, AccessMode mode) {
  Access result;
  result.region = region;
  result.bytes = 64;
  result.mode = mode;
  return result;
}

TraceTask task(const std::string& layer, const std::string& kind, const std::string& part,
               const std::string& graph, std::uint16_t lane, std::vector<Access> accesses,
               double flops) {
  TraceTask result;
  result.name = layer + "/" + kind + "/" + part;
  result.layer = layer;
  result.op_kind = kind;
  result.part = part;
  result.graph = graph;
  result.shape = "train";
  result.policy_lane = LaneId(lane);
  result.accesses = std::move(accesses);
  result.flops = flops;
  result.bytes = 1000;
  return result;
}

TraceActivity kernel(const std::string& name, std::uint32_t blocks, double occupancy) {
  TraceActivity result;
  result.name = name;
  result.launch = LaunchShape{{blocks, 1, 1}, {256, 1, 1}, 64, 0, 1024, occupancy};
  return result;
}

TraceActivity moved(ActivityKind kind, const std::string& name, std::uint64_t bytes) {
  TraceActivity result;
  result.kind = kind;
  result.name = name;
  result.bytes = bytes;
  return result;
}

LaneTable gpu_lanes() {
  LaneTable lanes = {{LaneId(0), "TRANS", LaneKind::stream, 0, 0, 0},
                     {LaneId(1), "COMP", LaneKind::stream, 0, 0, 0},
                     {LaneId(2), "UPDATE", LaneKind::stream, 0, 0, 0},
                     {LaneId(3), "HOST_MAIN", LaneKind::host, 0, 0, 0}};
  for (std::uint32_t id = 4; id < 7; ++id) {
    lanes.push_back(
        {LaneId(id), "GPU 0 queue " + std::to_string(id + 9), LaneKind::executor, 0, 0, 0});
  }
  return lanes;
}

void add_plan(Trace& trace, GpuStepMode mode) {
  using enum AccessMode;
  trace.lanes = gpu_lanes();
  trace.provenance = {{"scenario", "gpu"},
                      {"policy", "renaissance"},
                      {"executor", "cuda"},
                      {"gpu", "NVIDIA H200"},
                      {"multiprocessors", "132"}};
  trace.tasks = {
      task("data", "H2D_COPY", "copy", "TRANSFER_A", kGpuTrans, {access(kBatch, write)}, 0),
      task("fc1", "FC_FP32_FWD", "Y", "DEEP", kGpuComp,
           {access(kBatch, read), access(kWeights, read), access(kFeatures, write)}, 1e6),
      task("fc1", "FC_FP32_BWD", "dW", "DEEP", kGpuComp,
           {access(kFeatures, read), access(kGradients, update), access(kResults, write)}, 2e6),
      task("all", "RANGE_CLEAR", "clear", "ZERO_GRAD", kGpuUpdate, {access(kGradients, write)}, 0),
      task("all", "RANGE_SGD_UPDATE", "update", "OPTIMIZER", kGpuUpdate,
           {access(kGradients, read), access(kWeights, update)}, 1e5),
      task("metrics", "D2H_COPY", "copy", "OPTIMIZER", kGpuUpdate, {access(kResults, read)}, 0),
  };
  trace.activities = {moved(ActivityKind::memcpy, "Memcpy HtoD (Pinned -> Device)", 64000),
                      kernel("gemm_fwd", 66, 0.25),
                      kernel("bias", 264, 1),
                      kernel("gemm_bwd", 132, 0.25),
                      kernel("reduce", 33, 1),
                      moved(ActivityKind::memset, "Memset (Device)", 4096),
                      kernel("sgd", 132, 0.5),
                      kernel("cast", 66, 0.5),
                      moved(ActivityKind::memcpy, "Memcpy DtoH (Device -> Pinned)", 64)};
  const TraceEdge clear_first{kGpuClear, kGpuBwd, "conflict", "clear comes first"};
  const TraceEdge bwd_first{kGpuBwd, kGpuOpt, "conflict", "bwd comes first"};
  const TraceEdge fwd_first{kGpuFwd, kGpuCopy, "conflict", "fwd reads the batch"};
  switch (mode) {
    case GpuStepMode::whole_step:
      trace.graphs = {{"STEP@train",
                       LaneId(kGpuComp),
                       {kGpuClear, kGpuFwd, kGpuBwd, kGpuCopy, kGpuOpt, kGpuResults},
                       {clear_first, bwd_first, fwd_first},
                       false}};
      return;
    case GpuStepMode::sub_graphs:
      trace.graphs = {{"ZERO_GRAD@train", LaneId(kGpuUpdate), {kGpuClear}, {}, false},
                      {"DEEP@train", LaneId(kGpuComp), {kGpuFwd, kGpuBwd}, {}, false},
                      {"TRANSFER_A@train", LaneId(kGpuTrans), {kGpuCopy}, {}, false},
                      {"OPTIMIZER@train", LaneId(kGpuUpdate), {kGpuOpt, kGpuResults}, {}, false}};
      return;
  }
}

/// One device activity of a step: offsets from the step's base.
struct Row {
  std::uint32_t task;
  std::uint32_t activity;
  std::uint16_t lane;
  std::uint16_t queue;
  std::int64_t begin;
  std::int64_t end;
  std::uint32_t graph;  ///< of the sub-graphs
};

constexpr auto kRows = std::to_array<Row>({
    {kGpuClear, kFill, kGpuUpdate, 5, 500, 700, 0},
    {kGpuFwd, kFwdGemm, kGpuComp, 4, 1000, 2000, 1},
    {kGpuFwd, kFwdBias, kGpuComp, 4, 2100, 2600, 1},
    {kGpuBwd, kBwdGemm, kGpuComp, 5, 2600, 4600, 1},
    {kGpuCopy, kCopyIn, kGpuTrans, 6, 3000, 4000, 2},
    {kGpuBwd, kBwdReduce, kGpuComp, 4, 4500, 5000, 1},
    {kGpuOpt, kSgd, kGpuUpdate, 4, 5500, 6000, 3},
    {kGpuOpt, kCast, kGpuUpdate, 5, 6200, 6700, 3},
    {kGpuResults, kCopyOut, kGpuUpdate, 6, 7000, 7200, 3},
});

/// Work of one step is joined with its launch by these.
std::uint32_t correlation_of(GpuStepMode mode, std::int32_t step, std::uint32_t graph) {
  const auto first = 100 * (static_cast<std::uint32_t>(step) + 1);
  return mode == GpuStepMode::whole_step ? first : first + graph;
}

void add_step(Trace& trace, GpuStepMode mode, std::int32_t step) {
  const std::int64_t base = kPeriod * step;
  TraceStep record;
  record.step = step;
  record.phase = "train";
  record.shape = "train";
  record.batch = 16;
  record.begin_ns = base + 500;
  record.end_ns = base + 7200;
  trace.steps.push_back(record);
  for (const Row& row : kRows) {
    append_span(trace.spans, {base + row.begin, base + row.end, -1, row.task,
                              row.task == kGpuCopy ? step + 1 : step, row.lane, row.queue,
                              row.activity, correlation_of(mode, step, row.graph), row.queue});
  }
  const auto launch = [&](std::uint32_t graph, std::uint16_t lane, std::int64_t begin,
                          std::int64_t end) {
    trace.launches.push_back(
        {graph, LaneId(lane), step, base + begin, base + end, correlation_of(mode, step, graph)});
  };
  const auto wait = [&](const char* kind, const char* target, std::int64_t begin,
                        std::int64_t end) {
    trace.host_waits.push_back({LaneId(kGpuHost), step, kind, target, base + begin, base + end});
  };
  switch (mode) {
    case GpuStepMode::whole_step:
      launch(0, kGpuComp, -5000, -4400);
      return;
    case GpuStepMode::sub_graphs:
      launch(0, kGpuUpdate, -100, 400);
      launch(1, kGpuComp, 400, 950);
      wait("host_wait", "batch_readable", 1000, 2650);
      launch(2, kGpuTrans, 2650, 2950);
      wait("host_sync", "COMP", 2960, 5050);
      launch(3, kGpuUpdate, 5060, 5450);
      wait("host_sync", "UPDATE", 5460, 7250);
      return;
  }
}

}  // namespace

Trace gpu_trace(GpuStepMode mode) {
  Trace trace;
  add_plan(trace, mode);
  for (std::int32_t step = 0; step < kSteps; ++step)
    add_step(trace, mode, step);
  return trace;
}

Trace imported_trace() {
  Trace trace;
  trace.provenance = {{"executor", "imported"}, {"source_format", "chrome_json"}};
  trace.lanes = {{LaneId(0), "GPU 0 stream 7", LaneKind::stream, 0, 0, 0},
                 {LaneId(1), "GPU 0 stream 8", LaneKind::stream, 0, 0, 0},
                 {LaneId(2), "host 1/1", LaneKind::host, 0, 0, 0}};
  const auto named = [&trace](const char* name, const char* kind, std::uint32_t lane,
                              TraceActivity activity) {
    TraceTask task;
    task.name = name;
    task.op_kind = kind;
    task.policy_lane = LaneId(lane);
    task.placement_reason = "imported";
    trace.tasks.push_back(task);
    activity.name = name;
    trace.activities.push_back(std::move(activity));
  };
  TraceActivity range;
  range.kind = ActivityKind::host_range;
  TraceActivity call;
  call.kind = ActivityKind::api_call;
  named("gemm", "KERNEL", 0, kernel("gemm", 66, 0.5));
  named("relu", "KERNEL", 0, kernel("relu", 132, 1));
  named("Memcpy HtoD (Pinned -> Device)", "MEMCPY_HTOD", 1, moved(ActivityKind::memcpy, "", 1000));
  named("ProfilerStep", "HOST_RANGE", 2, range);
  named("cudaLaunchKernel", "API_CALL", 2, call);
  for (std::int32_t step = 0; step < 2; ++step) {
    const std::int64_t base = 1000 * step;
    TraceStep record;
    record.step = step;
    record.phase = "train";
    record.shape = "imported";
    record.begin_ns = base;
    record.end_ns = base + 1000;
    trace.steps.push_back(record);
    const auto first = 10 * (static_cast<std::uint32_t>(step) + 1);
    const auto add = [&](std::uint32_t task, std::uint16_t lane, std::int64_t begin,
                         std::int64_t end, std::uint32_t correlation) {
      append_span(trace.spans,
                  {base + begin, base + end, -1, task, step, lane, lane, task, correlation});
    };
    add(3, 2, 0, 1000, 0);
    add(4, 2, 50, 60, first);
    add(2, 1, 100, 300, first);
    add(4, 2, 150, 160, first + 1);
    add(4, 2, 170, 180, first + 2);
    add(0, 0, 200, 400, first + 1);
    add(1, 0, 450, 500, first + 2);
    add(4, 2, 550, 610, first + 3);
    add(0, 0, 600, step == 0 ? 900 : 1100, first + 3);
  }
  return trace;
}

}  // namespace quintet
