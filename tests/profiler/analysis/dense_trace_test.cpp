// Costs are tested by sizes: what grew with the product of two numbers would take hours here.
#include "tests/support/dense_trace.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "profiler/analysis/critical_path.h"
#include "profiler/analysis/device_summary.h"
#include "profiler/analysis/launch_calls.h"
#include "profiler/analysis/range_attribution.h"
#include "profiler/analysis/step_window.h"
#include "profiler/analysis/threshold_index.h"
#include "profiler/analysis/wait_attribution.h"
#include "profiler/trace/span_order.h"

namespace quintet {
namespace {

using testing::ElementsAre;

constexpr std::int64_t kMany = 300000;

/// Where a step ends does not depend on work there.
std::vector<StepWindow> windows_of(const Trace& trace) {
  Trace recorded = trace;
  recorded.provenance.clear();
  return step_windows(recorded);
}

TEST(ThresholdIndex, FindsTheFirstAndTheLastThatReach) {
  std::mt19937 random(1);
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<std::int64_t> values(count);
    for (std::int64_t& value : values)
      value = static_cast<std::int64_t>(random() % 10);
    const ThresholdIndex index(values);
    for (std::size_t from = 0; from <= count; ++from) {
      for (std::int64_t least = 0; least <= 10; ++least) {
        std::optional<std::size_t> last;
        std::optional<std::size_t> first;
        for (std::size_t at = 0; at < count; ++at) {
          if (values[at] < least) continue;
          if (at < from) last = at;
          if (at >= from && !first) first = at;
        }
        EXPECT_EQ(index.last(from, least), last);
        EXPECT_EQ(index.first(from, count, least), first);
      }
    }
  }
}

TEST(IntervalLengths, AgreeWithTheSetWithinEveryWindow) {
  const IntervalSet set({{2, 5}, {7, 8}, {8, 9}, {12, 20}});
  const IntervalLengths lengths(set);
  for (std::int64_t begin = 0; begin < 25; ++begin) {
    for (std::int64_t end = begin; end < 25; ++end) {
      EXPECT_EQ(lengths.within({begin, end}), set.within({begin, end}).length());
      EXPECT_EQ(set.length_within({begin, end}), set.within({begin, end}).length());
    }
  }
}

TEST(StepWindow, TouchesWhatABruteSearchFinds) {
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    DenseTrace dense;
    std::int64_t time = 0;
    for (int step = 0; step < 12; ++step) {
      const std::int64_t begin = time;
      time += static_cast<std::int64_t>(random() % 6);
      dense.step(begin, time);
    }
    for (int span = 0; span < 40; ++span) {
      const auto begin = static_cast<std::int64_t>(random() % 40) - 5;
      dense.kernel("k", 0, begin, begin + static_cast<std::int64_t>(random() % 25));
    }
    sort_spans(dense.trace.spans);
    for (const StepWindow& window : windows_of(dense.trace)) {
      std::vector<std::uint32_t> expected;
      for (std::uint32_t span = 0; span < dense.trace.spans.size(); ++span) {
        const Interval each = interval_of(dense.trace.spans, span);
        const bool overlaps = !intersect(each, window.time).empty();
        const bool instant = each.empty() && window.time.contains(each.begin);
        if (overlaps || instant) expected.push_back(span);
      }
      EXPECT_EQ(window.touching(dense.trace.spans), expected);
      EXPECT_LE(window.spans.size(), expected.size());
    }
  }
}

TEST(StepWindow, ASpanOverAllStepsIsKeptOnce) {
  constexpr std::int64_t kSteps = 100000;
  DenseTrace dense;
  for (std::int64_t step = 0; step < kSteps; ++step)
    dense.step(10 * step, 10 * step + 10);
  for (std::int64_t span = 0; span < kSteps; ++span)
    dense.kernel("k", 0, -1 - span, 10 * kSteps + 1);
  sort_spans(dense.trace.spans);
  const std::vector<StepWindow> windows = windows_of(dense.trace);
  ASSERT_EQ(windows.size(), static_cast<std::size_t>(kSteps));
  for (const StepWindow& window : windows)
    ASSERT_TRUE(window.spans.empty());
  EXPECT_EQ(windows[7].covering->covers().size(), static_cast<std::size_t>(kSteps));
  EXPECT_EQ(windows[7].touching(dense.trace.spans).size(), static_cast<std::size_t>(kSteps));
  const auto counted =
      sum_over_covering<std::int64_t>(windows, [](std::uint32_t) { return std::int64_t{1}; });
  EXPECT_EQ(counted[7], kSteps);
}

TEST(CriticalPath, OfRunsThatOverlapIsThatOfEveryPairInOrder) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    DenseTrace dense(2);
    for (int run = 0; run < 30; ++run) {
      const auto begin = static_cast<std::int64_t>(random() % 40);
      dense.kernel("k", static_cast<std::uint16_t>(random() % 2), begin,
                   begin + static_cast<std::int64_t>(random() % 9));
    }
    sort_spans(dense.trace.spans);
    dense.step(0, 100);
    const std::vector<StepWindow> windows = windows_of(dense.trace);
    TaskRelations relations(dense.trace);
    const StepPath step = step_path(dense.trace, windows.at(0), relations);
    const std::vector<RunInterval>& runs = step.runs;
    const auto precedes = [&runs](std::size_t a, std::size_t b) {
      return a < b && runs[a].lane == runs[b].lane && runs[a].time.end <= runs[b].time.begin;
    };
    std::vector<std::int64_t> until(runs.size());
    std::vector<std::int64_t> from(runs.size());
    for (std::size_t run = 0; run < runs.size(); ++run) {
      for (std::size_t before = 0; before < run; ++before) {
        if (precedes(before, run)) until[run] = std::max(until[run], until[before]);
      }
      until[run] += runs[run].time.length();
    }
    for (std::size_t run = runs.size(); run-- > 0;) {
      for (std::size_t after = run + 1; after < runs.size(); ++after) {
        if (precedes(run, after)) from[run] = std::max(from[run], from[after]);
      }
      from[run] += runs[run].time.length();
    }
    EXPECT_EQ(step.path.length_ns, *std::max_element(until.begin(), until.end()));
    for (std::size_t run = 0; run < runs.size(); ++run) {
      EXPECT_EQ(step.path.slack_ns[run],
                step.path.length_ns - until[run] - from[run] + runs[run].time.length());
    }
    std::int64_t along = 0;
    for (std::size_t at = 0; at < step.path.path.size(); ++at) {
      along += runs[step.path.path[at]].time.length();
      if (at == 0) continue;
      EXPECT_TRUE(precedes(step.path.path[at - 1], step.path.path[at]));
    }
    EXPECT_EQ(along, step.path.length_ns);
  }
}

TEST(CriticalPath, IsFoundAmongManyRunsThatOverlap) {
  // Batches of runs that overlap, each batch behind the one before: every pair is ordered.
  DenseTrace dense;
  for (std::int64_t run = 0; run < kMany; ++run) {
    const std::int64_t batch = run / (kMany / 2);
    dense.kernel("k", 0, batch * 4 * kMany + run, batch * 4 * kMany + run + kMany);
  }
  dense.step(0, 20 * kMany);
  const std::vector<StepWindow> windows = windows_of(dense.trace);
  TaskRelations relations(dense.trace);
  const StepPath step = step_path(dense.trace, windows.at(0), relations);
  EXPECT_EQ(step.path.length_ns, 2 * kMany);
  EXPECT_EQ(step.path.path.size(), 2U);
}

TEST(RangeAttribution, OfOpenRangesTakesNoTimeForEachCall) {
  for (const char* kind : {"HOST_RANGE", "HOST_STARTED_RANGE"}) {
    DenseTrace dense;
    for (std::int64_t range = 0; range < kMany; ++range)
      dense.range("r", range, 10 * kMany + range, kind);
    for (std::int64_t call = 0; call < kMany; ++call) {
      const auto correlation = static_cast<std::uint32_t>(call + 1);
      dense.call("cudaLaunchKernel", 2 * kMany + 2 * call, 2 * kMany + 2 * call + 1, correlation);
      dense.kernel("k", 0, 2 * kMany + 2 * call, 2 * kMany + 2 * call + 1, correlation);
    }
    const RangeSummary summary = summarise_ranges(dense.trace);
    const bool nested = std::string(kind) == "HOST_RANGE";
    EXPECT_EQ(summary.ambiguous, nested ? 0 : kMany);
    EXPECT_EQ(summary.ranges.size(), nested ? 1U : 0U);
    EXPECT_EQ(summary.outside, 0);
  }
}

TEST(RangeAttribution, OfOneNestAThousandDeepIsTheInnermost) {
  DenseTrace dense;
  for (std::int64_t depth = 0; depth < 10000; ++depth)
    dense.range("depth " + std::to_string(depth), depth, 40000 - depth);
  dense.call("cudaLaunchKernel", 20000, 20001, 1);
  dense.kernel("k", 0, 30000, 30010, 1);
  const RangeSummary summary = summarise_ranges(dense.trace);
  ASSERT_EQ(summary.ranges.size(), 1U);
  EXPECT_EQ(dense.trace.tasks[summary.ranges[0].task].name, "depth 9999");
}

TEST(RangeAttribution, CountsWorkThatNoRangeLaunchedWhereNoRangeLaunchedAny) {
  DenseTrace dense;
  dense.kernel("k", 0, 100, 110);
  EXPECT_EQ(summarise_ranges(dense.trace).outside, 1);
  dense.untimed("late", ActivityKind::kernel, 0);  // is counted among what is untimed
  EXPECT_EQ(summarise_ranges(dense.trace).outside, 1);
  EXPECT_EQ(summarise_devices(dense.trace).all.untimed.kernels, 1);
}

TEST(RangeAttribution, OfAnIdThatIsUsedAgainIsThatOfTheLatestLaunchBefore) {
  DenseTrace dense;
  dense.range("A", 900, 2000);
  dense.range("B", 4900, 6000);
  dense.call("cudaGraphLaunch", 1000, 1050, 10);
  dense.call("cudaGraphLaunch", 5000, 5050, 10);
  for (const std::int64_t begin : {1100, 5100, 5200})
    dense.kernel("k", 0, begin, begin + 10, 10);
  const RangeSummary summary = summarise_ranges(dense.trace);
  ASSERT_EQ(summary.ranges.size(), 2U);
  EXPECT_EQ(dense.trace.tasks[summary.ranges[0].task].name, "B");
  EXPECT_EQ(summary.ranges[0].work, 2);
  EXPECT_EQ(summary.ranges[1].work, 1);
}

TEST(CallIndex, TakesTheDriversCallBeneathTheRuntimesForOne) {
  const std::vector<LaunchCall> calls = {
      {{100, 200}, -1, 5}, {{120, 180}, -1, 5}, {{300, 310}, -1, 6}, {{400, 450}, -1, 5}};
  const CallIndex index(calls);
  EXPECT_EQ(index.find(5, 150), 0U);
  EXPECT_EQ(index.find(5, 399), 0U);
  EXPECT_EQ(index.find(5, 400), 3U);
  EXPECT_EQ(index.find(5, 90), 0U);  // skewed clocks
  EXPECT_EQ(index.find(6, 1000), 2U);
  EXPECT_FALSE(index.find(7, 1000));
  EXPECT_FALSE(index.find(0, 1000));
}

TEST(LaunchCalls, OfManyThreadsAreHeldUpByManyOverheads) {
  DenseTrace dense;
  for (std::int64_t each = 0; each < kMany; ++each) {
    dense.range("Buffer Request", 2 * each, 2 * each + 1, std::string(kOverheadKind));
    const auto correlation = static_cast<std::uint32_t>(each + 1);
    dense.call("cudaLaunchKernel", 0, 2 * kMany, correlation);
    dense.kernel("k", 0, 2 * kMany, 2 * kMany + 1, correlation);
  }
  const std::vector<LaunchCall> calls = launch_calls(dense.trace);
  ASSERT_EQ(calls.size(), static_cast<std::size_t>(kMany));
  EXPECT_EQ(calls.front().held_up_ns, kMany);
}

TEST(Waits, OfManyStreamsForOneHostAreSummedAndListedUpToALimit) {
  constexpr std::uint16_t kStreams = 5000;
  constexpr std::int64_t kCalls = 100000;
  DenseTrace dense(kStreams);
  for (std::int64_t call = 0; call < kCalls; ++call)
    dense.call("cudaDeviceSynchronize", 10 * call, 10 * call + 4);
  for (std::uint16_t lane = 0; lane < kStreams; ++lane) {
    dense.call("cudaLaunchKernel", 10 * kCalls, 10 * kCalls + 5, lane + 1U);
    dense.kernel("k", lane, 10 * kCalls + 5, 10 * kCalls + 10, lane + 1U);
  }
  dense.step(0, 10 * kCalls + 10);
  sort_spans(dense.trace.spans);
  const std::vector<StepWindow> windows = windows_of(dense.trace);
  TaskRelations relations(dense.trace);
  const WaitList list = list_waits(dense.trace, windows.at(0), relations, 1000);
  EXPECT_EQ(list.waits.size(), 1000U);
  EXPECT_GT(list.left_out, 0U);
  const auto totals = wait_totals(dense.trace, windows.at(0), relations);
  const auto of = [&totals](WaitCause cause) {
    return totals.at(kStreams - 1).at(static_cast<std::size_t>(cause));
  };
  EXPECT_EQ(of(WaitCause::host_sync), 4 * kCalls);
  EXPECT_EQ(of(WaitCause::launch), 6 * kCalls + 5);
}

TEST(Waits, AddUpToTheSameWithAndWithoutAList) {
  DenseTrace dense(3);
  std::mt19937 random(4);
  std::int64_t time = 0;
  for (std::uint32_t call = 1; call < 100; ++call) {
    const auto lane = static_cast<std::uint16_t>(random() % 3);
    dense.call("cudaStreamSynchronize", time, time + static_cast<std::int64_t>(random() % 9));
    dense.call("cudaLaunchKernel", time + 10, time + 12, call);
    dense.kernel("k", lane, time + 11, time + 11 + static_cast<std::int64_t>(random() % 40), call);
    time += 15;
  }
  dense.step(0, time);
  sort_spans(dense.trace.spans);
  const std::vector<StepWindow> windows = windows_of(dense.trace);
  TaskRelations relations(dense.trace);
  EXPECT_EQ(wait_totals(dense.trace, windows.at(0), relations),
            totals_per_lane(dense.trace, attribute_waits(dense.trace, windows.at(0), relations)));
}

TEST(DeviceSummary, OfAGraphLaunchWithoutAnEndHasNoUpperBound) {
  DenseTrace dense;
  dense.untimed("graph", ActivityKind::graph, 0);
  DeviceWork work = summarise_devices(dense.trace);
  EXPECT_EQ(work.record, DeviceWorkRecord::graphs_only);
  EXPECT_EQ(work.all.graph_launches, 1);
  EXPECT_EQ(work.all.open_graph_launches, 1);
  dense.kernel("k", 0, 0, 10);
  work = summarise_devices(dense.trace);
  EXPECT_EQ(work.record, DeviceWorkRecord::mixed);
  EXPECT_EQ(work.devices.at(0).open_graph_launches, 1);
}

TEST(DeviceSummary, SaysThatRowsWereNotRecognised) {
  DenseTrace dense;
  dense.trace.findings.push_back({Severity::data_loss, "unrecognised_device_rows", "", 3});
  EXPECT_EQ(summarise_devices(dense.trace).record, DeviceWorkRecord::unrecognised);
  EXPECT_THAT(reason_of(DeviceWorkRecord::unrecognised), testing::HasSubstr("not recognised"));
}

TEST(StepWindow, OfAnAbandonedRecordingIsUnknownWithoutSpans) {
  DenseTrace dense;
  for (std::int64_t step = 0; step < 5; ++step)
    dense.step(100 * step, 100 * step + 100);
  dense.kernel("k", 0, 210, 220);
  dense.trace.provenance.clear();
  dense.trace.state = RecordingState::abandoned;
  const std::vector<StepWindow> windows = step_windows(dense.trace);
  EXPECT_EQ(windows[2].record, WorkRecord::nodes);
  EXPECT_EQ(windows[3].record, WorkRecord::missing);
  // Of an import the spans come in any order, and steps end where their work does.
  dense.trace.provenance["executor"] = "imported";
  for (const StepWindow& window : step_windows(dense.trace))
    EXPECT_FALSE(window.timed);
  EXPECT_THAT(untimed_reason(dense.trace), testing::HasSubstr("cut off"));
}

TEST(StepWindow, WithAGraphLaunchThatMayStillRunIsNotIdle) {
  DenseTrace dense;
  for (std::int64_t step = 0; step < 4; ++step)
    dense.step(100 * step, 100 * step + 100);
  dense.untimed("graph", ActivityKind::graph, 0);
  dense.trace.untimed.back().step = 2;
  const std::vector<StepWindow> windows = step_windows(dense.trace);
  EXPECT_EQ(windows[1].record, WorkRecord::nodes);
  EXPECT_EQ(windows[2].record, WorkRecord::graphs_only);
  EXPECT_EQ(windows[3].record, WorkRecord::graphs_only);
}

}  // namespace
}  // namespace quintet
