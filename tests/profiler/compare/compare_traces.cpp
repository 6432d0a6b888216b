#include "tests/profiler/compare/compare_traces.h"

#include "profiler/trace/trace_batch.h"
#include "runtime/model/lane.h"

namespace quintet {

namespace {

constexpr std::int64_t kStepNs = 1000;

TraceStep train_step(int step) {
  TraceStep record;
  record.step = step;
  record.phase = "train";
  record.shape = "train";
  record.batch = 4;
  record.begin_ns = step * kStepNs;
  record.end_ns = (step + 1) * kStepNs;
  return record;
}

std::uint32_t task_named(Trace& trace, const std::string& name) {
  for (std::uint32_t task = 0; task < trace.tasks.size(); ++task) {
    if (trace.tasks[task].name == name) return task;
  }
  TraceTask task;
  task.name = name;
  task.op_kind = "KERNEL";
  trace.tasks.push_back(std::move(task));
  return static_cast<std::uint32_t>(trace.tasks.size() - 1);
}

TraceTask lowered(const std::string& name, std::vector<std::string> covers) {
  TraceTask task;
  task.name = name;
  task.layer = name.substr(0, name.find('/'));
  task.op_kind = "CONV_FP32_FWD";
  task.graph = "DEEP_FWD_BWD";
  task.shape = "train";
  task.policy_lane = lane_of(StreamKind::COMP_1);
  task.covers = std::move(covers);
  return task;
}

}  // namespace

Trace imported_trace(const std::vector<ImportedKernel>& kernels, int steps) {
  Trace trace;
  trace.provenance = {{"source_format", "kineto"}, {"executor", "imported"}};
  trace.lanes = runtime_lanes();
  for (int step = 0; step < steps; ++step) {
    trace.steps.push_back(train_step(step));
    for (const ImportedKernel& kernel : kernels) {
      Span span;
      span.begin_ns = step * kStepNs + kernel.begin_ns;
      span.end_ns = span.begin_ns + kernel.length_ns;
      span.task = task_named(trace, kernel.name);
      span.activity = static_cast<std::uint32_t>(trace.activities.size());
      TraceActivity activity;
      activity.name = kernel.name;
      if (kernel.node != 0) activity.graph_node = kernel.node;
      trace.activities.push_back(std::move(activity));
      append_span(trace.spans, span);
    }
  }
  return trace;
}

Trace lowered_trace(bool fused, std::int64_t fused_ns) {
  const std::string convolution = "conv1/CONV_FP32_FWD/Y";
  const std::string activation = "relu1/RELU_FP32_FWD/Y";
  Trace trace;
  trace.provenance = {{"scenario", "tiny"}, {"lowering", fused ? "fused" : "article"}};
  trace.lanes = runtime_lanes();
  if (fused) {
    trace.tasks = {lowered(convolution, {convolution, activation})};
  } else {
    trace.tasks = {lowered(convolution, {convolution}), lowered(activation, {activation})};
  }
  const auto lane = static_cast<std::uint16_t>(lane_of(StreamKind::COMP_1).value());
  for (int step = 0; step < 10; ++step) {
    trace.steps.push_back(train_step(step));
    const std::int64_t begin = step * kStepNs + 10;
    if (fused) {
      append_span(trace.spans, {begin, begin + fused_ns, -1, 0, step, lane, lane});
    } else {
      append_span(trace.spans, {begin, begin + 300, -1, 0, step, lane, lane});
      append_span(trace.spans, {begin + 310, begin + 410, -1, 1, step, lane, lane});
    }
  }
  return trace;
}

RecordingSample sampled(const Trace& trace, const std::string& file) {
  SampleOptions options;
  options.by = alignment_of(trace, trace);
  return sample_recording(trace, file, options);
}

}  // namespace quintet
