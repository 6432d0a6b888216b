#include "profiler/import/range_pairs.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/profiler/import/import_fixture.h"

namespace quintet {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

/// The begins and ends of one owner, written as "a+100 b+200 a-200 -300".
struct Paired {
  std::vector<std::string> ranges;  ///< "a 100..200"
  RangePairs::Counts counts;
};

Paired pair(const std::string& marks, RangeSort sort = RangeSort::nested) {
  RangePairs pairs;
  for (std::size_t at = 0; at < marks.size();) {
    const std::size_t sign = marks.find_first_of("+-", at);
    const std::size_t end = std::min(marks.find(' ', sign), marks.size());
    const std::string name = marks.substr(at, sign - at);
    const std::int64_t time = std::stoll(marks.substr(sign + 1, end - sign - 1));
    const std::uint32_t owner = pairs.owner("thread");
    if (marks[sign] == '+') {
      PairedRange range;
      range.name = name;
      range.begin_ns = time;
      range.sort = sort;
      pairs.begin(owner, range);
    } else {
      pairs.end(owner, name, time);
    }
    at = end + 1;
  }
  Paired paired;
  paired.counts = pairs.pair([&](const PairedRange& range) {
    paired.ranges.push_back(fmt::format("{} {}..{}", range.name, range.begin_ns,
                                        range.end_ns ? std::to_string(*range.end_ns) : "open"));
  });
  return paired;
}

void expect_no_findings(const RangePairs::Counts& counts, const std::string& marks) {
  EXPECT_EQ(counts.ambiguous, 0) << marks;
  EXPECT_EQ(counts.without_begin, 0) << marks;
  EXPECT_EQ(counts.too_deep, 0) << marks;
}

TEST(RangePairs, MatchByNameAndTimeWhateverTheOrderInTheFile) {
  std::vector<std::string> marks = {"a+0", "b+10", "c+15", "c-20", "b-30", "a-40"};
  std::sort(marks.begin(), marks.end());
  do {
    const std::string text = fmt::format("{}", fmt::join(marks, " "));
    const Paired paired = pair(text);
    ASSERT_THAT(paired.ranges, ElementsAre("a 0..40", "b 10..30", "c 15..20")) << text;
    expect_no_findings(paired.counts, text);
  } while (std::next_permutation(marks.begin(), marks.end()));
}

TEST(RangePairs, MatchUnnamedEndsToTheInnermostRangeInOrderOfTime) {
  for (const std::string marks :
       {"a+0 b+10 -30 -40", "a+0 -40 b+10 -30", "-40 -30 b+10 a+0", "a+0 b+10 -30 a-40"}) {
    const Paired paired = pair(marks);
    EXPECT_THAT(paired.ranges, ElementsAre("a 0..40", "b 10..30")) << marks;
    expect_no_findings(paired.counts, marks);
  }
}

TEST(RangePairs, EndWhatIsOpenBeforeAnotherBeginsAtTheSameTime) {
  for (const std::string marks :
       {"a+100 b+200 a-200 b-300", "a+100 a-200 b+200 b-300", "b-300 b+200 a-200 a+100"}) {
    const Paired paired = pair(marks);
    EXPECT_THAT(paired.ranges, ElementsAre("a 100..200", "b 200..300")) << marks;
    expect_no_findings(paired.counts, marks);
  }
  // Iterations of a loop.
  EXPECT_THAT(pair("s+0 s-10 s+10 s-20 s+20 s-30").ranges,
              ElementsAre("s 0..10", "s 10..20", "s 20..30"));
  // Ranges that end at once do not cross, in whatever order their ends stand.
  const Paired nest = pair("a+0 b+10 a-20 b-20");
  EXPECT_THAT(nest.ranges, ElementsAre("a 0..20", "b 10..20"));
  expect_no_findings(nest.counts, "nest");
}

TEST(RangePairs, CountWhereTheOrderOfOneMomentLeavesADoubt) {
  const Paired paired = pair("s+100 s+200 s-200 s-300");
  EXPECT_THAT(paired.ranges, ElementsAre("s 100..200", "s 200..300"));
  EXPECT_EQ(paired.counts.ambiguous, 1);
}

TEST(RangePairs, KeepRangesOfNoLength) {
  for (const std::string marks : {"a+5 a-5", "a-5 a+5", "a+5 -5"}) {
    const Paired paired = pair(marks);
    EXPECT_THAT(paired.ranges, ElementsAre("a 5..5")) << marks;
    expect_no_findings(paired.counts, marks);
  }
  EXPECT_THAT(pair("a+0 b+5 b-5 a-9").ranges, ElementsAre("a 0..9", "b 5..5"));
  EXPECT_THAT(pair("a+0 b-5 b+5 a-9").ranges, ElementsAre("a 0..9", "b 5..5"));
  EXPECT_THAT(pair("a+5 b+5 b-5 a-5").ranges, ElementsAre("a 5..5", "b 5..5"));
}

TEST(RangePairs, PreferALaterEndToOneThatStandsBeforeTheBeginAtItsTime) {
  const Paired paired = pair("a-5 a+5 a-9");
  EXPECT_THAT(paired.ranges, ElementsAre("a 5..9"));
  EXPECT_EQ(paired.counts.without_begin, 1);
}

TEST(RangePairs, LeaveOutEndsThatNameNothingOpen) {
  const Paired paired = pair("x-1 -2 a+10 b-20 a-30 a-40");
  EXPECT_THAT(paired.ranges, ElementsAre("a 10..30"));
  EXPECT_EQ(paired.counts.without_begin, 4);
}

TEST(RangePairs, LeaveRangesOpenThatNothingEnds) {
  const Paired paired = pair("a+0 b+10 a-20 c+30");
  EXPECT_THAT(paired.ranges, ElementsAre("a 0..20", "b 10..open", "c 30..open"));
}

TEST(RangePairs, KeepTheNamesOfRangesThatCross) {
  EXPECT_THAT(pair("a+0 b+10 a-20 b-30").ranges, ElementsAre("a 0..20", "b 10..30"));
}

TEST(RangePairs, CountStartedRangesOfOneNameThatCouldEndOtherwise) {
  const auto ambiguous = [](const std::string& marks) {
    return pair(marks, RangeSort::started).counts.ambiguous;
  };
  EXPECT_THAT(pair("a+10 a+20 a-30 a-40", RangeSort::started).ranges,
              ElementsAre("a 10..40", "a 20..30"));
  EXPECT_EQ(ambiguous("a+10 a+20 a-30 a-40"), 1);
  EXPECT_EQ(ambiguous("a+10 a+20 a-30"), 1) << "which one stays open?";
  EXPECT_EQ(ambiguous("a+10 a+20 a-30 a-30"), 0) << "both choices give the same";
  EXPECT_EQ(ambiguous("a+10 a+10 a-30 a-40"), 0) << "both choices give the same";
  EXPECT_EQ(ambiguous("a+10 b+20 a-30 b-40"), 0) << "names decide";
  EXPECT_EQ(ambiguous("a+10 a-20 a+20 a-30"), 0);
  EXPECT_EQ(pair("a+10 a+20 a-30 a-40").counts.ambiguous, 0) << "calls of a thread nest";
}

TEST(RangePairs, LeaveOutWhatIsNestedTooDeepAndItsEnds) {
  RangePairs pairs;
  const std::uint32_t owner = pairs.owner("thread");
  for (std::uint32_t i = 0; i < RangePairs::kMostDepth + 5; ++i) {
    PairedRange range;
    range.name = "n";
    range.begin_ns = i;
    pairs.begin(owner, range);
    pairs.end(owner, "n", 1'000'000 - i);
  }
  std::int64_t ranges = 0;
  const RangePairs::Counts counts = pairs.pair([&](const PairedRange& range) {
    ++ranges;
    EXPECT_EQ(range.end_ns, 1'000'000 - range.begin_ns);
  });
  EXPECT_EQ(ranges, RangePairs::kMostDepth);
  EXPECT_EQ(counts.too_deep, 5);
  EXPECT_EQ(counts.without_begin, 0);
}

/// Nested ranges of random length, some of none, their marks in any order of the file.
TEST(RangePairs, GiveBackWhateverNestsIfNamesDiffer) {
  std::mt19937 random(16);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> marks;
    std::vector<std::string> expected;
    std::vector<std::pair<std::string, int>> open;
    int time = 0;
    int names = 0;
    const auto end_innermost = [&] {
      time += static_cast<int>(random() % 3);
      expected.push_back(fmt::format("{} {}..{}", open.back().first, open.back().second, time));
      marks.push_back(fmt::format("{}-{}", open.back().first, time));
      open.pop_back();
    };
    for (int i = 0; i < 40; ++i) {
      if (random() % 2 == 0) {
        time += static_cast<int>(random() % 3);
        open.emplace_back(fmt::format("n{}", names++), time);
        marks.push_back(fmt::format("{}+{}", open.back().first, time));
      } else if (!open.empty()) {
        end_innermost();
      }
    }
    while (!open.empty())
      end_innermost();
    std::shuffle(marks.begin(), marks.end(), random);
    const Paired paired = pair(fmt::format("{}", fmt::join(marks, " ")));
    ASSERT_THAT(paired.ranges, UnorderedElementsAreArray(expected));
    expect_no_findings(paired.counts, "random");
  }
}

/// A quadratic search among open ranges, names or moments would not end.
TEST(RangePairs, TakeTimeByTheirNumberOnly) {
  constexpr int kRanges = 400'000;
  for (const bool one_name : {false, true}) {
    for (const bool one_moment : {false, true}) {
      RangePairs pairs;
      const std::uint32_t owner = pairs.owner("id");
      for (int i = 0; i < kRanges; ++i) {
        PairedRange range;
        const std::string name = one_name ? "n" : std::to_string(i);
        range.name = name;
        range.begin_ns = one_moment ? i % 2 : i;
        range.sort = RangeSort::started;
        pairs.begin(owner, range);
        pairs.end(owner, name, one_moment ? 1 + i % 3 : kRanges + i);
      }
      std::int64_t ended = 0;
      const RangePairs::Counts counts =
          pairs.pair([&](const PairedRange& range) { ended += range.end_ns ? 1 : 0; });
      EXPECT_EQ(ended + counts.too_deep, kRanges);
    }
  }
}

class ChromeRanges : public ImportTest {
 protected:
  static std::string mark(std::string_view phase, std::string_view name, std::string_view ts,
                          int pid = 1, int tid = 1, std::string_view more = "") {
    return fmt::format(R"({{"ph":"{}","name":"{}","pid":{},"tid":{},"ts":{}{}{}}})", phase, name,
                       pid, tid, ts, more.empty() ? "" : ",", more);
  }
  static std::map<std::string, std::vector<std::string>> by_lane(const Trace& trace) {
    std::map<std::string, std::vector<std::string>> lanes;
    for (std::size_t span = 0; span < trace.spans.size(); ++span) {
      const std::size_t lane = trace.spans.lane[span];
      const auto at = std::next(trace.lanes.begin(), static_cast<std::ptrdiff_t>(lane));
      lanes[at->name].push_back(fmt::format("{} {}..{}", trace.tasks[trace.spans.task[span]].name,
                                            trace.spans.begin_ns[span], trace.spans.end_ns[span]));
    }
    return lanes;
  }
};

TEST_F(ChromeRanges, AreReadWhereEndsAreSwappedInTheFile) {
  const Trace trace = import(R"({"schemaVersion": 1, "traceEvents": [
{"ph": "B", "name": "Frontend", "pid": 5, "tid": 5, "ts": 0.0, "cat": "cc"},
{"ph": "B", "name": "Parse", "pid": 5, "tid": 5, "ts": 10.0, "cat": "cc"},
{"ph": "E", "name": "Frontend", "pid": 5, "tid": 5, "ts": 40.0},
{"ph": "E", "name": "Parse", "pid": 5, "tid": 5, "ts": 30.0, "args": {"tokens": 12}}
]})");
  EXPECT_THAT(by_lane(trace)["host 5/5"], ElementsAre("Frontend 0..40000", "Parse 10000..30000"));
  for (const Finding& each : trace.findings)
    EXPECT_EQ(each.severity, Severity::info) << each.name;
}

TEST_F(ChromeRanges, OfProcessesThreadsAndFilesDoNotMix) {
  std::vector<std::string> events;
  for (const int pid : {1, 2}) {
    for (const int tid : {1, 2}) {
      events.push_back(mark("E", "f", std::to_string(100 + 10 * pid + tid), pid, tid));
      events.push_back(mark("B", "f", std::to_string(10 * pid + tid), pid, tid));
    }
  }
  const std::string first = write(document(events), "rank0.json");
  const std::string second = write(document(events), "rank1.json");
  const std::vector<std::string> paths = {first, second};
  const Result<Imported> imported = import_trace(paths);
  ASSERT_TRUE(imported);
  auto lanes = by_lane(imported->trace);
  EXPECT_EQ(lanes.size(), 8U);
  EXPECT_THAT(lanes["rank 0 host 1/2"], ElementsAre("f 12000..112000"));
  EXPECT_THAT(lanes["rank 1 host 2/1"], ElementsAre("f 21000..121000"));
}

TEST_F(ChromeRanges, OfAnIdLieBesideTheirThread) {
  const Trace trace = import(
      document({mark("b", "request", "10", 12, 13, R"("cat":"net","id":"0x1")"),
                mark("B", "poll", "15", 12, 13), mark("E", "poll", "25", 12, 13),
                mark("e", "request", "20", 12, 14, R"("cat":"net","id":"0x1")"),
                R"({"ph":"M","name":"thread_name","pid":12,"tid":13,"args":{"name":"python3"}})",
                R"({"ph":"b","cat":"net","name":"t","id":7,"pid":"Spans","tid":"net","ts":1})",
                R"({"ph":"e","cat":"net","name":"t","id":7,"pid":"Spans","tid":"net","ts":2})"}));
  const auto lanes = by_lane(trace);
  ASSERT_EQ(lanes.size(), 3U);
  EXPECT_THAT(lanes.at("host 12/13 python3"), ElementsAre("poll 15000..25000"));
  EXPECT_THAT(lanes.at("host 12/13 python3 started ranges"), ElementsAre("request 10000..20000"));
  EXPECT_THAT(lanes.at("host Spans/net started ranges"), ElementsAre("t 1000..2000"));
  const auto lane = [&](std::string_view name) {
    return std::find_if(trace.lanes.begin(), trace.lanes.end(),
                        [&](const auto& each) { return each.name == name; });
  };
  EXPECT_EQ(std::next(lane("host 12/13 python3")), lane("host 12/13 python3 started ranges"));
  EXPECT_EQ(lane("host 12/13 python3 started ranges")->kind, LaneKind::host);
  EXPECT_EQ(trace.clocks.size(), 1U) << "all of it is timed by the host's clock";
}

TEST_F(ChromeRanges, OfAnIdPairWithinCategoryScopeAndProcess) {
  const auto id = [](std::string_view cat, std::string_view more) {
    return fmt::format(R"("cat":"{}","id":1{})", cat, more);
  };
  const Trace trace = import(
      document({mark("b", "r", "1", 1, 1, id("x", "")), mark("b", "r", "2", 1, 1, id("y", "")),
                mark("b", "r", "3", 2, 1, id("x", "")),
                mark("b", "r", "4", 1, 1, id("x", R"(,"scope":"s")")),
                mark("S", "r", "5", 1, 1, id("x", "")), mark("e", "r", "11", 1, 1, id("x", "")),
                mark("e", "r", "12", 1, 1, id("y", "")), mark("e", "r", "13", 2, 1, id("x", "")),
                mark("e", "r", "14", 1, 1, id("x", R"(,"scope":"s")")),
                mark("T", "r", "9", 1, 1, id("x", "")), mark("n", "r", "9", 1, 1, id("x", "")),
                mark("F", "r", "15", 1, 1, id("x", ""))}));
  EXPECT_THAT(trace.spans.begin_ns, ElementsAre(1'000, 2'000, 3'000, 4'000, 5'000));
  EXPECT_THAT(trace.spans.end_ns, ElementsAre(11'000, 12'000, 13'000, 14'000, 15'000));
  EXPECT_FALSE(finding(trace, "ambiguous_ranges"));
}

TEST_F(ChromeRanges, CountWhatDoesNotPair) {
  const Trace crossing = import(document(
      {mark("B", "a", "0"), mark("B", "b", "10"), mark("E", "a", "20"), mark("E", "b", "30")}));
  EXPECT_EQ(counted(crossing, "crossing_ranges"), 1);
  EXPECT_THAT(crossing.spans.end_ns, ElementsAre(20'000, 30'000));
  const Trace wrong = import(document({mark("B", "a", "0"), mark("E", "b", "10")}));
  EXPECT_EQ(counted(wrong, "end_without_begin"), 1);
  EXPECT_EQ(counted(wrong, "open_ranges"), 1);
  EXPECT_EQ(span_names(wrong), "a (open)");
  const std::string id = R"("cat":"c","id":1)";
  const Trace doubt =
      import(document({mark("b", "a", "0", 1, 1, id), mark("b", "a", "10", 1, 1, id),
                       mark("e", "a", "20", 1, 1, id), mark("e", "a", "30", 1, 1, id)}));
  EXPECT_EQ(counted(doubt, "ambiguous_ranges"), 1);
  EXPECT_THAT(doubt.spans.end_ns, ElementsAre(30'000, 20'000));
}

TEST_F(ChromeRanges, WithoutATimeAreUntimedAndTheirEndsCounted) {
  const Trace trace = import(document(
      {mark("B", "a", "\"\""), mark("B", "b", "NaN"), mark("B", "c", "1e300"), mark("B", "d", "5"),
       mark("E", "d", "null"), mark("E", "d", "1e300"), mark("E", "d", "9")}));
  EXPECT_EQ(span_names(trace), "d");
  EXPECT_EQ(trace.untimed.size(), 3U);
  EXPECT_EQ(counted(trace, "untimed_activities"), 2);
  EXPECT_EQ(counted(trace, "time_out_of_range"), 1);
  EXPECT_EQ(counted(trace, "end_without_time"), 2);
}

TEST_F(ChromeRanges, ThatNameStepsBecomeStepsHoweverTheyArePaired) {
  const std::string id = R"("cat":"c","id":"1")";
  const Trace trace = import(
      document({mark("E", "ProfilerStep#3", "20"), mark("B", "ProfilerStep#3", "10"),
                mark("e", "ProfilerStep#4", "30", 1, 1, id),
                mark("b", "ProfilerStep#4", "20", 1, 1, id), mark("B", "ProfilerStep#5", "30")}));
  ASSERT_EQ(trace.steps.size(), 2U) << "one that never ends is not a step";
  EXPECT_EQ(trace.steps[0].step, 3);
  EXPECT_EQ(trace.steps[0].end_ns, 20'000);
  EXPECT_EQ(trace.steps[1].step, 4);
  EXPECT_EQ(trace.steps[1].begin_ns, 20'000);
}

}  // namespace
}  // namespace quintet
