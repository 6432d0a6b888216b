// What the events of PyTorch's traces, and of other writers of the format, become.

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "tests/profiler/import/import_fixture.h"

namespace quintet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class KinetoEvents : public ImportTest {};

std::string flow(std::string_view phase, int id, std::string_view pid, std::string_view tid) {
  return fmt::format(
      R"({{"ph": "{}", "id": {}, "pid": {}, "tid": {}, "ts": 5, "cat": "ac2g", "name": "ac2g"}})",
      phase, id, pid, tid);
}

std::string thread_name(std::string_view pid, std::string_view tid, std::string_view name) {
  return fmt::format(
      R"({{"name": "thread_name", "ph": "M", "ts": 1, "pid": {}, "tid": {}, "args": {{"name": "{}"}}}})",
      pid, tid, name);
}

std::vector<std::string> lane_names(const Trace& trace) {
  std::vector<std::string> names;
  for (const Lane& lane : trace.lanes)
    names.push_back(lane.name);
  return names;
}

TEST_F(KinetoEvents, KeepTheLaunchShapeOfAKernel) {
  const Trace trace = import(document(
      {event("kernel", "gemm", "10", "1", "0", "7",
             R"("args": {"External id": 5, "queued": 0, "device": 0, "context": 1, "stream": 7,
      "correlation": 30666, "registers per thread": 168, "shared memory": 164308,
      "blocks per SM": 0.969697, "grid": [2, 64, 3], "block": [384, 2, 1],
      "occupancy": {"limit": [1, 2]}, "est. achieved occupancy %": 37,
      "graph id": 3, "graph node id": 18446744073709551615, "channel": 12})")}));
  ASSERT_EQ(trace.activities.size(), 1U);
  const TraceActivity& activity = trace.activities[0];
  ASSERT_TRUE(activity.launch);
  EXPECT_THAT(activity.launch->grid, ElementsAre(2, 64, 3));
  EXPECT_THAT(activity.launch->block, ElementsAre(384, 2, 1));
  EXPECT_EQ(activity.launch->registers, 168U);
  EXPECT_EQ(activity.launch->dynamic_shared_bytes, 164308U);
  EXPECT_EQ(activity.launch->occupancy, std::nullopt);
  EXPECT_EQ(activity.graph_node, UINT64_MAX) << "ids of 64 bits do not pass through a double";
  EXPECT_EQ(trace.spans.correlation[0], 30666U);
  EXPECT_EQ(trace.spans.channel[0], 12U);
  EXPECT_EQ(trace.provenance.at("graph_node_ids"), "carried");
}

TEST_F(KinetoEvents, AnswerNoneWhereEveryGraphNodeIsZero) {
  const Trace trace = import(
      document({event("kernel", "k", "1", "1", "0", "7", R"("args": {"graph node id": 0})")}));
  EXPECT_EQ(trace.provenance.at("graph_node_ids"), "none");
  EXPECT_EQ(trace.activities[0].graph_node, std::nullopt);
}

TEST_F(KinetoEvents, LeaveOutAnImpossibleLaunchShape) {
  for (const std::string_view grid : {"[1, 2]", "[1, 2, 3, 4]", "[-1, 1, 1]", "[1, 1, 5000000000]",
                                      "7", "[\"a\", 1, 1]", "[1, 1, [1]]"}) {
    const Trace trace =
        import(document({event("kernel", "k", "1", "1", "0", "7",
                               fmt::format(R"("args": {{"grid": {}, "block": [1,1,1]}})", grid))}));
    ASSERT_EQ(trace.activities.size(), 1U) << grid;
    EXPECT_EQ(trace.activities[0].launch, std::nullopt) << grid;
  }
}

TEST_F(KinetoEvents, BecomeCopiesAndFillsWithTheirBytes) {
  const Trace trace = import(document(
      {event("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", "10", "2", "0", "7",
             R"x("args": {"bytes": 38535168, "memory bandwidth (GB/s)": 51.4})x"),
       event("gpu_memset", "Memset (Device)", "20", "1", "0", "7", R"("args": {"bytes": 4})")}));
  EXPECT_EQ(trace.tasks[0].op_kind, "MEMCPY_HTOD");
  EXPECT_EQ(trace.activities[0].kind, ActivityKind::memcpy);
  EXPECT_EQ(trace.activities[0].bytes, 38535168U);
  EXPECT_EQ(trace.tasks[1].op_kind, "MEMSET");
  EXPECT_EQ(trace.activities[1].bytes, 4U);
}

TEST_F(KinetoEvents, LieOnLanesOfTheirKind) {
  const Trace trace = import(document(
      {kernel_event("k", "10", "1"), event("gpu_user_annotation", "step", "9", "3", "0", "7"),
       event("cuda_sync", "Stream Sync", "9", "1", "0", "1000007"),
       event("cuda_sync", "Context Sync", "9", "1", "0", "-1"), call_event("launch", "1", "1", 0),
       event("cpu_op", "aten::mm", "1", "1"), event("python_function", "f", "1", "1"),
       event("overhead", "Buffer", "1", "1", "-1", "0")}));
  EXPECT_THAT(lane_names(trace),
              ElementsAre("GPU 0 stream 7", "GPU 0 stream 7 ranges", "GPU 0 context sync",
                          "GPU 0 stream 7 sync", "host -1/0", "host 474/500"));
  for (const Lane& lane : trace.lanes)
    EXPECT_EQ(lane.kind, lane.id == LaneId(0) ? LaneKind::stream : LaneKind::host) << lane.name;
}

TEST_F(KinetoEvents, GiveThreadsTheNamesThatComeBehindThem) {
  const Trace trace = import(document(
      {event("cpu_op", "op", "1", "1"), event("cpu_op", "op", "1", "1", "7", "8"),
       thread_name("474", "500", "thread 500 (pt_autograd_0)"),
       thread_name("474", "500", "thread 500 (python3)"), thread_name("7", "8", "loader")}));
  EXPECT_THAT(lane_names(trace), ElementsAre("host 7/8 loader", "host 474/500 pt_autograd_0"));
}

TEST_F(KinetoEvents, KeepTheSameThreadOfTwoProcessesApart) {
  const Trace trace = import(document(
      {event("cpu_op", "a", "1", "1", "1", "9"), event("cpu_op", "b", "2", "1", "2", "9")}));
  EXPECT_THAT(lane_names(trace), ElementsAre("host 1/9", "host 2/9"));
  EXPECT_NE(trace.spans.lane[0], trace.spans.lane[1]);
}

TEST_F(KinetoEvents, TakeIdsThatAreNoNumbers) {
  const Trace trace = import(document(
      {event("Trace", "PyTorch Profiler (0)", "1", "9", "\"Spans\"", "\"PyTorch Profiler\""),
       event("x", "a", "2", "1", "\"\"", "\"\""), event("x", "b", "3", "1", "-1", "1.5"),
       event("x", "c", "4", "1", "\"12\"", "\"13\""),
       event("kernel", "d", "5", "1", "\"GPU\"", "\"seven\"",
             R"("args": {"device": 3, "stream": 7})")}));
  EXPECT_EQ(trace.spans.size(), 5U);
  EXPECT_THAT(lane_names(trace),
              ::testing::UnorderedElementsAre("GPU 3 stream 7", "host Spans/PyTorch Profiler",
                                              "host /", "host -1/1.5", "host 12/13"));
}

TEST_F(KinetoEvents, CountWhatIsNotDrawn) {
  const Imported imported = import_all(document(
      {kernel_event("k", "1", "1", 9), flow("s", 9, "474", "500"), flow("f", 9, "0", "7"),
       R"({"ph": "C", "name": "memory", "pid": 0, "tid": 0, "ts": 1, "args": {"bytes": 5}})",
       R"({"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": 9})",
       thread_name("1", "2", "x"), R"({"name": "nothing"})", R"({"ph": "N", "id": 1})"}));
  EXPECT_EQ(imported.trace.spans.size(), 1U);
  std::string counts;
  for (const ImportedCategory& each : imported.report.files[0].categories)
    counts += fmt::format("{} {}/{}; ", each.name, each.drawn, each.read);
  EXPECT_EQ(counts,
            "flow 0/2; counter 0/1; instant 0/1; kernel 1/1; metadata 0/1; no phase 0/1; other "
            "phases 0/1; ");
}

TEST_F(KinetoEvents, NeverDrawAnEventWithoutTimesAtTimeZero) {
  std::vector<std::string> events;
  for (int i = 1; i <= 1000; ++i) {
    events.push_back(call_event("cudaLaunchKernel", fmt::format("{}", 100 + i), "1", i));
    events.push_back(kernel_event("k", "0", "0", i));
  }
  events.push_back(event("cuda_event", "Event Record", "0", "0.001", "0", "7"));
  const Trace trace = import(document(events, R"("baseTimeNanoseconds": 1795980990000000000,)"));
  EXPECT_EQ(trace.spans.size(), 1000U);
  ASSERT_EQ(trace.untimed.size(), 1001U);
  EXPECT_EQ(counted(trace, "untimed_activities"), 1001);
  EXPECT_EQ(trace.untimed[41].correlation, 42U) << "joined with its launch";
  EXPECT_EQ(trace.untimed[41].step, 0);
}

TEST_F(KinetoEvents, KeepDurationsBelowAMicrosecond) {
  const Trace trace = import(document({kernel_event("k", "100.7", "0.2")}));
  EXPECT_EQ(trace.spans.begin_ns[0], 100'700);
  EXPECT_EQ(trace.spans.end_ns[0], 100'900);
}

TEST_F(KinetoEvents, KeepANanosecondOfNineteenDigits) {
  const Trace trace = import(document({kernel_event("k", "1672924881307000.123", "0.001")}));
  EXPECT_EQ(trace.spans.begin_ns[0], 1672924881307000123);
  EXPECT_EQ(trace.spans.end_ns[0], 1672924881307000124);
  EXPECT_EQ(trace.provenance.at("clock_realtime_offset_ns"), "0");
}

TEST_F(KinetoEvents, TakeTimesInQuotes) {
  EXPECT_EQ(import(document({kernel_event("k", "\"5.5\"", "\"1\"")})).spans.end_ns[0], 6'500);
}

TEST_F(KinetoEvents, ListNegativeDurationsAndImpossibleTimesAsUntimed) {
  const Trace trace =
      import(document({kernel_event("a", "100", "-5"), kernel_event("b", "-100", "5"),
                       kernel_event("c", "1e300", "5"), kernel_event("d", "5", "1e300"),
                       kernel_event("e", "5", "0")}));
  EXPECT_EQ(span_names(trace), "e");
  EXPECT_EQ(trace.untimed.size(), 4U);
  EXPECT_EQ(counted(trace, "negative_duration"), 1);
  EXPECT_EQ(counted(trace, "time_out_of_range"), 3);
  EXPECT_EQ(trace.untimed[0].raw_end_ns, 95'000) << "the raw record is kept";
}

TEST_F(KinetoEvents, ListDurationsThatNobodyBelievesAsUntimedWithTheirValues) {
  struct Case {
    std::string_view dur;
    std::string_view found;
    std::int64_t raw_end_ns;
  };
  const std::string digits(400, '9');
  for (const Case& each : {
           Case{"1e15", "time_out_of_range", 1'000'000'000'000'100'000},
           Case{"1e18", "time_out_of_range", INT64_MAX},
           Case{"1e300", "time_out_of_range", INT64_MAX},
           Case{"1e999999999999", "time_out_of_range", INT64_MAX},
           Case{digits, "time_out_of_range", INT64_MAX},
           Case{"31622400000000.001", "time_out_of_range", 31'622'400'000'100'001},
           Case{"-1e15", "negative_duration", -999'999'999'999'900'000},
           Case{"-1e300", "negative_duration", 100'000 - INT64_MAX},
           Case{"\"Infinity\"", "untimed_activities", 100'000},
           Case{"-Infinity", "untimed_activities", 100'000},
           Case{"NaN", "untimed_activities", 100'000},
           Case{"0x10", "untimed_activities", 100'000},
           Case{"null", "untimed_activities", 100'000},
           Case{"{}", "untimed_activities", 100'000},
       }) {
    const Trace trace = import(document({kernel_event("k", "100", each.dur)}));
    EXPECT_EQ(trace.spans.size(), 0U) << each.dur;
    ASSERT_EQ(trace.untimed.size(), 1U) << each.dur;
    EXPECT_EQ(trace.untimed[0].raw_begin_ns, 100'000) << each.dur;
    EXPECT_EQ(trace.untimed[0].raw_end_ns, each.raw_end_ns) << each.dur;
    EXPECT_EQ(counted(trace, each.found), 1) << each.dur;
  }
  const Trace year = import(document({kernel_event("k", "100", "31622400000000")}));
  EXPECT_EQ(year.spans.size(), 1U);
  EXPECT_EQ(import(document({kernel_event("k", "100", "1e-400")})).spans.size(), 1U);
}

TEST_F(KinetoEvents, OfAnImpossibleLengthAreNeitherStepsNorTheEndOfTheFile) {
  const Trace trace = import(document(
      {event("user_annotation", "ProfilerStep#1", "100", "1e15"),
       event("user_annotation", "ProfilerStep#2", "100", "50"), kernel_event("k", "1e300", "5"),
       R"({"ph": "B", "name": "open", "pid": 1, "tid": 1, "ts": 120})"}));
  ASSERT_EQ(trace.steps.size(), 1U);
  EXPECT_EQ(trace.steps[0].step, 2);
  ASSERT_EQ(span_names(trace), "ProfilerStep#2 open (open)");
  EXPECT_EQ(trace.spans.end_ns[1], 150'000);
  EXPECT_EQ(counted(trace, "time_out_of_range"), 2);
}

TEST_F(KinetoEvents, AddTheBaseWhereverTheFileTellsIt) {
  const std::string base = R"("baseTimeNanoseconds": 1790857026000000000)";
  const Trace before = import(document({kernel_event("k", "1.5", "1")}, base + ","));
  EXPECT_EQ(before.spans.begin_ns[0], 1790857026000001500);
  const Trace behind =
      import("{\"traceEvents\": [" + kernel_event("k", "1.5", "1") + "], " + base + "}");
  EXPECT_EQ(behind.spans.begin_ns[0], 1790857026000001500);
}

TEST_F(KinetoEvents, NeverChangeUnitsForTheDisplayUnit) {
  const Trace trace =
      import(document({kernel_event("k", "1", "1")}, R"("displayTimeUnit": "ns",)"));
  EXPECT_EQ(trace.spans.begin_ns[0], 1'000);
}

TEST_F(KinetoEvents, KeepAKernelThatBeginsBeforeItsLaunch) {
  const Trace trace = import(
      document({call_event("cuLaunchKernelEx", "100", "5", 1),
                kernel_event("early", "99.5", "3", 1), kernel_event("late", "102", "3", 1)}));
  EXPECT_EQ(trace.spans.size(), 3U);
  EXPECT_EQ(counted(trace, "negative_launch_latency"), 1);
  EXPECT_THAT(finding(trace, "negative_launch_latency")->message, HasSubstr("500 ns"));
  EXPECT_EQ(trace.spans.begin_ns[0], 99'500) << "not clamped";
}

TEST_F(KinetoEvents, KeepEveryKernelOfOneGraphLaunch) {
  std::vector<std::string> events = {call_event("cudaGraphLaunch", "10", "5", 3)};
  for (int i = 0; i < 31; ++i)
    events.push_back(kernel_event("node", fmt::format("{}", 20 + i), "1", 3));
  const Trace trace = import(document(events));
  EXPECT_EQ(trace.spans.size(), 32U);
  EXPECT_EQ(std::count(trace.spans.correlation.begin(), trace.spans.correlation.end(), 3U), 32);
  EXPECT_FALSE(finding(trace, "graph_nodes_not_recorded"));
}

TEST_F(KinetoEvents, KeepBothKernelsThatOverlapOnOneStream) {
  const Trace trace =
      import(document({kernel_event("a", "10", "10"), kernel_event("b", "15", "10")}));
  EXPECT_EQ(span_names(trace), "a b");
  EXPECT_EQ(trace.spans.lane[0], trace.spans.lane[1]);
}

TEST_F(KinetoEvents, KeepRangesThatIntersectOnOneThread) {
  const Trace trace =
      import(document({event("cpu_op", "a", "10", "10"), event("cpu_op", "b", "15", "10")}));
  EXPECT_EQ(span_names(trace), "a b");
  EXPECT_THAT(trace.spans.end_ns, ElementsAre(20'000, 25'000));
}

TEST_F(KinetoEvents, LieOnTheStreamThatTheirArgumentsName) {
  const Trace trace = import(
      document({event("kernel", "a", "10", "10", "0", "7", R"("args": {"stream": 7})"),
                event("kernel", "b", "15", "10", "0", "70001", R"("args": {"stream": 7})")}));
  EXPECT_THAT(lane_names(trace), ElementsAre("GPU 0 stream 7"));
}

TEST_F(KinetoEvents, LieOnTheLaneOfThePolicyWhereOurExportTellsIt) {
  const auto work = [](std::string_view name, int stream, int captured, std::string_view lane) {
    return event(
        "kernel", name, "10", "1", "0", fmt::format("{}", stream),
        fmt::format(R"("args": {{"stream": {}, "captured stream": {}, "logical lane": "{}"}})",
                    stream, captured, lane));
  };
  const Trace trace = import(document({work("a", 9, 1, "COMP_1"), work("b", 2, 2, "COMP_2")}));
  EXPECT_THAT(lane_names(trace), ElementsAre("COMP_1", "COMP_2", "GPU 0 stream 9"));
  EXPECT_EQ(trace.lanes[0].kind, LaneKind::stream);
  EXPECT_EQ(trace.lanes[2].kind, LaneKind::executor);
  EXPECT_THAT(trace.spans.lane, ElementsAre(0, 1));
  EXPECT_THAT(trace.spans.executor_lane, ElementsAre(2, 1));
}

TEST_F(KinetoEvents, AreLaunchesWhereWorkHasTheirCorrelationWhateverTheirName) {
  for (const std::string_view name : {"cudaGraphLaunch_v10000", "cuLaunchKernelEx", "unheard_of"}) {
    const Trace trace = import(document(
        {event("any_driver", name, "100", "5", "474", "500", R"("args": {"correlation": 1})"),
         kernel_event("early", "99", "3", 1)}));
    EXPECT_EQ(counted(trace, "negative_launch_latency"), 1) << name;
  }
}

TEST_F(KinetoEvents, DoNotJoinByTheIdsOfArrows) {
  const Trace trace =
      import(document({call_event("cudaLaunchKernel", "100", "5", 3), flow("s", 8, "474", "500"),
                       flow("f", 8, "0", "7"), event("kernel", "k", "50", "1", "0", "7")}));
  EXPECT_EQ(trace.spans.correlation[0], 0U);
  EXPECT_FALSE(finding(trace, "negative_launch_latency"));
}

TEST_F(KinetoEvents, ComeInAnyOrder) {
  const Trace trace = import(document(
      {kernel_event("c", "30", "1"), kernel_event("a", "10", "1"), kernel_event("b", "20", "1")}));
  EXPECT_EQ(span_names(trace), "a b c");
}

TEST_F(KinetoEvents, BecomeStepsWhereProfilerStepsAreNamed) {
  const Trace trace = import(
      document({event("user_annotation", "ProfilerStep#3", "100", "50"),
                event("user_annotation", "ProfilerStep#4", "150", "60"),
                event("gpu_user_annotation", "ProfilerStep#3", "120", "90", "0", "7"),
                event("user_annotation", "ProfilerStep#x", "1", "1"),
                call_event("cudaLaunchKernel", "110", "1", 1), kernel_event("k", "160", "5", 1)}));
  ASSERT_EQ(trace.steps.size(), 2U);
  EXPECT_EQ(trace.steps[0].step, 3);
  EXPECT_EQ(trace.steps[0].begin_ns, 100'000);
  EXPECT_EQ(trace.steps[0].end_ns, 150'000);
  EXPECT_EQ(trace.steps[1].step, 4);
  EXPECT_EQ(trace.spans.step[trace.spans.size() - 1], 3) << "launched in step 3, run in step 4";
  EXPECT_FALSE(finding(trace, "no_steps"));
}

TEST_F(KinetoEvents, PairRangesOfAnIdWithinTheirProcessUnlessItIsGlobal) {
  const auto half = [](const char* phase, const char* name, int ts, const char* pid,
                       const char* id) {
    return std::string(R"({"ph": ")") + phase + R"(", "cat": "c", "name": ")" + name +
           R"(", "ts": )" + std::to_string(ts) + R"(, "tid": 1, "pid": )" + pid + ", " + id + "}";
  };
  const char* const local = R"("id2": {"local": "0x1"})";
  const char* const global = R"("id2": {"global": "0x1"})";
  const Trace trace = import(
      document({half("b", "first", 10, "1", local), half("b", "second", 20, "2", local),
                half("e", "first", 30, "1", local), half("e", "second", 40, "2", local),
                half("b", "across", 50, "1", global), half("e", "across", 60, "2", global)}));
  ASSERT_EQ(trace.spans.size(), 3U);
  EXPECT_EQ(trace.spans.end_ns[0], 30'000);
  EXPECT_EQ(trace.spans.end_ns[1], 40'000);
  EXPECT_EQ(trace.spans.end_ns[2], 60'000);
  EXPECT_FALSE(finding(trace, "open_ranges"));
}

TEST_F(KinetoEvents, KeepStreamsOfTwoContextsApart) {
  const auto kernel = [](const char* context, const char* ts) {
    return event("kernel", "k", ts, "1", "0", "7",
                 std::string(R"("args": {"stream": 7, "context": )") + context + "}");
  };
  const Trace trace = import(document({kernel("1", "10"), kernel("2", "10"), kernel("1", "20")}));
  EXPECT_EQ(trace.lanes.size(), 2U);
  EXPECT_EQ(trace.spans.lane[0], trace.spans.lane[2]);
}

TEST_F(KinetoEvents, MarkWhatAProfilerDidForItself) {
  const Trace trace =
      import(document({event("overhead", "Activity Buffer Request", "1", "1", "-1", "0")}));
  EXPECT_EQ(trace.tasks[0].op_kind, "HOST_OVERHEAD");
}

TEST_F(KinetoEvents, BecomeStepsHoweverTheirRangesAreCalledAndWritten) {
  const Trace trace = import(document(
      {event("user_annotation", "step 3", "100", "50"),
       R"({"ph": "B", "cat": "user_annotation", "name": "iteration 4", "ts": 150, "pid": 474, "tid": 500})",
       R"({"ph": "E", "ts": 210, "pid": 474, "tid": 500})",
       R"({"ph": "B", "cat": "user_annotation", "name": "step 4", "ts": 210, "pid": 474, "tid": 500})",
       R"({"ph": "E", "ts": 260, "pid": 474, "tid": 500})"}));
  ASSERT_EQ(trace.steps.size(), 2U);
  EXPECT_EQ(trace.steps[0].step, 3);
  EXPECT_EQ(trace.steps[1].step, 4);
  EXPECT_EQ(trace.steps[1].begin_ns, 210'000);
  EXPECT_EQ(counted(trace, "other_step_marks"), 1);
}

TEST_F(KinetoEvents, KnowTheCategoriesOfOldVersions) {
  const Trace trace = import(document({event("Operator", "ProfilerStep#0", "1", "100"),
                                       event("Kernel", "k", "10", "1", "0", "7"),
                                       event("Memcpy", "Memcpy DtoH", "20", "1", "0", "7"),
                                       event("Memset", "Memset", "30", "1", "0", "7"),
                                       event("Runtime", "cudaLaunchKernel", "5", "1")}));
  EXPECT_EQ(trace.steps.size(), 1U);
  EXPECT_FALSE(finding(trace, "no_steps"));
  std::vector<ActivityKind> kinds;
  for (const TraceActivity& activity : trace.activities)
    kinds.push_back(activity.kind);
  EXPECT_THAT(kinds,
              ElementsAre(ActivityKind::host_range, ActivityKind::kernel, ActivityKind::memcpy,
                          ActivityKind::memset, ActivityKind::api_call));
}

TEST_F(KinetoEvents, PairBeginsAndEndsOfAThread) {
  const auto mark = [](std::string_view phase, std::string_view name, int ts, int tid) {
    return fmt::format(R"({{"ph": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {}}})", phase,
                       name, tid, ts);
  };
  const Trace trace =
      import(document({mark("E", "lost", 1, 1), mark("B", "outer", 10, 1),
                       mark("B", "other", 12, 2), mark("B", "inner", 20, 1), mark("E", "", 30, 1),
                       mark("E", "outer", 40, 1), mark("B", "never", 50, 1)}));
  EXPECT_EQ(span_names(trace), "outer other (open) inner never (open)");
  EXPECT_THAT(trace.spans.end_ns, ElementsAre(40'000, 50'000, 30'000, 50'000));
  EXPECT_EQ(counted(trace, "end_without_begin"), 1);
  EXPECT_EQ(counted(trace, "open_ranges"), 2);
}

TEST_F(KinetoEvents, PairBeginsAndEndsOfAnId) {
  const auto mark = [](std::string_view phase, std::string_view id, int ts, int pid) {
    return fmt::format(
        R"({{"ph": "{}", "cat": "async", "id": {}, "name": "{}", "pid": {}, "tid": 1, "ts": {}}})",
        phase, id, pid, pid, ts);
  };
  const Trace trace = import(document({mark("b", "\"0x1\"", 10, 1), mark("b", "\"0x1\"", 15, 2),
                                       mark("b", "\"0x2\"", 20, 1), mark("e", "\"0x1\"", 30, 1),
                                       mark("e", "\"0x1\"", 35, 2), mark("e", "\"0x2\"", 40, 1)}));
  EXPECT_THAT(trace.spans.begin_ns, ElementsAre(10'000, 15'000, 20'000));
  EXPECT_THAT(trace.spans.end_ns, ElementsAre(30'000, 35'000, 40'000));
}

TEST_F(KinetoEvents, DoNotKeepRangesNestedWithoutBound) {
  std::vector<std::string> events;
  for (int i = 0; i < 10'005; ++i)
    events.push_back(fmt::format(R"({{"ph": "B", "name": "n", "pid": 1, "tid": 1, "ts": {}}})", i));
  for (int i = 0; i < 10'005; ++i)
    events.push_back(fmt::format(R"({{"ph": "E", "pid": 1, "tid": 1, "ts": {}}})", 20'000 + i));
  const Trace trace = import(document(events));
  EXPECT_EQ(trace.spans.size(), 10'000U);
  EXPECT_EQ(counted(trace, "too_deep_ranges"), 5);
  EXPECT_FALSE(finding(trace, "end_without_begin"));
}

TEST_F(KinetoEvents, ResolveEscapesInNames) {
  EXPECT_EQ(span_names(import(document({kernel_event(R"(a\"b\u00e9)", "1", "1")}))),
            "a\"b\xC3\xA9");
}

TEST_F(KinetoEvents, CountCorrelationsThatNoCallHas) {
  const Trace trace = import(
      document({event("kernel", "k", "1", "1", "0", "7", R"("args": {"correlation": 99999999999})"),
                kernel_event("k", "2", "1", 4)}));
  EXPECT_EQ(counted(trace, "wide_correlation"), 1);
  EXPECT_EQ(counted(trace, "launch_not_recorded"), 1);
  EXPECT_THAT(trace.spans.correlation, ElementsAre(0, 4));
}

}  // namespace
}  // namespace quintet
