// Devices that a Chrome trace describes by the names of processes and threads alone.

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/analysis/span_class.h"
#include "profiler/import/chrome_spans.h"
#include "profiler/import/device_name.h"
#include "tests/profiler/import/import_fixture.h"

namespace quintet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::string process_is(int process, std::string_view name) {
  return fmt::format(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":"{}"}}}})",
                     process, name);
}

std::string thread_is(int process, std::int64_t thread, std::string_view name) {
  return fmt::format(
      R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"{}"}}}})", process,
      thread, name);
}

/// A complete event without a category, of 10 us.
std::string work(int process, std::int64_t thread, int ts, std::string_view name,
                 std::string_view args = "") {
  return fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":10,"name":"{}"{}}})", process,
                     thread, ts, name, args.empty() ? "" : fmt::format(",\"args\":{{{}}}", args));
}

std::vector<std::string> lanes_of(const Trace& trace, LaneKind kind) {
  std::vector<std::string> names;
  for (const Lane& lane : trace.lanes) {
    if (lane.kind == kind) names.push_back(lane.name);
  }
  return names;
}

std::size_t span_of(const Trace& trace, std::string_view name) {
  std::size_t found = 0;
  int count = 0;
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    if (trace.tasks[trace.spans.task[span]].name != name) continue;
    found = span;
    ++count;
  }
  EXPECT_EQ(count, 1) << name;
  return found;
}

std::string lane_of(const Trace& trace, std::string_view name) {
  return trace.lanes[trace.spans.lane[span_of(trace, name)]].name;
}

const TraceActivity& activity_of(const Trace& trace, std::string_view name) {
  return trace.activities[trace.spans.activity[span_of(trace, name)]];
}

std::string op_kind_of(const Trace& trace, std::string_view name) {
  return trace.tasks[trace.spans.task[span_of(trace, name)]].op_kind;
}

std::string array(const std::vector<std::string>& events) {
  return fmt::format("[{}]", fmt::join(events, ","));
}

class NamedDevices : public ImportTest {};

std::vector<std::string> xprof_names() {
  return {process_is(1, "/device:GPU:0"), thread_is(1, 23, "Stream #23(Compute,MemcpyD2H)"),
          thread_is(1, 26, "Stream #26(Compute)"), process_is(701, "/host:CPU"),
          thread_is(701, 9, "python")};
}

std::vector<std::string> xprof_events() {
  return {
      work(701, 9, 10, "PjitFunction(train_step)"),
      work(701, 9, 11, "cuLaunchKernel", R"("correlation_id":"77")"),
      work(
          1, 23, 20, "gemm_fusion",
          R"("correlation_id":"77","kernel_details":"regs:96 static_shared:16 dynamic_shared:65536 )"
          R"(grid:128,2,1 block:256,1,1 occ_pct:25")"),
      work(1, 26, 30, "ncclDevKernel_AllGather_RING_LL", R"("correlation_id":"79")"),
      work(1, 23, 40, "MemcpyD2H",
           R"("correlation_id":"80","memcpy_details":"kind_src:device kind_dst:pinned size:4096")"),
      "{}"};
}

void expect_xprof(const Trace& trace) {
  EXPECT_THAT(lanes_of(trace, LaneKind::stream), ElementsAre("GPU 0 stream 23", "GPU 0 stream 26"));
  EXPECT_THAT(lanes_of(trace, LaneKind::host), ElementsAre("host /host:CPU 701/9 python"));
  const TraceActivity& gemm = activity_of(trace, "gemm_fusion");
  EXPECT_EQ(gemm.kind, ActivityKind::kernel);
  ASSERT_TRUE(gemm.launch);
  EXPECT_THAT(gemm.launch->grid, ElementsAre(128, 2, 1));
  EXPECT_THAT(gemm.launch->block, ElementsAre(256, 1, 1));
  EXPECT_EQ(gemm.launch->registers, 96U);
  EXPECT_EQ(gemm.launch->static_shared_bytes, 16U);
  EXPECT_EQ(gemm.launch->dynamic_shared_bytes, 65536U);
  EXPECT_EQ(gemm.launch->occupancy, 0.25);
  EXPECT_EQ(activity_of(trace, "MemcpyD2H").bytes, 4096U);
  EXPECT_EQ(op_kind_of(trace, "MemcpyD2H"), "MEMCPY_DTOH");
  EXPECT_EQ(op_kind_of(trace, "cuLaunchKernel"), "API_CALL");
  EXPECT_EQ(trace.spans.correlation[span_of(trace, "cuLaunchKernel")],
            trace.spans.correlation[span_of(trace, "gemm_fusion")]);
  EXPECT_EQ(op_kind_of(trace, "PjitFunction(train_step)"), "HOST_RANGE");
  const std::vector<SpanClass> classes = task_classes(trace);
  EXPECT_EQ(classes[trace.spans.task[span_of(trace, "ncclDevKernel_AllGather_RING_LL")]],
            SpanClass::comm);
  EXPECT_FALSE(finding(trace, "unrecognised_device_rows"));
}

TEST_F(NamedDevices, OfXprofAreStreamsCopiesAndCollectivesWithTheirLaunches) {
  std::vector<std::string> events = xprof_names();
  for (const std::string& each : xprof_events())
    events.push_back(each);
  expect_xprof(import(document(events)));
  expect_xprof(import(array(events)));
}

TEST_F(NamedDevices, AreTheSameWhereverTheNamesStand) {
  std::vector<std::string> events = xprof_events();
  for (const std::string& each : xprof_names())
    events.push_back(each);
  expect_xprof(import(document(events)));
  std::rotate(events.begin(), events.begin() + 8, events.end());
  expect_xprof(import(document(events)));
}

TEST_F(NamedDevices, NeverCountRowsThatXprofDerivesAsWork) {
  std::vector<std::string> events = xprof_names();
  const char* const rows[] = {
      "Steps",       "XLA Modules",       "XLA Ops", "Framework Ops", "Framework Name Scope",
      "Source code", "XLA Ops - from #23"};
  std::int64_t thread = 3735928559;
  for (const char* row : rows) {
    events.push_back(thread_is(1, thread, row));
    events.push_back(work(1, thread++, 0, fmt::format("of {}", row)));
  }
  events.push_back(work(1, 3735928570, 0, "of a derived row without a name"));
  events.push_back(work(1, 23, 20, "gemm"));
  const Trace trace = import(document(events));
  EXPECT_THAT(lanes_of(trace, LaneKind::stream), ElementsAre("GPU 0 stream 23"));
  EXPECT_EQ(lane_of(trace, "of XLA Modules"), "GPU 0 XLA Modules");
  EXPECT_EQ(op_kind_of(trace, "of XLA Ops"), "HOST_RANGE");
  EXPECT_EQ(op_kind_of(trace, "of a derived row without a name"), "HOST_RANGE");
  EXPECT_FALSE(finding(trace, "unrecognised_device_rows"));
}

TEST_F(NamedDevices, WithNothingButDerivedRowsAreReported) {
  const Trace trace = import(document({process_is(1, "/device:GPU:0"), thread_is(1, 5, "XLA Ops"),
                                       work(1, 5, 0, "fusion.1"), work(1, 5, 20, "fusion.2")}));
  const auto found = finding(trace, "unrecognised_device_rows");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->severity, Severity::data_loss);
  EXPECT_EQ(found->count, 2);
  EXPECT_THAT(found->message, HasSubstr("/device:GPU:0/XLA Ops"));
}

TEST_F(NamedDevices, ThatAreOfUnknownSortAreReportedAndKept) {
  const Trace trace = import(document({process_is(1, "/device:TPU:0"), thread_is(1, 5, "XLA Ops"),
                                       work(1, 5, 0, "fusion.1"), process_is(2, "worker gpu 3"),
                                       work(2, 1, 0, "a"), process_is(3, "/device:GPU:1"),
                                       thread_is(3, 8, "Interesting things"), work(3, 8, 0, "b")}));
  EXPECT_EQ(counted(trace, "unrecognised_device_rows"), 3);
  EXPECT_EQ(trace.spans.size(), 3U);
  EXPECT_TRUE(lanes_of(trace, LaneKind::stream).empty());
  EXPECT_THAT(finding(trace, "unrecognised_device_rows")->message,
              HasSubstr("/device:GPU:1/Interesting things"));
}

TEST_F(NamedDevices, TakeWorkThatIsSureFromRowsOfAnyName) {
  const Trace trace = import(document(
      {process_is(1, "AMD Radeon Pro W6800 GPU 1"), thread_is(1, 3, "Odds and ends"),
       work(1, 3, 0, "Memcpy HtoD"), work(1, 3, 20, "gemm", R"("kernel_details":"regs:8")"),
       work(1, 3, 40, "a nap"), R"({"ph":"X","pid":1,"tid":"main","ts":60,"dur":1,"name":"k"})"}));
  EXPECT_EQ(lane_of(trace, "Memcpy HtoD"), "GPU 1 stream 3 Odds and ends");
  EXPECT_EQ(op_kind_of(trace, "gemm"), "KERNEL");
  EXPECT_EQ(lane_of(trace, "k"), "GPU 1 stream main");
  EXPECT_EQ(counted(trace, "unrecognised_device_rows"), 1);
}

TEST_F(NamedDevices, ThatOnlyWorkGivesAwayAreReported) {
  const Trace trace = import(document(
      {work(1, 7, 0, "fusion", R"("kernel_details":"regs:8 grid:1,1,1 block:32,1,1")"),
       work(1, 7, 20, "ncclDevKernel_AllReduce_Sum"), work(1, 7, 40, "Memcpy HtoD"),
       work(1, 7, 60, "known", R"("device_id":2,"kernel_details":"grid:1,1,1 block:32,1,1")"),
       event("kernel_dispatch", "gemm", "80", "1", "5", "6"), work(2, 1, 0, "main"),
       work(2, 1, 0, "memcpy_h2d_helper()")}));
  EXPECT_EQ(counted(trace, "unrecognised_device_rows"), 4);
  EXPECT_EQ(lane_of(trace, "known"), "GPU 2 stream 7");
}

TEST_F(NamedDevices, OfRocprofAreStreamsCallsAndCopies) {
  const Trace trace = import(
      document({process_is(2, "CPU HIP API"), process_is(1, "COPY"), process_is(6, "GPU0"),
                work(2, 100, 0, "hipLaunchKernel", R"("BeginNs":"0","EndNs":"10000")"),
                work(6, 0, 10, "gemm(float*)", R"("dev-id":"0","queue-id":"0","stream-id":"1")"),
                work(6, 2, 30, "ncclKernel_AllReduce"), work(1, 0, 20, "CopyHostToDevice"),
                work(1, 0, 40, "hcCommandMarker")}));
  EXPECT_EQ(lane_of(trace, "gemm(float*)"), "GPU 0 stream 1");
  EXPECT_EQ(lane_of(trace, "ncclKernel_AllReduce"), "GPU 0 stream 2");
  EXPECT_EQ(op_kind_of(trace, "CopyHostToDevice"), "MEMCPY_HTOD");
  EXPECT_EQ(op_kind_of(trace, "hipLaunchKernel"), "API_CALL");
  EXPECT_THAT(lane_of(trace, "CopyHostToDevice"), HasSubstr("GPU 0 stream 0"));
  EXPECT_FALSE(finding(trace, "unrecognised_device_rows"));
}

TEST_F(NamedDevices, WhoseCopiesCouldBeOfSeveralAreReported) {
  const Trace trace = import(
      document({process_is(1, "COPY"), process_is(6, "GPU0"), process_is(7, "GPU1"),
                work(6, 0, 10, "a"), work(7, 0, 10, "b"), work(1, 0, 20, "CopyDeviceToHost")}));
  EXPECT_EQ(counted(trace, "unrecognised_device_rows"), 1);
  EXPECT_THAT(lanes_of(trace, LaneKind::stream), ElementsAre("GPU 0 stream 0", "GPU 1 stream 0"));
}

TEST_F(NamedDevices, OfTensorFlowsTimelineCountEachPieceOfWorkOnce) {
  const std::string gpu = "/job:localhost/replica:0/task:0/device:GPU:1";
  const std::vector<std::string> whole = {process_is(1, gpu + " Compute"),
                                          process_is(2, gpu + "/stream:all Compute"),
                                          process_is(4, gpu + "/memcpy Compute"),
                                          work(1, 0, 0, "MatMul dispatch"),
                                          work(2, 0, 10, "MatMul"),
                                          work(4, 0, 20, "MEMCPYHtoD")};
  std::vector<std::string> streams = whole;
  streams.push_back(process_is(3, gpu + "/stream:13 Compute"));
  streams.push_back(work(3, 0, 10, "MatMul kernel"));
  const Trace trace = import(document(streams));
  EXPECT_THAT(lanes_of(trace, LaneKind::stream), ElementsAre("GPU 1 stream 13"));
  EXPECT_EQ(op_kind_of(trace, "MatMul dispatch"), "HOST_RANGE");
  // Where no stream has a row of its own, those of all are all there is.
  const Trace less = import(document(whole));
  EXPECT_EQ(op_kind_of(less, "MatMul"), "KERNEL");
  EXPECT_EQ(op_kind_of(less, "MEMCPYHtoD"), "MEMCPY_HTOD");
  EXPECT_EQ(op_kind_of(less, "MatMul dispatch"), "HOST_RANGE");
}

TEST_F(NamedDevices, WithoutANumberAreCountedBesideThoseWithOne) {
  const Trace trace =
      import(document({process_is(5, "NVIDIA H100 80GB HBM3"), thread_is(5, 7, "Stream 7"),
                       work(5, 7, 0, "a"), process_is(6, "GPU 0"), work(6, 3, 0, "b"),
                       process_is(7, "NVIDIA H100 (3)"), work(7, 1, 0, "c")}));
  EXPECT_EQ(lane_of(trace, "a"), "GPU 1 stream 7 NVIDIA H100 80GB HBM3");
  EXPECT_EQ(lane_of(trace, "b"), "GPU 0 stream 3");
  EXPECT_EQ(lane_of(trace, "c"), "GPU 3 stream 1");
}

TEST_F(NamedDevices, AreFoundInThreadsThatAreSurelyStreams) {
  const Trace trace =
      import(document({process_is(9, "trainer"), thread_is(9, 1, "GPU 2 stream 7"),
                       work(9, 1, 0, "a"), thread_is(9, 2, "Stream #4(Compute)"),
                       work(9, 2, 0, "b", R"("device_id":"1")"), thread_is(9, 3, "stream reader 3"),
                       work(9, 3, 0, "c"), thread_is(9, 4, "stream 12"), work(9, 4, 0, "d")}));
  EXPECT_EQ(lane_of(trace, "a"), "GPU 2 stream 7");
  EXPECT_EQ(lane_of(trace, "b"), "GPU 1 stream 4");
  EXPECT_EQ(lane_of(trace, "c"), "host trainer 9/3 stream reader 3");
  EXPECT_EQ(lane_of(trace, "d"), "host trainer 9/4 stream 12");
}

TEST_F(NamedDevices, TakeTheSortOfWorkFromTheRowWhereItsNameSaysNothing) {
  const Trace trace = import(document(
      {process_is(1, "gpu:2"), thread_is(1, 1, "MemcpyH2D"), thread_is(1, 2, "Memset"),
       thread_is(1, 3, "MemcpyD2D,Compute"), work(1, 1, 0, "input.0"), work(1, 2, 0, "zero"),
       work(1, 3, 0, "copy_fusion"), work(1, 3, 20, "MemcpyD2D"),
       work(1, 1, 20, "moved", R"("memcpy_details":"kind_src:device kind_dst:device size:8")"),
       work(1, 3, 40, "one_shot", R"("hlo_op":"all-reduce-start.2")")}));
  EXPECT_EQ(op_kind_of(trace, "input.0 (HtoD)"), "MEMCPY_HTOD");
  EXPECT_EQ(op_kind_of(trace, "zero"), "MEMSET");
  EXPECT_EQ(op_kind_of(trace, "copy_fusion"), "KERNEL");
  EXPECT_EQ(op_kind_of(trace, "MemcpyD2D"), "MEMCPY_DTOD");
  EXPECT_EQ(op_kind_of(trace, "moved (DtoD)"), "MEMCPY_DTOD");
  const std::vector<SpanClass> classes = task_classes(trace);
  EXPECT_EQ(classes[trace.spans.task[span_of(trace, "all-reduce (one_shot)")]], SpanClass::comm);
  EXPECT_EQ(classes[trace.spans.task[span_of(trace, "MemcpyD2D")]], SpanClass::compute);
}

TEST_F(NamedDevices, TakeRangesWithABeginAndAnEndAsWork) {
  const auto range = [](char phase, int ts, std::string_view name) {
    return fmt::format(R"({{"ph":"{}","pid":1,"tid":4,"ts":{},"name":"{}"}})", phase, ts, name);
  };
  const std::vector<std::string> events = {range('B', 0, "k0"), range('E', 10, "k0"),
                                           range('B', 20, "k1"), range('E', 30, "k1")};
  std::vector<std::string> before = {process_is(1, "GPU 1"), thread_is(1, 4, "Queue 4")};
  std::vector<std::string> behind = events;
  behind.insert(behind.end(), before.begin(), before.end());
  before.insert(before.end(), events.begin(), events.end());
  for (const auto& text : {before, behind}) {
    const Trace trace = import(document(text));
    ASSERT_EQ(trace.lanes.size(), 1U);
    EXPECT_EQ(trace.lanes[0].name, "GPU 1 stream 4");
    EXPECT_EQ(op_kind_of(trace, "k0"), "KERNEL");
    EXPECT_EQ(op_kind_of(trace, "k1"), "KERNEL");
  }
}

TEST_F(NamedDevices, KeepStreamsOfSeveralDevicesApart) {
  std::vector<std::string> events;
  for (int device = 0; device < 8; ++device) {
    events.push_back(work(device + 1, 7, 0, fmt::format("k{}", device)));
    events.push_back(process_is(device + 1, fmt::format("/device:GPU:{}", 7 - device)));
  }
  const Trace trace = import(document(events));
  EXPECT_EQ(lanes_of(trace, LaneKind::stream).size(), 8U);
  EXPECT_EQ(lane_of(trace, "k2"), "GPU 5 stream 7");
  EXPECT_EQ(trace.lanes[trace.spans.lane[span_of(trace, "k2")]].device, 5);
}

TEST_F(NamedDevices, GiveStepsThatRangesOfTheHostNumber) {
  std::vector<std::string> events = xprof_names();
  events.push_back(work(701, 9, 0, "train", R"("step_num":"4")"));
  events.push_back(work(701, 9, 20, "train", R"("step_num":"5")"));
  events.push_back(work(1, 23, 5, "gemm"));
  const Trace trace = import(document(events));
  ASSERT_EQ(trace.steps.size(), 2U);
  EXPECT_FALSE(finding(trace, "no_steps"));
}

TEST_F(NamedDevices, DoNotChangeWhatCategoriesOfKinetoSay) {
  const Trace trace = import(document({process_is(0, "GPU 5"), kernel_event("k", "1", "1"),
                                       event("cpu_op", "aten::mm", "1", "1", "0", "7")}));
  EXPECT_EQ(lane_of(trace, "k"), "GPU 0 stream 7");
  EXPECT_EQ(op_kind_of(trace, "aten::mm"), "HOST_RANGE");
}

TEST(DeviceName, SaysWhatAProcessIs) {
  struct Expected {
    const char* name;
    std::int32_t ordinal;
  };
  for (const Expected& each :
       {Expected{"/device:GPU:3", 3}, Expected{"GPU0", 0}, Expected{"GPU 1", 1},
        Expected{"gpu:2", 2}, Expected{"Device 4", 4}, Expected{"NVIDIA H100 (5)", 5},
        Expected{"AMD Instinct MI300X [6]", 6}, Expected{"/gpu:7/stream:all", 7},
        Expected{"cuda:1", 1}, Expected{"CUDA device 2", 2}, Expected{"AMD GPU #3", 3},
        Expected{"GPU_4", 4}, Expected{"GPU-5", 5}, Expected{"  gpu 6 ", 6}, Expected{"GPU0 r4", 0},
        Expected{"/host:worker1/device:gpu:1", 1}, Expected{"COPY to GPU2", 2}}) {
    const ProcessMeaning meaning = process_meaning(each.name);
    EXPECT_EQ(meaning.sort, ProcessMeaning::Sort::device) << each.name;
    EXPECT_EQ(meaning.ordinal, each.ordinal) << each.name;
  }
  for (const char* name : {"python", "/host:CPU", "/device:CPU:0", "gpu_burn", "my_gpu0_app",
                           "GPU Process", "GPU 0 Counters", "rank 0", "", "cuda_samples",
                           "device_query", "nvidia-smi", "Spans", "copyright"})
    EXPECT_EQ(process_meaning(name).sort, ProcessMeaning::Sort::host) << name;
  for (const char* name : {"/device:TPU:0", "TPU 3", "worker gpu 0", "my gpu", "/device:CUSTOM:x"})
    EXPECT_EQ(process_meaning(name).sort, ProcessMeaning::Sort::device_like) << name;
  EXPECT_EQ(process_meaning("CPU HIP API").sort, ProcessMeaning::Sort::host_calls);
  EXPECT_EQ(process_meaning("GPU 99999999999999999999").sort, ProcessMeaning::Sort::device_like);
}

TEST(DeviceName, SaysWhatAThreadOfADeviceIs) {
  struct Expected {
    const char* name;
    std::int64_t number;
  };
  for (const Expected& each :
       {Expected{"Stream #23(Compute,MemcpyD2H)", 23}, Expected{"stream 7", 7},
        Expected{"Stream: 8", 8}, Expected{"Queue 2", 2}, Expected{"HSA queue #5", 5},
        Expected{"GPU0 stream 4", 4}, Expected{"7", 7}, Expected{"Stream #1(nccl)", 1}}) {
    EXPECT_EQ(stream_meaning(each.name).sort, StreamMeaning::Sort::stream) << each.name;
    EXPECT_EQ(stream_meaning(each.name).number, each.number) << each.name;
  }
  for (const char* name : {"Compute", "MemcpyH2D", "MemcpyD2D,Compute", "Stream", "NCCL"})
    EXPECT_EQ(stream_meaning(name).sort, StreamMeaning::Sort::stream) << name;
  EXPECT_EQ(stream_meaning("Stream #7(MemcpyP2P)").direction, "PtoP");
  EXPECT_EQ(stream_meaning("Stream #7(MemcpyP2P,MemcpyH2D)").direction, "");
  EXPECT_EQ(stream_meaning("Stream #7(MemcpyP2P)").work, WorkSort::copy);
  EXPECT_EQ(stream_meaning("XLA Ops").sort, StreamMeaning::Sort::projection);
  EXPECT_EQ(stream_meaning("something else").sort, StreamMeaning::Sort::unknown);
}

TEST_F(NamedDevices, ShowTheNamesOfProcesses) {
  const auto labels = [](int process, std::string_view text) {
    return fmt::format(R"({{"ph":"M","pid":{},"name":"process_labels","args":{{"labels":"{}"}}}})",
                       process, text);
  };
  const Trace trace = import(document(
      {event("cpu_op", "a", "1", "1", "474", "500"), event("cpu_op", "b", "1", "1", "475", "501"),
       event("cpu_op", "c", "1", "1", "476", "502"), process_is(474, "python3"),
       process_is(475, "python3"), labels(474, "CPU"), labels(475, "trainer"),
       labels(476, "loader"), thread_is(474, 500, "thread 500 (python3)"),
       thread_is(475, 501, "pt_autograd_0"), kernel_event("k", "1", "1"), process_is(0, "python3"),
       labels(0, "GPU 0")}));
  EXPECT_EQ(lane_of(trace, "a"), "host python3 474/500");
  EXPECT_EQ(lane_of(trace, "b"), "host python3 (trainer) 475/501 pt_autograd_0");
  EXPECT_EQ(lane_of(trace, "c"), "host (loader) 476/502");
  EXPECT_EQ(lane_of(trace, "k"), "GPU 0 stream 7");
}

TEST_F(NamedDevices, PutAWaitForAContextOnNoStream) {
  const auto wait = [](std::string_view name, std::string_view tid, std::string_view stream) {
    return event("cuda_sync", name, "1", "1", "0", tid,
                 stream.empty() ? "" : fmt::format(R"("args": {{"stream": {}}})", stream));
  };
  const Trace trace = import(document(
      {wait("a", "-1", ""), wait("b", "4294967295", ""), wait("c", "18446744073709551615", ""),
       wait("d", "7", "-1"), wait("e", "0", "4294967295"), wait("f", "0", "18446744073709551615"),
       wait("g", "\"-1\"", "\"-1\""), wait("Context Sync", "0", "0"), wait("h", "999999", ""),
       wait("i", "1000007", "7")}));
  EXPECT_THAT(lanes_of(trace, LaneKind::host),
              UnorderedElementsAre("GPU 0 context sync", "GPU 0 stream 7 sync"));
  EXPECT_TRUE(lanes_of(trace, LaneKind::stream).empty());
}

TEST_F(NamedDevices, LeaveLossesThatTheProfilerLoggedAsAFinding) {
  const Trace trace =
      import(document({kernel_event("k", "1", "1")},
                      R"("WARNING": ["started late", "12 CUPTI activity records were dropped"],
                         "ERROR": ["Buffer overflow"],)"));
  const auto found = finding(trace, "dropped_records");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->severity, Severity::data_loss);
  EXPECT_EQ(found->count, 2);
  EXPECT_THAT(found->message, HasSubstr("12 CUPTI activity records were dropped"));
}

}  // namespace
}  // namespace quintet
