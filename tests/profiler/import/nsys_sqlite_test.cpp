// What Nsight Systems exports of schema 3.16.1 and 3.28.1 tell.

#include "profiler/import/nsys_sqlite.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "profiler/import/import.h"
#include "profiler/import/nsys_device_tables.h"
#include "tests/profiler/import/nsys_export.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class NsysSchema : public testing::TestWithParam<NsysExport::Schema> {
 protected:
  NsysExport exported{GetParam()};
};

TEST_P(NsysSchema, ReadsKernelsWithTheirShapeAndLaunch) {
  exported.call({100, 110, 5}).kernel({120, 150, 5});
  const NsysImported run = imported(exported);
  ASSERT_EQ(run.trace.spans.size(), 2U);
  EXPECT_TRUE(run.trace.findings.empty() || run.trace.findings.front().severity == Severity::info);
  const TraceActivity& gemm = run.activity("gemm");
  EXPECT_EQ(gemm.kind, ActivityKind::kernel);
  EXPECT_EQ(gemm.launch, (LaunchShape{{132, 2, 1}, {256, 1, 1}, 40, 1024, 65536, std::nullopt}));
  EXPECT_EQ(run.lane_of("gemm"), "GPU 0 stream 7");
  EXPECT_EQ(run.activity("cudaLaunchKernel_v7000").kind, ActivityKind::api_call);
  EXPECT_EQ(run.lane_of("cudaLaunchKernel_v7000"), "host 4711/4712");
  EXPECT_EQ(run.trace.spans.begin_ns[run.span("gemm")], 120);
  EXPECT_EQ(run.trace.spans.end_ns[run.span("gemm")], 150);
  EXPECT_EQ(run.trace.spans.correlation[run.span("gemm")],
            run.trace.spans.correlation[run.span("cudaLaunchKernel_v7000")]);
  EXPECT_EQ(run.file.format, "nsys_sqlite");
  EXPECT_EQ(run.category("CUPTI_ACTIVITY_KIND_KERNEL").drawn, 1);
}

TEST_P(NsysSchema, KeepsEveryNodeOfAGraphLaunch) {
  exported.call({100, 110, 9, "cudaGraphLaunch_v10000"});
  for (int node = 0; node < 31; ++node) {
    exported.kernel({200 + node * 10, 209 + node * 10, 9, (3LL << 32) | (node + 1)});
  }
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.spans_of(ActivityKind::kernel), 31);
  EXPECT_EQ(run.spans_of(ActivityKind::api_call), 1);
  EXPECT_EQ(run.trace.activities.size(), 32U);
  EXPECT_EQ(run.trace.provenance.at("graph_node_ids"), "carried");
  EXPECT_EQ(run.counted("graph_nodes_not_recorded"), 0);
  const std::uint32_t launch = run.trace.spans.correlation[run.span("cudaGraphLaunch_v10000")];
  EXPECT_THAT(run.trace.spans.correlation, testing::Each(launch));
}

TEST_P(NsysSchema, ReadsCopiesAndFills) {
  exported.table("MEMCPY").table("MEMSET").sql(fmt::format(
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY(start, end, deviceId, contextId, streamId, "
      "correlationId, globalPid, bytes, copyKind, srcKind, dstKind) "
      "VALUES (10, 20, 0, 1, 13, 1, {0}, 4096, 1, 1, 2);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET(start, end, deviceId, contextId, streamId, "
      "correlationId, globalPid, value, bytes, memKind, graphNodeId) "
      "VALUES (30, 40, 0, 1, 13, 2, {0}, 0, 512, 2, 77)",
      kNsysProcess));
  const NsysImported run = imported(exported);
  const TraceActivity& copy = run.activity("Memcpy HtoD (Pinned -> Device)");
  EXPECT_EQ(copy.kind, ActivityKind::memcpy);
  EXPECT_EQ(copy.bytes, 4096U);
  const TraceActivity& fill = run.activity("Memset (Device)");
  EXPECT_EQ(fill.kind, ActivityKind::memset);
  EXPECT_EQ(fill.bytes, 512U);
  EXPECT_EQ(fill.graph_node, 77U);
  EXPECT_EQ(run.trace.tasks[run.trace.spans.task[0]].op_kind, "MEMCPY_HTOD");
  EXPECT_EQ(run.lane_of("Memset (Device)"), "GPU 0 stream 13");
}

TEST_P(NsysSchema, ReadsWholeGraphsAndSaysThatTheirInsideIsUnknown) {
  exported.call({100, 110, 9, "cudaGraphLaunch_v10000"})
      .table("GRAPH_TRACE")
      .sql(fmt::format(
          "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start, end, deviceId, contextId, streamId, "
          "correlationId, globalPid, graphId, graphExecId) "
          "VALUES (200, 900, 0, 1, 7, 9, {}, 4, 6)",
          kNsysProcess));
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.activity("CUDA graph 4 (executable 6)").kind, ActivityKind::graph);
  EXPECT_EQ(run.counted("graph_nodes_not_recorded"), 1);
  EXPECT_EQ(run.trace.provenance.at("graph_node_ids"), "unknown");
}

INSTANTIATE_TEST_SUITE_P(Versions, NsysSchema,
                         testing::Values(NsysExport::Schema::v3_16, NsysExport::Schema::v3_28),
                         [](const auto& version) {
                           return version.param == NsysExport::Schema::v3_16 ? "Of3_16" : "Of3_28";
                         });

TEST(NsysGraphNodes, ThatAreNullThroughoutAreAbsentWhereNoGraphWasLaunched) {
  NsysExport exported;
  exported.call({1, 2, 5}).kernel({3, 4, 5});
  EXPECT_EQ(imported(exported).trace.provenance.at("graph_node_ids"), "none");
}

TEST(NsysGraphNodes, ThatAreNullThroughoutAreUnknownWhereGraphsWereLaunched) {
  NsysExport exported;
  exported.call({1, 2, 5}).kernel({3, 4, 5}).call({5, 6, 6, "cudaGraphLaunch_v10000"});
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.trace.provenance.at("graph_node_ids"), "unknown");
  EXPECT_EQ(run.counted("graph_nodes_not_recorded"), 1);
}

TEST(NsysGraphNodes, OfATableWithoutTheColumnAreUnknown) {
  NsysExport exported;
  exported.sql(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, globalPid, "
      "demangledName);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 7, 16777216, 1)");
  EXPECT_EQ(imported(exported).trace.provenance.at("graph_node_ids"), "unknown");
}

TEST(NsysGraphNodes, LeadToTheNodeThatWasCaptured) {
  NsysExport exported;
  exported.kernel({3, 4, 5, 30}).kernel({5, 6, 5, 40, 7, 0, kNsysProcess, "relu"});
  // 10 was cloned to 20, that to 30; another process has a node 40 as well.
  exported.table("GRAPH_NODES")
      .sql(fmt::format("INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES (1, 1, 0, {0}, 1, 10, NULL), "
                       "(1, 1, 0, {0}, 1, 20, 10), (1, 1, 0, {0}, 1, 30, 20), "
                       "(1, 1, 0, {1}, 1, 40, 11)",
                       kNsysThread, kNsysThread + (1LL << 24)));
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.activity("gemm").graph_node, 30U);
  EXPECT_EQ(run.activity("gemm").captured_node, 10U);
  EXPECT_EQ(run.activity("relu").captured_node, std::nullopt);
}

TEST(NsysGraphNodes, WhoseClonesGoInACircleAreReadAllTheSame) {
  NsysExport exported;
  exported.kernel({3, 4, 5, 30}).table("GRAPH_NODES");
  exported.sql(
      fmt::format("INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES (1, 1, 0, {0}, 1, 30, 20), "
                  "(1, 1, 0, {0}, 1, 20, 30)",
                  kNsysThread));
  EXPECT_EQ(imported(exported).spans_of(ActivityKind::kernel), 1);
}

TEST(NsysLaunches, WithoutAnyDeviceWorkAreAnError) {
  NsysExport exported;
  exported.call({1, 2, 5}).call({3, 4, 6});
  EXPECT_EQ(imported(exported).counted("no_device_work"), 2);
}

TEST(NsysRanges, AreDrawnWhetherPushedOrStarted) {
  NsysExport exported;
  exported.range({10, 90, "epoch", 59}).range({20, 120, "prefetch", 60});
  exported.range({30, std::nullopt, "mark", 34}).range({0, std::nullopt, "category", 33});
  exported.sql("UPDATE NVTX_EVENTS SET text = 'inline', textId = NULL WHERE start = 20");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.trace.spans.size(), 2U);
  EXPECT_EQ(run.activity("epoch").kind, ActivityKind::host_range);
  EXPECT_EQ(run.lane_of("epoch"), "host 4711/4712");
  EXPECT_EQ(run.lane_of("inline"), "host 4711/4712 started ranges");
  EXPECT_EQ(run.category("NVTX_EVENTS").read, 4);
  EXPECT_EQ(run.category("NVTX_EVENTS").drawn, 2);
  EXPECT_EQ(run.counted("open_ranges"), 0);
}

TEST(NsysRanges, StartedOnOneThreadAndEndedOnAnotherLieBesideTheFirst) {
  constexpr std::int64_t kOther = kNsysProcess | 4713;
  NsysExport exported;
  exported.range({10, 90, "job", 60}).range({20, 30, "step 1", 60, kOther}).range({5, 95, "main"});
  exported.sql(fmt::format("UPDATE NVTX_EVENTS SET endGlobalTid = {} WHERE start = 10", kOther));
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.lane_of("job"), "host 4711/4712 started ranges");
  EXPECT_EQ(run.lane_of("step 1"), "host 4711/4713 started ranges");
  EXPECT_EQ(run.lane_of("main"), "host 4711/4712");
  EXPECT_EQ(run.trace.steps.at(0).step, 1);
  EXPECT_EQ(run.trace.clocks.size(), 1U);
}

TEST(NsysRanges, ThatNeverEndLastToTheEndOfTheRecording) {
  NsysExport exported;
  exported.range({10, std::nullopt, "open"}).range({20, 90, "closed"}).kernel({100, 250});
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.trace.spans.end_ns[run.span("open (open)")], 250);
  EXPECT_EQ(run.counted("open_ranges"), 1);
  EXPECT_EQ(run.category("NVTX_EVENTS").read, 2);
  EXPECT_EQ(run.category("NVTX_EVENTS").drawn, 2);
}

TEST(NsysRanges, ThatNameStepsBecomeSteps) {
  NsysExport exported;
  exported.range({100, 200, "step 3"}).range({200, 300, "step 4"}).range({0, 400, "epoch"});
  exported.call({110, 115, 1}).kernel({210, 220, 1});
  const NsysImported run = imported(exported);
  ASSERT_EQ(run.trace.steps.size(), 2U);
  EXPECT_EQ(run.trace.steps[0].step, 3);
  EXPECT_EQ(run.trace.steps[0].end_ns, 200);
  // Work belongs to the step that launched it.
  EXPECT_EQ(run.trace.spans.step[run.span("gemm")], 3);
}

TEST(NsysRanges, OfOurOwnDomainAreTheStepsThatTheirPayloadNumbers) {
  NsysExport exported;
  exported.range({100, 200, "step", 60}).range({150, 260, "step", 60}).range({90, 300, "step 9"});
  exported.range({1, std::nullopt, "quintet", 75});
  exported.sql(
      "ALTER TABLE NVTX_EVENTS ADD COLUMN int64Value INTEGER;"
      "UPDATE NVTX_EVENTS SET domainId = 3 WHERE eventType IN (60, 75);"
      "UPDATE NVTX_EVENTS SET int64Value = start / 50 WHERE eventType = 60");
  exported.call({110, 115, 1}).kernel({210, 220, 1});
  const NsysImported run = imported(exported);
  ASSERT_EQ(run.trace.steps.size(), 2U);
  EXPECT_EQ(run.trace.steps[0].step, 2);
  EXPECT_EQ(run.trace.steps[1].step, 3);
  EXPECT_EQ(run.trace.spans.step[run.span("gemm")], 2);
  EXPECT_EQ(run.counted("other_step_marks"), 1);
}

TEST(NsysRanges, OfOtherDomainsAreNoStepsByTheirPayload) {
  NsysExport exported;
  exported.range({100, 200, "step", 60}).range({1, std::nullopt, "other", 75});
  exported.sql(
      "ALTER TABLE NVTX_EVENTS ADD COLUMN int64Value INTEGER;"
      "UPDATE NVTX_EVENTS SET int64Value = 4 WHERE eventType = 60");
  EXPECT_EQ(imported(exported).counted("no_steps"), 1);
}

TEST(NsysClock, CountsFromTheStartOfTheSession) {
  NsysExport exported;
  exported.kernel({100, 250})
      .sql(
          "CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER, utcTime TEXT);"
          "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1795980990000000007, 'then')");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.trace.spans.begin_ns[0], 1795980990000000107);
  EXPECT_EQ(run.trace.provenance.at("clock_realtime_offset_ns"), "0");
}

TEST(NsysTimes, ThatWereNotRecordedAreListedAsUntimed) {
  NsysExport exported;
  exported.kernel({0, 0, 5}).kernel({90, 80, 6}).kernel({100, 100, 7});
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.trace.spans.size(), 1U);
  EXPECT_EQ(run.trace.untimed.size(), 2U);
  EXPECT_EQ(run.counted("untimed_activities"), 1);
  EXPECT_EQ(run.counted("negative_duration"), 1);
  EXPECT_EQ(run.category("CUPTI_ACTIVITY_KIND_KERNEL").read, 3);
  EXPECT_EQ(run.category("CUPTI_ACTIVITY_KIND_KERNEL").drawn, 1);
}

TEST(NsysTimes, BeforeTheLaunchAreKeptAndCounted) {
  NsysExport exported;
  exported.call({100, 110, 5}).kernel({90, 120, 5});
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.spans_of(ActivityKind::kernel), 1);
  EXPECT_EQ(run.counted("negative_launch_latency"), 1);
}

TEST(NsysIds, MeanSomethingInsideTheirProcessOnly) {
  constexpr std::int64_t kOther = (1LL << 56) | (4800LL << 24);
  NsysExport exported;
  exported.call({10, 11, 1}).kernel({20, 30, 1});
  exported.call({15, 16, 1, "cuLaunchKernelEx", kOther | 4800});
  exported.kernel({25, 35, 1, std::nullopt, 7, 0, kOther, "relu"});
  const NsysImported run = imported(exported);
  const auto correlation = [&](const char* name) {
    return run.trace.spans.correlation[run.span(name)];
  };
  EXPECT_EQ(correlation("gemm"), correlation("cudaLaunchKernel_v7000"));
  EXPECT_EQ(correlation("relu"), correlation("cuLaunchKernelEx"));
  EXPECT_NE(correlation("gemm"), correlation("relu"));
  EXPECT_NE(run.lane_of("gemm"), run.lane_of("relu"));
  EXPECT_EQ(run.counted("ambiguous_correlation"), 0);
}

TEST(NsysIds, OfStreamsMeanSomethingInsideTheirContextOnly) {
  NsysExport exported;
  exported.kernel({20, 30, 1}).kernel({25, 35, 2, std::nullopt, 7, 0, kNsysProcess, "relu"});
  exported.sql("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET contextId = 1 + (start = 25)");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.lane_of("gemm"), "GPU 0 stream 7");
  EXPECT_EQ(run.lane_of("relu"), "GPU 0 stream 7 (context 2)");
}

TEST(NsysOverhead, IsDrawnOnItsThreadAndToldFromRanges) {
  NsysExport exported;
  exported.call({10, 20, 1}).kernel({30, 40, 1});
  const std::int64_t name = exported.string("Activity Buffer Request");
  exported.sql(
      fmt::format("CREATE TABLE PROFILER_OVERHEAD(start, end, globalTid, nameId);"
                  "INSERT INTO PROFILER_OVERHEAD VALUES (12, 18, {}, {})",
                  kNsysThread, name));
  const NsysImported run = imported(exported);
  const std::size_t span = run.span("Activity Buffer Request");
  EXPECT_EQ(run.trace.tasks[run.trace.spans.task[span]].op_kind, "HOST_OVERHEAD");
  EXPECT_EQ(run.lane_of("Activity Buffer Request"), "host 4711/4712");
  EXPECT_EQ(run.category("PROFILER_OVERHEAD").drawn, 1);
}

TEST(NsysIds, OfTwoMachinesWithOnePidStayApart) {
  constexpr std::int64_t kOther = (2LL << 56) | (4711LL << 24);
  NsysExport exported;
  exported.call({10, 11, 1}).call({10, 11, 1, "cuLaunchKernelEx", kOther | 4712});
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.trace.lanes.size(), 2U);
  EXPECT_EQ(run.lane_of("cudaLaunchKernel_v7000"), "host 4711/4712");
}

TEST(NsysIds, OfDeviceWorkWithoutAProcessAreThoseOfTheOnlyOne) {
  NsysExport exported;
  exported.call({10, 11, 1}).kernel({20, 30, 1});
  exported.sql("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = NULL");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.counted("incomplete_rows"), 0);
  EXPECT_EQ(run.counted("launch_not_recorded"), 0);
}

TEST(NsysGpus, AreThoseTheDevicesOfAProcessStandFor) {
  NsysExport exported;
  exported.kernel({20, 30});
  exported.sql(
      "CREATE TABLE TARGET_INFO_GPU(vmId, id, name, smCount, cuDevice);"
      "INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'NVIDIA A100', 108, 0), "
      "(0, 3, 'NVIDIA H200', 132, 3);"
      "CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId, cudaId, pid, uuid);"
      "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (3, 0, 4711, 'x')");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.trace.provenance.at("gpu"), "NVIDIA H200");
  EXPECT_EQ(run.trace.provenance.at("multiprocessors"), "132");
  EXPECT_EQ(run.lane_of("gemm"), "GPU 3 stream 7");
}

TEST(NsysGpus, ThatDifferHaveNoCommonNumberOfMultiprocessors) {
  NsysExport exported;
  exported.kernel({20, 30}).kernel({20, 30, 0, std::nullopt, 7, 1});
  exported.sql(
      "CREATE TABLE TARGET_INFO_GPU(id, name, smCount);"
      "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA A100', 108), (1, 'NVIDIA H200', 132)");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.trace.provenance.at("gpu"), "NVIDIA A100, NVIDIA H200");
  EXPECT_FALSE(run.trace.provenance.contains("multiprocessors"));
}

TEST(NsysThreads, HaveTheirNames) {
  NsysExport exported;
  exported.call({10, 11, 1});
  const std::int64_t name = exported.string("python3");
  exported.sql(
      fmt::format("CREATE TABLE ThreadNames(nameId, priority, globalTid);"
                  "INSERT INTO ThreadNames VALUES ({}, 10, {}), (99, 10, 5)",
                  name, kNsysThread));
  EXPECT_EQ(imported(exported).lane_of("cudaLaunchKernel_v7000"), "host 4711/4712 python3");
}

TEST(NsysWaits, HaveALaneOfTheirOwn) {
  NsysExport exported;
  exported.table("SYNCHRONIZATION")
      .sql(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start, end, deviceId, "
                       "contextId, streamId, correlationId, globalPid, syncType) "
                       "VALUES (10, 20, 0, 1, 7, 3, {}, 2)",
                       kNsysProcess));
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.lane_of("Stream Wait Event"), "GPU 0 stream 7 sync");
  EXPECT_EQ(run.trace.lanes[0].kind, LaneKind::host);
}

TEST(NsysWaits, ForAContextLieOnNoStream) {
  NsysExport exported;
  exported.table("SYNCHRONIZATION");
  // The type of a wait for a context is 4.
  for (const auto& [type, stream] : {std::pair("4", "0"), std::pair("4", "7"), std::pair("3", "-1"),
                                     std::pair("3", "4294967295")}) {
    exported.sql(
        fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start, end, deviceId, "
                    "contextId, streamId, "
                    "correlationId, globalPid, syncType) VALUES (10, 20, 0, 1, {}, 3, {}, {})",
                    stream, kNsysProcess, type));
  }
  const NsysImported run = imported(exported);
  ASSERT_EQ(run.trace.lanes.size(), 1U);
  EXPECT_EQ(run.trace.lanes[0].name, "GPU 0 context sync");
  EXPECT_EQ(run.trace.lanes[0].kind, LaneKind::host);
  EXPECT_EQ(run.counted("incomplete_rows"), 0);
}

TEST(NsysTimes, OfGraphsThatNeverEndAreIncompleteAndNotDamaged) {
  NsysExport exported;
  exported.table("GRAPH_TRACE")
      .sql(fmt::format(
          "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start, end, deviceId, contextId, streamId, "
          "correlationId, globalPid, graphId, graphExecId) VALUES (2500, 4500, 0, 1, 7, 9, {0}, 4, "
          "6), "
          "(7000, 0, 0, 1, 7, 10, {0}, 4, 6)",
          kNsysProcess));
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.trace.spans.size(), 1U);
  ASSERT_EQ(run.trace.untimed.size(), 1U);
  EXPECT_EQ(run.trace.untimed[0].raw_begin_ns, 7000);
  EXPECT_EQ(run.trace.activities[run.trace.untimed[0].activity].kind, ActivityKind::graph);
  EXPECT_EQ(run.counted("open_graph_launches"), 1);
  EXPECT_EQ(run.counted("negative_duration"), 0);
  EXPECT_EQ(run.counted("damaged_rows"), 0);
  EXPECT_EQ(run.counted("graph_nodes_not_recorded"), 2);
}

TEST(NsysTimes, WithoutAnEndAreKeptAsUntimedWithTheirStart) {
  NsysExport exported;
  exported.kernel({100, 0, 5})
      .kernel({200, 300, 6})
      .call({50, 0, 5})
      // As exports of tables that may hold NULL.
      .sql(
          fmt::format("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start, end, deviceId, streamId, "
                      "contextId, globalPid, copyKind);"
                      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (400, NULL, 0, 7, 1, {0}, 1), "
                      "(500, 'soon', 0, 7, 1, {0}, 1), (NULL, 600, 0, 7, 1, {0}, 1)",
                      kNsysProcess));
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.counted("open_activities"), 3);
  EXPECT_EQ(run.trace.untimed.size(), 3U);
  EXPECT_EQ(run.counted("damaged_rows"), 2);
  EXPECT_EQ(run.counted("negative_duration"), 0);
}

TEST(NsysProcesses, HaveTheNamesOfTheirPrograms) {
  NsysExport exported;
  exported.call({10, 20, 1})
      .sql(fmt::format("CREATE TABLE PROCESSES(globalPid INTEGER, pid INTEGER, name TEXT);"
                       "INSERT INTO PROCESSES VALUES ({}, 4711, '/usr/bin/python3.12')",
                       kNsysProcess));
  EXPECT_EQ(imported(exported).lane_of("cudaLaunchKernel_v7000"), "host python3.12 4711/4712");
}

TEST(NsysProcesses, HaveTheNamesThatTheTargetTells) {
  NsysExport exported;
  const std::int64_t name = exported.string("trainer");
  exported.call({10, 20, 1})
      .sql(fmt::format("CREATE TABLE TARGET_INFO_PROCESS(processId INTEGER, nameId INTEGER);"
                       "INSERT INTO TARGET_INFO_PROCESS VALUES (4711, {}), (4712, NULL)",
                       name));
  EXPECT_EQ(imported(exported).lane_of("cudaLaunchKernel_v7000"), "host trainer 4711/4712");
}

TEST(NsysDiagnostics, ThatReportLostRecordsAreLosses) {
  NsysExport exported;
  exported.sql(
      "CREATE TABLE DIAGNOSTIC_EVENT(timestamp INTEGER, severity INTEGER, source INTEGER, "
      "text TEXT);"
      "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 3, 2, '12 CUPTI buffers were dropped'), "
      "(2, 2, 2, 'Not all CUDA events might have been collected.'), "
      "(3, 1, 2, 'Number of lost records: 3'), (4, 1, 2, '0 events dropped in 12 s'), "
      "(5, 2, 2, 'Number of dropped events: 0'), (6, 1, 2, 'No events were lost'), "
      "(7, 3, 2, 'connection lost')");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.counted("dropped_records"), 3);
  EXPECT_THAT(run.message("dropped_records"), testing::HasSubstr("12 CUPTI buffers were dropped"));
  EXPECT_EQ(run.counted("profiler_errors"), 2);
}

TEST(NsysDiagnostics, OfTheProfilerBecomeFindings) {
  NsysExport exported;
  exported.sql(
      "CREATE TABLE DIAGNOSTIC_EVENT(timestamp INTEGER, severity INTEGER, source INTEGER, "
      "text TEXT);"
      "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 2, 'profiling has started'), "
      "(2, 3, 2, 'buffers were dropped'), (3, 3, 2, 'buffers were dropped'), "
      "(4, 3, 2, 'CUPTI failed'), (5, 2, 2, 'no root')");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.counted("profiler_errors"), 3);
  EXPECT_EQ(run.message("profiler_errors"),
            "Nsight Systems reported: buffers were dropped; CUPTI failed");
  EXPECT_EQ(run.counted("profiler_warnings"), 1);
}

TEST(NsysDiagnostics, HaveTheSeveritiesThatTheFileNames) {
  NsysExport exported;
  exported.sql(
      "CREATE TABLE DIAGNOSTIC_EVENT(timestamp, severity, text);"
      "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 40, 'lost'), (2, 3, 'fine');"
      "CREATE TABLE ENUM_DIAGNOSTIC_SEVERITY_LEVEL(id, name, label);"
      "INSERT INTO ENUM_DIAGNOSTIC_SEVERITY_LEVEL VALUES (3, 'Info', 'Info'), "
      "(40, 'Error', 'Error')");
  EXPECT_EQ(imported(exported).message("profiler_errors"), "Nsight Systems reported: lost");
}

TEST(NsysTables, ThatNothingIsDrawnOfAreCounted) {
  NsysExport exported;
  exported.sql(
      "CREATE TABLE OSRT_API(start, end, nameId, globalTid);"
      "INSERT INTO OSRT_API VALUES (1, 2, 3, 4), (2, 3, 3, 4);"
      "CREATE TABLE GPU_METRICS(timestamp, typeId, metricId, value);"
      "INSERT INTO GPU_METRICS VALUES (1, 2, 3, 4);"
      "CREATE TABLE ENUM_OSRT(id, name); INSERT INTO ENUM_OSRT VALUES (1, 'x')");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.category("OSRT_API").read, 2);
  EXPECT_EQ(run.category("GPU_METRICS").read, 1);
  EXPECT_EQ(run.file.events(), 3);
  EXPECT_EQ(run.file.drawn(), 0);
}

TEST(NsysTables, AreReadWhicheverOfThemThereAre) {
  for (const char* table : {"KERNEL", "MEMCPY", "MEMSET", "RUNTIME", "GRAPH_TRACE",
                            "SYNCHRONIZATION", "NVTX", "GRAPH_NODES"}) {
    NsysExport exported;
    exported.table(table);
    EXPECT_EQ(imported(exported).counted("no_activities"), 1) << table;
  }
  NsysExport none;
  EXPECT_EQ(imported(none).counted("no_activities"), 1);
}

TEST(NsysCopyName, SaysDirectionAndKindsOfMemoryAsFarAsKnown) {
  EXPECT_EQ(nsys_copy_name(2, 2, 0), "Memcpy DtoH (Device -> Pageable)");
  EXPECT_EQ(nsys_copy_name(8, 2, 2), "Memcpy DtoD (Device -> Device)");
  EXPECT_EQ(nsys_copy_name(10, std::nullopt, 2), "Memcpy PtoP");
  EXPECT_EQ(nsys_copy_name(11, 4, 4), "Memcpy Unified HtoD (Managed -> Managed)");
  EXPECT_EQ(nsys_copy_name(0, 99, -1), "Memcpy");
  EXPECT_EQ(nsys_copy_name(std::nullopt, 1, 2), "Memcpy (Pinned -> Device)");
}

TEST(NsysFile, IsReadLikeTheDatabaseInIt) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.sqlite");
  NsysExport exported;
  exported.call({1, 2, 5}).kernel({3, 4, 5}).save(path);
  TraceBuilder builder;
  const auto file = read_nsys_sqlite(path, {}, builder);
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->file, path);
  EXPECT_GT(file->bytes, 4096U);
  EXPECT_EQ(builder.spans(), 2U);
  EXPECT_EQ(folder.listing(), "run.sqlite");
  EXPECT_TRUE(looks_like_sqlite(std::string_view("SQLite format 3\0 and more", 25)));
  EXPECT_FALSE(looks_like_sqlite("SQLite format 3"));
}

TEST(NsysFile, CalledByARankIsOfThatRank) {
  const TemporaryFolder folder;
  std::vector<std::string> paths;
  for (const int rank : {0, 3}) {
    paths.push_back(folder.file(fmt::format("run_rank{}.sqlite", rank)));
    NsysExport exported;
    exported.call({1, 2, 5}).kernel({3, 4, 5}).save(paths.back());
  }
  const Result<Imported> imported = import_trace(paths);
  ASSERT_TRUE(imported) << to_string(imported.error());
  ASSERT_EQ(imported->trace.lanes.size(), 4U);
  EXPECT_EQ(imported->trace.lanes[3].rank, 3);
  EXPECT_EQ(imported->trace.lanes[3].name, "rank 3 host 4711/4712");
  EXPECT_EQ(imported->report.files[1].format, "nsys_sqlite");
  EXPECT_NE(imported->trace.spans.correlation.front(), imported->trace.spans.correlation.back());
}

TEST(NsysProgress, CountsUpToTheWholeFileAndCancels) {
  NsysExport exported;
  for (int i = 1; i < 9000; ++i)
    exported.kernel({i, i + 1});
  std::vector<std::uint64_t> done;
  ImportOptions options;
  options.progress = [&](std::uint64_t bytes, std::uint64_t total) {
    EXPECT_EQ(total, 1000U);
    done.push_back(bytes);
    return true;
  };
  TraceBuilder builder;
  ASSERT_TRUE(read_nsys_database(exported.database(), "run.sqlite", 1000, options, builder));
  EXPECT_GE(done.size(), 3U);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), 1000U);
  for (std::size_t calls = 1; calls <= done.size(); ++calls) {
    std::size_t left = calls;
    options.progress = [&](std::uint64_t, std::uint64_t) { return --left > 0; };
    TraceBuilder other;
    const auto file = read_nsys_database(exported.database(), "run.sqlite", 1000, options, other);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().message, "the import was cancelled");
    EXPECT_EQ(left, 0U);
  }
}

}  // namespace
}  // namespace quintet
