// What quintet exports as Chrome JSON it imports as the same trace; a .qtrace in between changes
// nothing either.

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "profiler/report/chrome_trace.h"
#include "profiler/report/export_clock.h"
#include "profiler/trace/trace_file.h"
#include "profiler/trace/trace_reader.h"
#include "tests/profiler/import/import_fixture.h"
#include "tests/support/export_trace.h"

namespace quintet {
namespace {

using ::testing::IsEmpty;

/// A span less its place in the tables, which need not be in the same order.
std::string text_of_span(const Trace& trace, std::size_t span, std::int64_t moved_ns) {
  const SpanColumns& spans = trace.spans;
  const TraceTask& task = trace.tasks[spans.task[span]];
  const TraceActivity& activity = trace.activities[spans.activity[span]];
  std::string text =
      fmt::format("{} {} {} {} {} | {} | {} | step {}", spans.begin_ns[span] + moved_ns,
                  spans.end_ns[span] + moved_ns, name_of(activity.kind), task.op_kind,
                  activity.name, trace.lanes[spans.lane[span]].name,
                  trace.lanes[spans.executor_lane[span]].name, spans.step[span]);
  if (activity.launch) {
    const LaunchShape& launch = *activity.launch;
    text += fmt::format(" | {} {} {} {} {} {} r{} s{} d{}", launch.grid[0], launch.grid[1],
                        launch.grid[2], launch.block[0], launch.block[1], launch.block[2],
                        launch.registers, launch.static_shared_bytes, launch.dynamic_shared_bytes);
  }
  if (activity.launch && activity.launch->occupancy)
    text += fmt::format(" occupancy {}", *activity.launch->occupancy);
  return text + fmt::format(" | {} {} {}", activity.bytes.value_or(0),
                            activity.graph_node.value_or(0), activity.captured_node.value_or(0));
}

std::vector<std::string> span_texts(const Trace& trace, std::int64_t moved_ns = 0) {
  std::vector<std::string> texts;
  for (std::size_t span = 0; span < trace.spans.size(); ++span)
    texts.push_back(text_of_span(trace, span, moved_ns));
  std::sort(texts.begin(), texts.end());
  return texts;
}

/// Which spans have a correlation in common: sets of them, whatever the numbers are.
std::set<std::set<std::string>> joined(const Trace& trace) {
  std::map<std::uint32_t, std::set<std::string>> groups;
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    if (trace.spans.correlation[span] != 0)
      groups[trace.spans.correlation[span]].insert(text_of_span(trace, span, 0));
  }
  std::set<std::set<std::string>> sets;
  for (auto& [id, group] : groups)
    sets.insert(std::move(group));
  return sets;
}

std::multiset<std::string> lane_texts(const Trace& trace) {
  std::vector<std::string> texts;
  for (const Lane& lane : trace.lanes)
    texts.push_back(fmt::format("{} {} device {} rank {}", lane.name, name_of(lane.kind),
                                lane.device, lane.rank));
  for (const TraceLaneOrigin& origin : trace.lane_origins)
    texts[origin.lane] += fmt::format(" {} process {} context {} number {}", name_of(origin.role),
                                      origin.process, origin.context, origin.number);
  return {texts.begin(), texts.end()};
}

std::multiset<std::string> untimed_texts(const Trace& trace) {
  std::multiset<std::string> texts;
  for (const TraceUntimed& each : trace.untimed) {
    texts.insert(fmt::format("{} {} {} {} step {} | {} {}", trace.tasks[each.task].name,
                             name_of(trace.activities[each.activity].kind),
                             trace.lanes[each.lane].name, trace.lanes[each.executor_lane].name,
                             each.step, each.raw_begin_ns, each.raw_end_ns));
  }
  return texts;
}

std::vector<std::string> step_texts(const Trace& trace, std::int64_t moved_ns = 0) {
  std::vector<std::string> texts;
  for (const TraceStep& step : trace.steps) {
    texts.push_back(fmt::format(
        "{} {} {} {} {} {} {} {} {} {} {}", step.step, step.phase, step.shape, step.slot,
        step.batch, step.begin_ns + moved_ns, step.end_ns + moved_ns, step.loss.value_or(-1),
        step.correct.value_or(-1), step.learning_rate, name_of(step.recording)));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::map<std::string, std::string> finding_texts(const Trace& trace) {
  std::map<std::string, std::string> texts;
  for (const Finding& finding : trace.findings)
    texts[finding.name] = fmt::format("{} {}", name_of(finding.severity), finding.count);
  return texts;
}

void expect_same_import(const Trace& before, const Trace& after) {
  EXPECT_EQ(span_texts(before), span_texts(after));
  EXPECT_EQ(joined(before), joined(after));
  EXPECT_EQ(lane_texts(before), lane_texts(after));
  EXPECT_EQ(untimed_texts(before), untimed_texts(after));
  EXPECT_EQ(step_texts(before), step_texts(after));
  EXPECT_EQ(finding_texts(before), finding_texts(after));
  EXPECT_EQ(before.clocks.size(), after.clocks.size());
}

class RoundTrip : public ImportTest {
 protected:
  Trace through_chrome(const Trace& trace) {
    const std::string path = folder_.file("trip.trace.json");
    std::ofstream file(path, std::ios::binary);
    const Result<void> written = write_chrome_trace(trace, [&file](std::string_view piece) {
      file << piece;
      return Result<void>();
    });
    EXPECT_TRUE(written);
    file.close();
    Result<Imported> imported = import_trace(path);
    EXPECT_TRUE(imported) << to_string(imported.error());
    return imported ? std::move(imported->trace) : Trace();
  }
  Trace through_recording(const Trace& trace) {
    const std::string path = folder_.file("trip.qtrace");
    EXPECT_TRUE(write_trace(trace, path, TraceForm::plain));
    Result<Trace> read = read_trace(path);
    EXPECT_TRUE(read) << to_string(read.error());
    return read ? std::move(*read) : Trace();
  }
  void expect_round_trip(const Trace& trace) {
    const Trace once = through_chrome(trace);
    expect_same_import(trace, once);
    expect_same_import(trace, through_chrome(through_recording(once)));
  }
};

std::string stream_kernel(std::string_view name, std::string_view ts, std::string_view pid,
                          std::string_view stream, int correlation, std::string_view more = "") {
  return event(
      "kernel", name, ts, "10", pid, stream,
      fmt::format(R"("args": {{"device": {}, "context": 1, "stream": {}, "correlation": {}{}}})",
                  pid, stream, correlation, more));
}

TEST_F(RoundTrip, KeepsStreamNumbersDevicesAndThreads) {
  expect_round_trip(import(document({
      event("user_annotation", "ProfilerStep#1", "100", "500", "4100", "4100"),
      call_event("cudaLaunchKernel", "110", "2", 1),
      stream_kernel(
          "tiny", "120", "0", "7", 1,
          R"(, "registers per thread": 32, "shared memory": 1024, "grid": [132, 1, 1], "block": [256, 1, 1])"),
      stream_kernel("tiny", "140", "0", "20", 2),
      stream_kernel("other", "140", "3", "20", 3),
      event("gpu_user_annotation", "ProfilerStep#1", "119", "30", "0", "7"),
      event("cuda_sync", "Stream Sync", "130", "10", "0", "1000007"),
      event("overhead", "Activity Buffer Request", "111", "5", "-1", "0"),
      event("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", "150", "3", "0", "7",
            R"("args": {"stream": 7, "device": 0, "bytes": 4096})"),
      event("gpu_memset", "Memset (Device)", "155", "3", "0", "7", R"("args": {"stream": 7})"),
      event("cpu_op", "aten::mul", "105", "20", "4100", "4101"),
  })));
}

TEST_F(RoundTrip, KeepsRanksAndTheirDevices) {
  for (const int rank : {0, 1, 7}) {
    const Trace trace = import(document(
        {stream_kernel("k", "120", "1", "7", 1), call_event("cudaLaunchKernel", "1", "2", 1)},
        fmt::format(R"("distributedInfo": {{"rank": {}}},)", rank)));
    EXPECT_EQ(trace.lanes[0].rank, rank);
    expect_round_trip(trace);
  }
}

TEST_F(RoundTrip, KeepsSeveralRanksOfOneTrace) {
  std::vector<std::string> paths;
  for (const int rank : {0, 1, 2}) {
    paths.push_back(write(
        document(
            {stream_kernel("k", std::to_string(120 + rank), std::to_string(rank % 2), "7", 1),
             call_event("cudaLaunchKernel", "100", "2", 1),
             event("user_annotation", "step 4", "90", "100")},
            fmt::format(
                R"("baseTimeNanoseconds": 1790857026000000000, "distributedInfo": {{"rank": {}}},)",
                rank)),
        fmt::format("r{}.json", rank)));
  }
  const Result<Imported> imported = import_trace(paths);
  ASSERT_TRUE(imported);
  expect_round_trip(imported->trace);
}

TEST_F(RoundTrip, KeepsWhatHasNoTimesAndWhatWasLost) {
  const Trace trace = import(document(
      {call_event("cudaLaunchKernel", "100", "2", 1), stream_kernel("k", "120", "0", "7", 1),
       event("kernel", "zero", "0", "0", "0", "7", R"("args": {"stream": 7, "correlation": 1})"),
       event("kernel", "backwards", "200", "-5", "0", "7", R"("args": {"stream": 7})"),
       call_event("cudaLaunchKernel", "130", "2", 2),
       call_event("cudaGraphLaunch", "140", "2", 3)}));
  EXPECT_EQ(trace.untimed.size(), 2U);
  EXPECT_EQ(counted(trace, "launched_work_missing"), 1);
  expect_round_trip(trace);
}

TEST_F(RoundTrip, KeepsALossThatOnlyTheTextShowed) {
  const std::string text = document({stream_kernel("k", "120", "0", "7", 1)});
  const Trace trace = import(text.substr(0, text.size() - 6));
  EXPECT_EQ(counted(trace, "truncated_file"), 1);
  expect_round_trip(trace);
}

TEST_F(RoundTrip, KeepsStartedRangesThatCrossApartFromNestedOnes) {
  expect_round_trip(import(document(
      {R"({"ph": "b", "cat": "c", "id": 1, "name": "Frontend", "pid": 1, "tid": 2, "ts": 10})",
       R"({"ph": "b", "cat": "c", "id": 2, "name": "Parse", "pid": 1, "tid": 2, "ts": 20})",
       R"({"ph": "e", "cat": "c", "id": 1, "name": "Frontend", "pid": 1, "tid": 2, "ts": 30})",
       R"({"ph": "e", "cat": "c", "id": 2, "name": "Parse", "pid": 1, "tid": 2, "ts": 50})",
       event("user_annotation", "outer", "5", "100", "1", "2"),
       event("user_annotation", "inner", "15", "5", "1", "2"),
       stream_kernel("k", "120", "0", "7", 0)})));
}

TEST_F(RoundTrip, KeepsOverlapsOfOneStreamAndOneThread) {
  expect_round_trip(import(document(
      {stream_kernel("a", "100", "0", "7", 0), stream_kernel("b", "105", "0", "7", 0),
       stream_kernel("c", "105", "0", "7", 0), event("cpu_op", "x", "100", "20", "1", "1000007"),
       event("cpu_op", "y", "110", "20", "1", "1000007"),
       event("cpu_op", "z", "1", "2", "1", "7")})));
}

TEST_F(RoundTrip, KeepsIdsThatWereUsedAgain) {
  expect_round_trip(import(document(
      {call_event("cudaLaunchKernel", "100", "2", 1), stream_kernel("a", "110", "0", "7", 1),
       call_event("cudaLaunchKernel", "200", "2", 1), stream_kernel("b", "210", "0", "7", 1)})));
}

TEST_F(RoundTrip, NamesNoStepWhereNoneWasNamed) {
  const Trace trace = import(document({stream_kernel("k", "120", "0", "7", 1)}));
  ASSERT_EQ(counted(trace, "no_steps"), 1);
  expect_round_trip(trace);
}

TEST_F(RoundTrip, KeepsDevicesThatHaveTheNumberOfAProcess) {
  expect_round_trip(
      import(document({stream_kernel("k", "120", "1", "7", 1),
                       event("cpu_op", "main of a container", "1", "20", "1", "7")})));
}

TEST_F(RoundTrip, KeepsTheRealTracesOfAProfiler) {
  for (const char* name : {"kineto_branches_graph.json.gz", "kineto_resnet18_eager_h2d.json.gz"}) {
    SCOPED_TRACE(name);
    const Result<Imported> imported =
        import_trace(std::string(QUINTET_SOURCE_DIR) + "/tests/profiler/import/data/" + name);
    ASSERT_TRUE(imported);
    expect_round_trip(imported->trace);
  }
}

TEST_F(RoundTrip, ReadsATableOfLanesThatMakesNoSenseAsAnyDocument) {
  const auto with = [](std::string_view lanes) {
    return document(
        {event("kernel", "k", "1", "2", "0", "7", R"("args": {"lane": 5, "stream": 7})")},
        fmt::format(R"("quintet": {{"lanes": {}}},)", lanes));
  };
  for (const char* lanes :
       {"[]", "7", "[7]", R"([{"name": "x", "kind": "stream", "device": -1, "rank": 0}])",
        R"([{"name": "x", "kind": "nothing", "device": 0, "rank": 0}])",
        R"([{"name": "x", "kind": "host", "device": 0, "rank": 0}])"}) {
    const Trace trace = import(with(lanes));
    ASSERT_EQ(trace.spans.size(), 1U) << lanes;
    EXPECT_EQ(trace.lanes[trace.spans.lane[0]].name, "GPU 0 stream 7") << lanes;
  }
}

/// What a recording of our own becomes: calls and steps stay, tasks are called by what ran.
void expect_work_kept(const Trace& before, const Trace& after) {
  const std::int64_t moved = realtime_offset_ns(before).value_or(0);
  const auto works = [](const Trace& trace, std::int64_t moved_ns) {
    std::vector<std::tuple<std::int64_t, std::int64_t, std::string, std::string, std::string>>
        found;
    for (std::size_t span = 0; span < trace.spans.size(); ++span) {
      const std::uint32_t activity = trace.spans.activity[span];
      const bool whole = activity == kWholeTask;
      const Lane& lane = trace.lanes[trace.spans.executor_lane[span]];
      if (lane.kind == LaneKind::host) continue;
      found.emplace_back(
          trace.spans.begin_ns[span] + moved_ns, trace.spans.end_ns[span] + moved_ns,
          whole ? trace.tasks[trace.spans.task[span]].name : trace.activities[activity].name,
          trace.lanes[trace.spans.lane[span]].name, lane.name);
    }
    std::sort(found.begin(), found.end());
    return found;
  };
  EXPECT_EQ(works(before, moved), works(after, 0));
  EXPECT_EQ(step_texts(before, moved), step_texts(after));
  EXPECT_EQ(before.untimed.size(), after.untimed.size());
  std::map<std::string, std::string> kept = finding_texts(after);
  for (const auto& [name, text] : finding_texts(before))
    EXPECT_EQ(kept[name], text) << name;
  for (const Finding& finding : after.findings) {
    const bool loss = finding.severity >= Severity::data_loss;
    EXPECT_TRUE(!loss || finding_texts(before).contains(finding.name)) << finding.name;
  }
  const auto places = [](const Trace& trace) {
    std::set<std::tuple<std::string, int, int>> found;
    for (const Lane& lane : trace.lanes) {
      if (lane.kind != LaneKind::host) found.emplace(lane.name, lane.rank, lane.device);
    }
    return found;
  };
  EXPECT_EQ(places(before), places(after));
}

TEST_F(RoundTrip, KeepsTheWorkOfAllShippedRecordings) {
  std::size_t recordings = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(QUINTET_SOURCE_DIR) +
                                                               "/scenarios/recorded")) {
    if (!entry.path().string().ends_with(".qtrace.gz")) continue;
    SCOPED_TRACE(entry.path().filename());
    const Result<Trace> trace = read_trace(entry.path().string());
    ASSERT_TRUE(trace);
    const Trace once = through_chrome(*trace);
    expect_work_kept(*trace, once);
    expect_same_import(once, through_chrome(once));
    ++recordings;
  }
  EXPECT_GE(recordings, 30U);
}

TEST_F(RoundTrip, KeepsSpansThatOverlapAtRandom) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    const Trace once = through_chrome(random_export_trace(seed, 300));
    expect_same_import(once, through_chrome(once));
  }
}

}  // namespace
}  // namespace quintet
