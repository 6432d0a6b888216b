#include "profiler/report/perfetto_trace.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>

#include "profiler/report/json_text.h"
#include "profiler/trace/trace_batch.h"
#include "tests/profiler/report/collected.h"
#include "tests/profiler/report/golden.h"
#include "tests/profiler/report/perfetto_reader.h"
#include "tests/support/example_trace.h"
#include "tests/support/export_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;

std::string perfetto_bytes(const Trace& trace) {
  return collect([&trace](const ByteSink& sink) { return write_perfetto_trace(trace, sink); }).text;
}

PerfettoDocument perfetto_of(const Trace& trace) {
  return read_perfetto(perfetto_bytes(trace));
}

/// (lane, begin, end, step): what a span must be found as.
using FoundSlice = std::tuple<std::string, std::int64_t, std::int64_t, std::string>;

std::multiset<FoundSlice> wanted_spans(const Trace& trace) {
  std::multiset<FoundSlice> wanted;
  const SpanColumns& spans = trace.spans;
  for (std::size_t span = 0; span < spans.size(); ++span) {
    const std::string step = spans.step[span] < 0 ? "" : std::to_string(spans.step[span]);
    const auto add = [&](std::uint16_t lane) {
      wanted.emplace(trace.lanes[lane].name, spans.begin_ns[span], spans.end_ns[span], step);
    };
    add(spans.lane[span]);
    if (spans.executor_lane[span] != spans.lane[span]) add(spans.executor_lane[span]);
  }
  return wanted;
}

bool is_span(const PerfettoEvent& event) {
  return event.category == "stream" || event.category == "executor" || event.category == "host";
}

void expect_every_span_once(const Trace& trace, const PerfettoDocument& document) {
  std::multiset<FoundSlice> found;
  std::size_t others = 0;
  for (const PerfettoSlice& slice : slices_of(document)) {
    EXPECT_GE(slice.end_time, slice.begin.time);
    if (!is_span(slice.begin)) {
      ++others;
      continue;
    }
    const auto step = slice.begin.notes.find("step");
    found.emplace(document.tracks.at(slice.begin.track).name, slice.begin.time, slice.end_time,
                  step == slice.begin.notes.end() ? "" : step->second);
  }
  EXPECT_EQ(found, wanted_spans(trace));
  EXPECT_EQ(others, trace.host_waits.size() + trace.launches.size() + trace.steps.size());
}

/// Slices that are over come back to 0: the area below the counter is the sum of all durations.
void expect_concurrency_adds_up(const Trace& trace, const PerfettoDocument& document) {
  std::int64_t wanted = 0;
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    const std::uint32_t activity = trace.spans.activity[span];
    const bool host_kind =
        activity != kWholeTask && (trace.activities[activity].kind == ActivityKind::api_call ||
                                   trace.activities[activity].kind == ActivityKind::host_range);
    if (host_kind || trace.lanes[trace.spans.lane[span]].kind == LaneKind::host) continue;
    wanted += trace.spans.end_ns[span] - trace.spans.begin_ns[span];
  }
  double area = 0, value = 0;
  std::uint64_t since = 0;
  for (const PerfettoEvent& event : document.events) {
    if (event.type != 4 || document.tracks.at(event.track).name != "concurrency") continue;
    area += value * static_cast<double>(event.time - since);
    EXPECT_NE(event.value, value);
    value = event.value;
    since = event.time;
  }
  EXPECT_EQ(value, 0);
  EXPECT_EQ(area, static_cast<double>(wanted));
}

void expect_times_in_order(const PerfettoDocument& document) {
  for (std::size_t event = 1; event < document.events.size(); ++event)
    ASSERT_LE(document.events[event - 1].time, document.events[event].time);
}

void expect_slices_nest(const PerfettoDocument& document) {
  // slices_of pairs an end with the latest begin; that it is the right one, depth by depth, shows
  // where lanes of a device never have two at once.
  std::map<std::uint64_t, int> depth;
  for (const PerfettoEvent& event : document.events) {
    if (event.type == 1) ++depth[event.track];
    if (event.type == 2) --depth[event.track];
    const bool device = document.path(event.track).find("host lanes") == std::string::npos;
    if (device && depth[event.track] > 1) ADD_FAILURE() << document.path(event.track);
  }
}

/// Every arrow that ends is one that has begun and has not ended yet.
void expect_arrows_join(const PerfettoDocument& document) {
  std::set<std::uint64_t> open;
  for (const PerfettoEvent& event : document.events) {
    for (const std::uint64_t flow : event.ended_flows)
      EXPECT_EQ(open.erase(flow), 1U);
    open.insert(event.flows.begin(), event.flows.end());
  }
}

void expect_faithful_slices(const Trace& trace) {
  const PerfettoDocument document = perfetto_of(trace);
  expect_every_span_once(trace, document);
  expect_concurrency_adds_up(trace, document);
  expect_times_in_order(document);
  expect_slices_nest(document);
  expect_arrows_join(document);
}

TEST(PerfettoTrace, IsWhatAPersonLastAccepted) {
  expect_golden("tiny_perfetto.txt", perfetto_of(tiny_trace()).text());
  expect_golden("export_perfetto.txt", perfetto_of(export_trace()).text());
}

TEST(PerfettoTrace, HasEverySpanOnceOnEachOfItsLanes) {
  expect_faithful_slices(tiny_trace());
  expect_faithful_slices(example_trace());
  expect_faithful_slices(export_trace());
}

TEST(PerfettoTrace, LosesAndCutsNothingOfSpansThatOverlapAtRandom) {
  for (std::uint32_t seed = 0; seed < 30; ++seed)
    expect_faithful_slices(random_export_trace(seed, 400));
}

TEST(PerfettoTrace, OverlappingSpansOfALaneAreOnSiblingTracksOfOneName) {
  const PerfettoDocument document = perfetto_of(export_trace());
  std::set<std::uint64_t> tracks;
  for (const PerfettoEvent& event : document.events) {
    if (event.type == 1 && document.path(event.track) == "rank 0 / policy lanes / COMP_1")
      tracks.insert(event.track);
  }
  EXPECT_EQ(tracks.size(), 2U);
}

TEST(PerfettoTrace, ArrowsFollowTheEdgesOfTheTaskGraph) {
  const PerfettoDocument document = perfetto_of(example_trace());
  std::map<std::uint64_t, PerfettoEvent> from;
  std::set<std::pair<std::string, std::string>> joined;
  for (const PerfettoEvent& event : document.events) {
    for (const std::uint64_t flow : event.ended_flows) {
      EXPECT_EQ(from.at(flow).notes.at("step"), event.notes.at("step"));
      joined.emplace(from.at(flow).name, event.name);
    }
    for (const std::uint64_t flow : event.flows)
      from[flow] = event;
  }
  std::set<std::pair<std::string, std::string>> edges;
  const Trace trace = example_trace();
  for (const TraceGraph& graph : trace.graphs)
    for (const TraceEdge& edge : graph.edges)
      edges.emplace(trace.tasks[edge.from].name, trace.tasks[edge.to].name);
  EXPECT_EQ(joined, edges);
}

TEST(PerfettoTrace, ALaunchPointsAtTheFirstSpanOnEachLane) {
  const PerfettoDocument document = perfetto_of(export_trace());
  std::set<std::uint64_t> launched;
  for (const PerfettoEvent& event : document.events) {
    if (event.category != "launch" || event.notes.at("step") != "0") continue;
    launched.insert(event.flows.begin(), event.flows.end());
  }
  EXPECT_EQ(launched.size(), 2U);
  std::multiset<std::string> reached;
  for (const PerfettoEvent& event : document.events) {
    for (const std::uint64_t flow : event.ended_flows)
      if (launched.contains(flow)) reached.insert(event.name);
  }
  EXPECT_EQ(reached, (std::multiset<std::string>{"all/RANGE_CLEAR/clear", "data/H2D_COPY/copy"}));
}

TEST(PerfettoTrace, TellsWhatIsNotDrawnInItsAttributes) {
  const PerfettoDocument document = perfetto_of(export_trace());
  EXPECT_EQ(document.attributes.at("quintet.untimed"), "1");
  EXPECT_EQ(document.attributes.at("quintet.finding.untimed_activities"), "1");
  EXPECT_EQ(document.attributes.at("quintet.scenario"), "export");
  EXPECT_EQ(document.attributes.at("quintet.state"), "complete");
}

TEST(PerfettoTrace, ALossNobodyReadIsNoZero) {
  std::vector<double> losses;
  const PerfettoDocument document = perfetto_of(export_trace());
  for (const PerfettoEvent& event : document.events)
    if (event.type == 4 && document.tracks.at(event.track).name == "loss")
      losses.push_back(event.value);
  EXPECT_EQ(losses, (std::vector<double>{2.25, 0.75}));
}

TEST(PerfettoTrace, KeepsAll64BitsOfANode) {
  bool found = false;
  for (const PerfettoEvent& event : perfetto_of(export_trace()).events) {
    const auto node = event.notes.find("graph_node");
    found = found || (node != event.notes.end() && node->second == "18446462598732840961");
  }
  EXPECT_TRUE(found);
}

TEST(PerfettoTrace, TimesBelowZeroMoveTogetherAndSaySo) {
  Trace trace = tiny_trace();
  append_span(trace.spans, {-500, -400, -1, 1, 0, 1, 1});
  const PerfettoDocument document = perfetto_of(trace);
  EXPECT_EQ(document.attributes.at("quintet.time_zero_ns"), "-500");
  EXPECT_EQ(document.events.front().time, 0U);
}

TEST(PerfettoTrace, OfAnEmptyTraceIsARecordingWithoutEvents) {
  const PerfettoDocument document = perfetto_of(Trace());
  EXPECT_TRUE(document.events.empty());
  EXPECT_GE(document.packets, 2U);
}

TEST(PerfettoTrace, StreamsInPiecesAndStopsAtTheFirstError) {
  const Trace trace = random_export_trace(1, 20'000);
  const Collected all =
      collect([&trace](const ByteSink& sink) { return write_perfetto_trace(trace, sink); });
  EXPECT_GT(all.pieces, 20U);
  EXPECT_LT(all.largest, 2 * PieceBuffer::kPieceBytes);
  int calls = 0;
  const Result<void> written = write_perfetto_trace(trace, failing_sink(calls));
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().message, "the disk is full");
  EXPECT_EQ(calls, 2);
}

/// What Google's own decoder makes of the bytes: as many packets, and every text.
TEST(PerfettoTrace, IsReadByProtoc) {
  if (std::string(QUINTET_PROTOC).empty()) GTEST_SKIP() << "protoc is not installed";
  const std::string folder = testing::TempDir();
  const std::string input = folder + "quintet_export.pftrace";
  const std::string output = folder + "quintet_export.txt";
  const std::string bytes = perfetto_bytes(export_trace());
  std::ofstream(input, std::ios::binary) << bytes;
  const std::string command =
      std::string("'") + QUINTET_PROTOC + "' --decode_raw < '" + input + "' > '" + output + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream decoded(output);
  std::size_t packets = 0;
  std::string all;
  for (std::string line; std::getline(decoded, line);) {
    packets += line == "1 {" ? 1 : 0;
    all += line + "\n";
  }
  EXPECT_EQ(packets, read_perfetto(bytes).packets);
  EXPECT_THAT(all, HasSubstr("void gemm<float, 128>(float const*)"));
  std::filesystem::remove(input);
  std::filesystem::remove(output);
}

}  // namespace
}  // namespace quintet
