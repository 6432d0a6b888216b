#include "profiler/analysis/span_class.h"

#include <gtest/gtest.h>

#include "profiler/trace/trace_batch.h"

namespace quintet {
namespace {

SpanClass classify(std::string kind, std::string graph, LaneId lane = lane_of(StreamKind::COMP_1)) {
  TraceTask task;
  task.op_kind = std::move(kind);
  task.graph = std::move(graph);
  task.policy_lane = lane;
  return class_of(task, runtime_lanes());
}

TEST(SpanClass, IsToldFromTheTaskNotFromItsLane) {
  EXPECT_EQ(classify("H2D_COPY", "TRANSFER_A"), SpanClass::transfer);
  EXPECT_EQ(classify("H2D_COPY", "LR_TRANSFER_B"), SpanClass::transfer);
  EXPECT_EQ(classify("RANGE_SUM_ALLREDUCE", "DEEP_COMM"), SpanClass::comm);
  EXPECT_EQ(classify("RANGE_BN_STATS_ALLREDUCE", "STATS_COMM"), SpanClass::comm);
  EXPECT_EQ(classify("CONV_FP32_BWD", "DEEP_FWD_BWD"), SpanClass::compute);
}

TEST(SpanClass, KnowsEverySubGraphOfTheUpdate) {
  for (const char* graph : {"OPTIMIZER", "LARS_FC_OPT", "LARS_FIRST_CONV_OPT", "LARS_DEEP_CONV_OPT",
                            "EMA_UPDATE", "CAST_MAIN_FP32_TO_FP16", "CAST_DEEP_GRAD_FP16_TO_FP32",
                            "ZERO_GRAD", "METRICS_A", "METRICS_B", "NAN_CHECK_AND_GRAD_SCALING",
                            "UPDATE_STATS", "UPDATE_BN_INF_PARAMS", "LR_SELECT"}) {
    EXPECT_EQ(classify("RANGE_CLEAR", graph), SpanClass::update) << graph;
  }
}

SpanClass classify_imported(std::string kind, std::string name) {
  TraceTask task;
  task.op_kind = std::move(kind);
  task.name = std::move(name);
  return class_of(task, runtime_lanes());
}

TEST(SpanClass, ImportedCopiesAreTransferUnlessTheyStayWithinTheDevice) {
  EXPECT_EQ(classify_imported("MEMCPY_HTOD", "Memcpy HtoD (Pinned -> Device)"),
            SpanClass::transfer);
  EXPECT_EQ(classify_imported("MEMCPY_DTOH", ""), SpanClass::transfer);
  EXPECT_EQ(classify_imported("MEMCPY_PTOP", ""), SpanClass::transfer);
  EXPECT_EQ(classify_imported("MEMCPY", "Memcpy"), SpanClass::transfer);
  EXPECT_EQ(classify_imported("MEMCPY_DTOD", ""), SpanClass::compute);
  EXPECT_EQ(classify_imported("MEMSET", "Memset (Device)"), SpanClass::compute);
}

TEST(SpanClass, KernelsOfNcclAreCommunication) {
  EXPECT_EQ(classify_imported("KERNEL", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclArgs)"),
            SpanClass::comm);
  EXPECT_EQ(classify_imported("KERNEL", "void ncclKernel<1>()"), SpanClass::comm);
  EXPECT_EQ(classify_imported("KERNEL", "void myncclish_kernel()"), SpanClass::compute);
  EXPECT_EQ(classify_imported("KERNEL", "ampere_sgemm_128x64_tn"), SpanClass::compute);
}

TEST(SpanClass, NamedRangesAndCallsAreHostWork) {
  EXPECT_EQ(classify_imported("HOST_RANGE", "aten::linear"), SpanClass::host);
  EXPECT_EQ(classify_imported("API_CALL", "cudaLaunchKernel"), SpanClass::host);
}

/// One task that did the given activities, one span each.
Trace trace_of(const char* op_kind, const std::vector<TraceActivity>& activities) {
  Trace trace;
  trace.lanes = runtime_lanes();
  TraceTask task;
  task.op_kind = op_kind;
  task.policy_lane = lane_of(StreamKind::COMP_1);
  trace.tasks = {task};
  trace.activities = activities;
  for (std::uint32_t activity = 0; activity < activities.size(); ++activity) {
    Span span;
    span.begin_ns = 10 * activity;
    span.end_ns = span.begin_ns + 5;
    span.activity = activity;
    append_span(trace.spans, span);
  }
  return trace;
}

TraceActivity activity(ActivityKind kind, const char* name) {
  TraceActivity result;
  result.kind = kind;
  result.name = name;
  return result;
}

TEST(SpanClass, OfACopyIsTransferWhateverItsOpIsCalled) {
  const TraceActivity upload = activity(ActivityKind::memcpy, "Memcpy HtoD");
  const TraceActivity inside = activity(ActivityKind::memcpy, "Memcpy DtoD");
  const TraceActivity kernel = activity(ActivityKind::kernel, "saxpy");
  const Trace mixed = trace_of("SAXPY", {upload, kernel, inside});
  const auto classes = task_classes(mixed);
  EXPECT_EQ(classes[0], SpanClass::compute);
  EXPECT_EQ(class_of_span(mixed, classes, 0), SpanClass::transfer);
  EXPECT_EQ(class_of_span(mixed, classes, 1), SpanClass::compute);
  EXPECT_EQ(class_of_span(mixed, classes, 2), SpanClass::compute);
  EXPECT_EQ(task_classes(trace_of("UPLOAD", {upload, upload}))[0], SpanClass::transfer);
  EXPECT_EQ(task_classes(trace_of("SHUFFLE", {inside}))[0], SpanClass::compute);
}

TEST(SpanClass, OfACopyIsWhatItsTaskSaysWhereThatIsMoreThanCompute) {
  const TraceActivity upload = activity(ActivityKind::memcpy, "Memcpy HtoD");
  const Trace reduce = trace_of("RANGE_SUM_ALLREDUCE", {upload});
  EXPECT_EQ(class_of_span(reduce, task_classes(reduce), 0), SpanClass::comm);
  Trace update = trace_of("SGD", {upload});
  update.tasks[0].graph = "OPTIMIZER";
  EXPECT_EQ(class_of_span(update, task_classes(update), 0), SpanClass::update);
}

TEST(SpanClass, TasksOfHostLanesAreHostWork) {
  EXPECT_EQ(classify("HOST_FILL_BATCH", "HOST_FILL_A"), SpanClass::host);
  EXPECT_EQ(classify("METRICS", "METRICS_A", lane_of(HostActor::MAIN)), SpanClass::host);
}

}  // namespace
}  // namespace quintet
