#include "tests/support/tiny_trace.h"

#include "profiler/trace/trace_batch.h"

namespace quintet {

namespace {

constexpr RegionId kFeatures{0};
constexpr RegionId kWeights{1};
constexpr RegionId kGradients{2};
constexpr RegionId kBatch{3};
constexpr std::int32_t kSteps = 5;

Access access(RegionId region, std::uint64_t offset, AccessMode mode) {
  Access result;
  result.region = region;
  result.offset = offset;
  result.bytes = 64;
  result.mode = mode;
  return result;
}

TraceTask task(std::string layer, std::string kind, std::string part, std::string graph,
               StreamKind stream, std::vector<Access> accesses) {
  TraceTask result;
  result.name = layer + "/" + kind + "/" + part;
  result.layer = std::move(layer);
  result.op_kind = std::move(kind);
  result.part = std::move(part);
  result.graph = std::move(graph);
  result.shape = "train";
  result.policy_lane = lane_of(stream);
  result.accesses = std::move(accesses);
  result.flops = 1000;
  result.bytes = 128;
  return result;
}

Trace tiny_plan() {
  Trace trace;
  trace.lanes = runtime_lanes();
  trace.provenance = {{"scenario", "tiny"},
                      {"policy", "renaissance"},
                      {"executor", "host"},
                      {"lowering", "article"}};
  trace.regions = {{kFeatures, RegionKind::FEATURES, std::nullopt, 128, 0},
                   {kWeights, RegionKind::DEEP_WEIGHTS, std::nullopt, 64, 0},
                   {kGradients, RegionKind::DEEP_GRADIENTS, std::nullopt, 64, 0},
                   {kBatch, RegionKind::HOST_BATCH_A, std::nullopt, 64, 0}};
  trace.tasks = {
      task("data", "H2D_COPY", "copy", "TRANSFER_A", StreamKind::TRANS,
           {access(kBatch, 0, AccessMode::read)}),
      task("fc1", "FC_FP32_FWD", "Y", "DEEP_FWD_BWD", StreamKind::COMP_1,
           {access(kWeights, 0, AccessMode::read), access(kFeatures, 0, AccessMode::write)}),
      task("fc1", "FC_FP32_BWD", "dW", "DEEP_FWD_BWD", StreamKind::COMP_1,
           {access(kFeatures, 0, AccessMode::read), access(kGradients, 0, AccessMode::write)}),
      task("fc1", "FC_FP32_BWD", "dX", "DEEP_FWD_BWD", StreamKind::COMP_3,
           {access(kFeatures, 0, AccessMode::read), access(kWeights, 0, AccessMode::read),
            access(kFeatures, 64, AccessMode::write)}),
      task("all", "RANGE_SGD_UPDATE", "update", "OPTIMIZER", StreamKind::UPDATE,
           {access(kGradients, 0, AccessMode::read), access(kWeights, 0, AccessMode::update)}),
  };
  trace.graphs = {
      {"TRANSFER_A@train", lane_of(StreamKind::TRANS), {0}, {}, false},
      {"DEEP_FWD_BWD@train",
       lane_of(StreamKind::COMP_1),
       {1, 2, 3},
       {{1, 3, "conflict", "fc1/FC_FP32_FWD/Y writes what dX reads"}},
       false},
      {"OPTIMIZER", lane_of(StreamKind::UPDATE), {4}, {}, false},
  };
  return trace;
}

void add_span(Trace& trace, std::uint32_t task, std::int32_t step, LaneId lane, std::int64_t begin,
              std::int64_t end) {
  const auto on = static_cast<std::uint16_t>(lane.value());
  append_span(trace.spans, {begin, end, (end - begin) / 2, task, step, on, on});
}

void add_step(Trace& trace, std::int32_t step, std::int64_t begin, std::int64_t end) {
  TraceStep record;
  record.step = step;
  record.phase = "train";
  record.shape = "train";
  record.slot = step % 2 == 0 ? "A" : "B";
  record.batch = 4;
  record.begin_ns = begin;
  record.end_ns = end;
  record.loss = 2.0 / (step + 1);
  record.correct = step;
  record.learning_rate = 0.1;
  trace.steps.push_back(std::move(record));
}

}  // namespace

Trace tiny_trace() {
  Trace trace = tiny_plan();
  const LaneId trans = lane_of(StreamKind::TRANS);
  const LaneId comp_1 = lane_of(StreamKind::COMP_1);
  const LaneId update = lane_of(StreamKind::UPDATE);
  const LaneId main = lane_of(HostActor::MAIN);
  for (std::int32_t step = 0; step < kSteps; ++step) {
    const std::int64_t base = 1000 * step;
    add_step(trace, step, base, base + 1000);
    add_span(trace, 0, step + 1, trans, base + 100, base + 300);
    add_span(trace, 1, step, comp_1, base + 200, base + 500);
    add_span(trace, 2, step, comp_1, base + 500, base + 650);
    add_span(trace, 3, step, lane_of(StreamKind::COMP_3), base + 600, base + 800);
    add_span(trace, 4, step, update, base + 800, base + 900);
    trace.launches.push_back({0, trans, step, base + 20, base + 60});
    trace.launches.push_back({1, comp_1, step, base + 50, base + 150});
    trace.launches.push_back({2, update, step, base + 560, base + 600});
    trace.host_waits.push_back({main, step, "host_sync", "UPDATE", base, base + 40});
    trace.host_waits.push_back({main, step, "host_wait", "batch_readable", base + 60, base + 80});
  }
  return trace;
}

Trace tiny_serial_trace() {
  Trace trace = tiny_plan();
  trace.provenance["policy"] = "serial";
  const LaneId comp_1 = lane_of(StreamKind::COMP_1);
  for (TraceTask& each : trace.tasks)
    each.policy_lane = comp_1;
  for (std::int32_t step = 0; step < kSteps; ++step) {
    const std::int64_t base = 1250 * step;
    add_step(trace, step, base, base + 1250);
    add_span(trace, 0, step + 1, comp_1, base + 100, base + 250);
    add_span(trace, 1, step, comp_1, base + 250, base + 500);
    add_span(trace, 2, step, comp_1, base + 500, base + 600);
    add_span(trace, 3, step, comp_1, base + 600, base + 800);
    add_span(trace, 4, step, comp_1, base + 800, base + 900);
  }
  return trace;
}

}  // namespace quintet
