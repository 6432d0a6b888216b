#include "profiler/report/slice_stream.h"

#include <gtest/gtest.h>
#include <set>
#include <utility>
#include <vector>

#include "profiler/report/trace_flows.h"
#include "profiler/trace/trace_batch.h"
#include "tests/support/example_trace.h"
#include "tests/support/export_trace.h"

namespace quintet {
namespace {

std::vector<Slice> slices_of(const Trace& trace) {
  std::vector<Slice> slices;
  SliceStream stream(trace);
  while (const auto slice = stream.next())
    slices.push_back(*slice);
  return slices;
}

void expect_complete_and_ordered(const Trace& trace) {
  const std::vector<Slice> slices = slices_of(trace);
  std::set<std::pair<SliceKind, std::size_t>> seen;
  for (std::size_t index = 0; index < slices.size(); ++index) {
    EXPECT_TRUE(seen.emplace(slices[index].kind, slices[index].index).second);
    if (index == 0) continue;
    const Slice& before = slices[index - 1];
    const Slice& after = slices[index];
    ASSERT_LE(before.begin_ns, after.begin_ns);
    if (before.begin_ns != after.begin_ns) continue;
    const bool before_empty = before.end_ns == before.begin_ns;
    const bool after_empty = after.end_ns == after.begin_ns;
    EXPECT_TRUE(before_empty || !after_empty);
    EXPECT_TRUE(before_empty || before.end_ns >= after.end_ns);
  }
  EXPECT_EQ(seen.size(), trace.spans.size() + trace.host_waits.size() + trace.launches.size() +
                             trace.steps.size());
}

TEST(SliceStream, HasEverySliceOnceTheOuterBeforeTheInner) {
  expect_complete_and_ordered(example_trace());
  expect_complete_and_ordered(export_trace());
  expect_complete_and_ordered(Trace());
}

TEST(SliceStream, OrdersSpansThatAreNotSorted) {
  for (std::uint32_t seed = 0; seed < 20; ++seed)
    expect_complete_and_ordered(random_export_trace(seed, 300));
}

TEST(TraceFlows, LeadsFromWorkToACallThatBeganLater) {
  Trace trace;
  trace.lanes = {{LaneId(0), "stream", LaneKind::stream, 0, 0, 0},
                 {LaneId(1), "thread", LaneKind::host, 0, 0, 0}};
  trace.tasks.resize(2);
  trace.activities = {{ActivityKind::kernel, "k", {}, {}, {}, {}},
                      {ActivityKind::api_call, "cuLaunchKernelEx", {}, {}, {}, {}}};
  append_span(trace.spans, {.begin_ns = 95, .end_ns = 115, .activity = 0, .correlation = 5});
  append_span(trace.spans, {.begin_ns = 100,
                            .end_ns = 110,
                            .task = 1,
                            .lane = 1,
                            .executor_lane = 1,
                            .activity = 1,
                            .correlation = 5});
  trace.findings = {{Severity::notice, "negative_launch_latency", "5 ns", 1}};
  TraceFlows flows(trace);
  SliceStream slices(trace);
  const FlowEnds work = flows.at(*slices.next());
  const FlowEnds call = flows.at(*slices.next());
  ASSERT_EQ(work.begins.size(), 1U);
  EXPECT_EQ(work.begins, call.ends);
  EXPECT_TRUE(work.ends.empty());
  EXPECT_TRUE(call.begins.empty());
}

}  // namespace
}  // namespace quintet
