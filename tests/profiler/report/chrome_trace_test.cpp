#include "profiler/report/chrome_trace.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "profiler/report/json_parts.h"
#include "profiler/report/json_text.h"
#include "profiler/trace/trace_batch.h"
#include "profiler/trace/utf8.h"
#include "tests/profiler/report/collected.h"
#include "tests/profiler/report/golden.h"
#include "tests/support/example_trace.h"
#include "tests/support/export_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;

std::string chrome_text(const Trace& trace) {
  return collect([&trace](const ByteSink& sink) { return write_chrome_trace(trace, sink); }).text;
}

OrderedJson chrome_of(const Trace& trace) {
  return OrderedJson::parse(chrome_text(trace));
}

std::int64_t ns_of(const OrderedJson& microseconds) {
  return std::llround(microseconds.get<double>() * 1000);
}

std::vector<OrderedJson> complete_events(const OrderedJson& document) {
  std::vector<OrderedJson> events;
  for (const OrderedJson& event : document.at("traceEvents"))
    if (event.at("ph") == "X") events.push_back(event);
  return events;
}

bool is_span(const OrderedJson& event) {
  const std::int64_t tid = event.at("tid").get<std::int64_t>() % 1'000'000;
  const std::string name = event.at("name");
  return tid < 100'000 && !name.starts_with("host_sync") && !name.starts_with("host_wait");
}

/// (lane, begin, end, task)
using Found = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string>;

void expect_every_span_once(const Trace& trace, const OrderedJson& document) {
  std::multiset<Found> wanted, found;
  const SpanColumns& spans = trace.spans;
  for (std::size_t span = 0; span < spans.size(); ++span) {
    wanted.emplace(spans.executor_lane[span], spans.begin_ns[span], spans.end_ns[span],
                   valid_utf8(trace.tasks[spans.task[span]].name));
  }
  std::size_t others = 0;
  for (const OrderedJson& event : complete_events(document)) {
    EXPECT_GE(event.at("dur").get<double>(), 0);
    if (!is_span(event)) {
      ++others;
      continue;
    }
    const std::int64_t begin = ns_of(event.at("ts"));
    found.emplace(event.at("tid").get<std::int64_t>() % 1'000'000, begin,
                  begin + ns_of(event.at("dur")), event.at("args").at("task"));
  }
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(others, trace.host_waits.size() + trace.launches.size() + trace.steps.size());
}

/// On one thread boxes follow each other or lie within each other; on a device's they follow.
void expect_threads_nest(const OrderedJson& document) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>> open;
  for (const OrderedJson& event : complete_events(document)) {
    const auto process = event.at("pid").get<std::int64_t>();
    auto& ends = open[{process, event.at("tid").get<std::int64_t>()}];
    const std::int64_t begin = ns_of(event.at("ts"));
    const std::int64_t end = begin + ns_of(event.at("dur"));
    while (!ends.empty() && ends.back() <= begin)
      ends.pop_back();
    if (!ends.empty()) {
      EXPECT_LE(end, ends.back());
      EXPECT_GE(process, 1'000'000) << "two at once on a thread of a device";
    }
    ends.push_back(end);
  }
}

void expect_faithful(const Trace& trace) {
  const OrderedJson document = chrome_of(trace);
  expect_every_span_once(trace, document);
  expect_threads_nest(document);
}

TEST(ChromeTrace, IsWhatAPersonLastAccepted) {
  expect_golden("tiny.trace.json", chrome_text(tiny_trace()));
  expect_golden("export.trace.json", chrome_text(export_trace()));
}

TEST(ChromeTrace, HasEverySpanOnceWhereItRan) {
  expect_faithful(tiny_trace());
  expect_faithful(example_trace());
  expect_faithful(export_trace());
}

TEST(ChromeTrace, LosesAndCutsNothingOfSpansThatOverlapAtRandom) {
  for (std::uint32_t seed = 0; seed < 30; ++seed)
    expect_faithful(random_export_trace(seed, 400));
}

TEST(ChromeTrace, ReadsBackAsTheSameJson) {
  const std::string text = chrome_text(export_trace());
  EXPECT_EQ(OrderedJson::parse(text), OrderedJson::parse(OrderedJson::parse(text).dump()));
  const OrderedJson document = OrderedJson::parse(text);
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.items())
    keys.push_back(key);
  EXPECT_THAT(
      keys, testing::ElementsAre("schemaVersion", "deviceProperties", "quintet", "displayTimeUnit",
                                 "baseTimeNanoseconds", "traceEvents", "quintetUntimed",
                                 "quintetSteps", "distributedInfo", "traceName"));
}

TEST(ChromeTrace, TellsItsRankIfThereIsButOne) {
  Trace trace = export_trace();
  for (Lane& lane : trace.lanes)
    lane.rank = 3;
  EXPECT_EQ(chrome_of(trace).at("distributedInfo").at("rank"), 3);
  trace.lanes[1].rank = 4;
  EXPECT_FALSE(chrome_of(trace).contains("distributedInfo"));
}

TEST(ChromeTrace, UsesKinetosCategoriesAndKeys) {
  std::map<std::string, OrderedJson> first;
  for (const OrderedJson& event : complete_events(chrome_of(export_trace())))
    first.emplace(event.at("cat"), event);
  const OrderedJson& kernel = first.at("kernel");
  EXPECT_EQ(kernel.at("pid"), 0);
  EXPECT_EQ(kernel.at("tid"), 2);
  const OrderedJson& args = kernel.at("args");
  EXPECT_EQ(args.at("device"), 0);
  EXPECT_EQ(args.at("stream"), 2);
  EXPECT_EQ(args.at("captured stream"), 0);
  EXPECT_EQ(args.at("logical lane"), "COMP_1");
  EXPECT_EQ(args.at("correlation"), 100);
  EXPECT_EQ(args.at("registers per thread"), 168);
  EXPECT_EQ(args.at("shared memory"), 66560);
  EXPECT_EQ(args.at("grid"), OrderedJson::parse("[132,2,1]"));
  EXPECT_EQ(args.at("block"), OrderedJson::parse("[256,1,1]"));
  EXPECT_EQ(args.at("est. achieved occupancy %"), 12.5);
  EXPECT_EQ(args.at("graph node id"), 0xFFFF'0000'0000'0001U);
  EXPECT_EQ(first.at("gpu_memcpy").at("args").at("bytes"), 200704);
  EXPECT_EQ(first.at("gpu_memcpy").at("args").at("memory bandwidth (GB/s)"), 2.00704);
  EXPECT_EQ(first.at("gpu_memset").at("args").at("bytes"), 4096);
  EXPECT_EQ(first.at("cuda_runtime").at("name"), "cudaGraphLaunch_v10000");
  EXPECT_TRUE(first.contains("user_annotation"));
}

TEST(ChromeTrace, OneArrowBeginsAtALaunchAndOneEndsAtEachThingItLaunched) {
  std::map<int, int> begins, ends;
  const OrderedJson document = chrome_of(export_trace());
  for (const OrderedJson& event : document.at("traceEvents")) {
    if (event.at("ph") == "s") ++begins[event.at("id")];
    if (event.at("ph") == "f") ++ends[event.at("id")];
  }
  EXPECT_EQ(begins[101], 1);
  EXPECT_EQ(ends[101], 7);
  for (const auto& [id, count] : ends)
    EXPECT_EQ(begins[id], 1) << id;
}

TEST(ChromeTrace, AbsoluteTimeIsBasePlusTime) {
  const OrderedJson document = chrome_of(export_trace());
  const OrderedJson events = complete_events(document);
  EXPECT_EQ(document.at("baseTimeNanoseconds"), 1795980990000000007);
  EXPECT_EQ(ns_of(events.front().at("ts")), 5'000'000'000);
  EXPECT_EQ(chrome_of(tiny_trace()).at("baseTimeNanoseconds"), 0);
}

TEST(ChromeTrace, TimesThatADoubleCannotHoldAreWrittenFromALaterBase) {
  Trace trace = tiny_trace();
  constexpr std::int64_t kUnix = 1'672'924'881'307'000'123;
  for (auto* column : {&trace.spans.begin_ns, &trace.spans.end_ns})
    for (std::int64_t& time : *column)
      time += kUnix;
  trace.steps.clear();
  trace.host_waits.clear();
  trace.launches.clear();
  const OrderedJson document = chrome_of(trace);
  const auto base = document.at("baseTimeNanoseconds").get<std::int64_t>();
  const OrderedJson first = complete_events(document).front();
  EXPECT_EQ(base + ns_of(first.at("ts")), kUnix + 100);
  EXPECT_THAT(chrome_text(trace), HasSubstr("\"ts\":307000.223,\"dur\":0.200"));
}

TEST(ChromeTrace, MicrosecondsAreExactAtBothEnds) {
  const auto text = [](std::int64_t ns) {
    std::string json;
    append_microseconds(json, ns);
    return json;
  };
  EXPECT_EQ(text(0), "0.000");
  EXPECT_EQ(text(7), "0.007");
  EXPECT_EQ(text(1'672'924'881'307'000'123), "1672924881307000.123");
  EXPECT_EQ(text(-1), "-0.001");
  EXPECT_EQ(text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775.808");
  EXPECT_EQ(text(std::numeric_limits<std::int64_t>::max()), "9223372036854775.807");
}

TEST(ChromeTrace, TimesBelowZeroAreWrittenFromAnEarlierBase) {
  Trace trace = tiny_trace();
  append_span(trace.spans, {-500, -400, -1, 1, 0, 1, 1});
  const OrderedJson document = chrome_of(trace);
  const auto base = document.at("baseTimeNanoseconds").get<std::int64_t>();
  EXPECT_EQ(base + ns_of(complete_events(document).front().at("ts")), -500);
}

TEST(ChromeTrace, StreamsInPiecesAndStopsAtTheFirstError) {
  const Trace trace = random_export_trace(1, 20'000);
  const Collected all =
      collect([&trace](const ByteSink& sink) { return write_chrome_trace(trace, sink); });
  EXPECT_GT(all.pieces, 20U);
  EXPECT_LT(all.largest, 2 * PieceBuffer::kPieceBytes);
  int calls = 0;
  const Result<void> written = write_chrome_trace(trace, failing_sink(calls));
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().message, "the disk is full");
  EXPECT_EQ(calls, 2);
}

TEST(ChromeTrace, OfAnEmptyTraceIsADocument) {
  EXPECT_EQ(chrome_of(Trace()).at("traceEvents").size(), 1U);
}

}  // namespace
}  // namespace quintet
