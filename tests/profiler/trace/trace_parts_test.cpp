#include "profiler/trace/trace_parts.h"

#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/trace/span_order.h"
#include "profiler/trace/trace_batch.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/trace/trace_writer.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

constexpr std::int64_t kStepLength = 1000;
constexpr std::int64_t kFirst = 1'000'000;

/// Steps whose work overlaps the next ones, begins after their end, or lasts for many of them; rows
/// that wait and launch in no order.
Trace restless_trace(std::uint32_t seed, std::int32_t steps) {
  std::mt19937 random(seed);
  const auto below = [&](std::int64_t most) { return static_cast<std::int64_t>(random() % most); };
  Trace trace = sample_plan();
  for (std::int32_t step = 0; step < steps; ++step) {
    const std::int64_t begin = kFirst + step * kStepLength;
    TraceStep row;
    row.step = step;
    row.phase = "train";
    row.begin_ns = begin;
    row.end_ns = begin + 900;
    trace.steps.push_back(row);
    for (int i = 0; i < 7; ++i) {
      const std::int64_t at = begin + below(step % 5 == 0 ? 6000 : 950);
      const std::int64_t length = i == 0 && step % 7 == 0 ? 20'000 : below(400);
      append_span(trace.spans, {at, at + length, -1, static_cast<std::uint32_t>(i % 3),
                                i == 6 ? -1 : step, static_cast<std::uint16_t>(i % 2), 0});
    }
    trace.host_waits.push_back(
        {LaneId(2), step, "host_sync", "COMP_1", begin + below(3000), begin + 4000});
    trace.launches.push_back({0, LaneId(0), step, begin + below(900), begin + 901, 1});
    trace.untimed.push_back(
        {1, static_cast<std::int32_t>(below(steps + 1)) - 1, 1, 2, 0, 77, 0, -5});
  }
  std::shuffle(trace.host_waits.begin(), trace.host_waits.end(), random);
  sort_spans(trace.spans);
  return trace;
}

/// How many rows serve each step or touch its time.
template <class Rows, class Concerns>
std::int64_t count_rows(const Rows& rows, Concerns concerns) {
  return std::count_if(rows.begin(), rows.end(), concerns);
}

/// What metrics of a step rest on, as numbers.
std::vector<std::int64_t> known_of(const TraceStep& step, const Trace& trace) {
  const auto timed = [&](const auto& row) {
    return row.step == step.step || (row.begin_ns < step.end_ns && row.end_ns > step.begin_ns);
  };
  std::int64_t served = 0;
  std::int64_t busy = 0;
  std::int64_t touching = 0;
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    const std::int64_t begin = trace.spans.begin_ns[i];
    const std::int64_t end = trace.spans.end_ns[i];
    if (trace.spans.step[i] == step.step) ++served;
    if (begin >= step.end_ns || end <= step.begin_ns) continue;
    ++touching;
    busy += std::min(end, step.end_ns) - std::max(begin, step.begin_ns);
  }
  return {served,
          touching,
          busy,
          count_rows(trace.host_waits, timed),
          count_rows(trace.launches, timed),
          count_rows(trace.untimed,
                     [&](const auto& row) { return row.step == step.step || row.step < 0; })};
}

void expect_true_steps(const Trace& prefix, const Trace& whole) {
  ASSERT_LE(prefix.steps.size(), whole.steps.size());
  for (std::size_t i = 0; i < prefix.steps.size(); ++i) {
    EXPECT_EQ(prefix.steps[i].step, whole.steps[i].step);
    EXPECT_EQ(known_of(prefix.steps[i], prefix), known_of(whole.steps[i], whole))
        << "step " << prefix.steps[i].step << " of " << prefix.steps.size();
  }
}

TEST(TraceParts, MakeUpTheTraceWithItsRowsInOrder) {
  for (const std::size_t spans_a_part : {1U, 10U, 33U, 100'000U}) {
    for (Trace whole : {restless_trace(1, 20), sample_trace(6), sample_plan()}) {
      TraceParts parts(whole, spans_a_part);
      Trace all = whole;
      all.spans = {};
      all.steps.clear();
      all.untimed.clear();
      all.host_waits.clear();
      all.launches.clear();
      all.clocks.clear();
      all.lane_clocks.clear();
      all.clock_pairs.clear();
      while (!parts.done()) {
        const std::size_t before = parts.spans();
        append(all, parts.next());
        EXPECT_LE(parts.spans() - before, spans_a_part);
        EXPECT_EQ(all.spans.size(), parts.spans());
      }
      EXPECT_EQ(describe(all), describe(whole));
    }
  }
}

TEST(TraceParts, HoldAStepOnlyOnceAllThatConcernsItIsThere) {
  for (const std::uint32_t seed : {1U, 2U, 3U, 4U}) {
    const Trace whole = restless_trace(seed, 40);
    TraceParts parts(whole, 16);
    Trace prefix = sample_plan();
    std::size_t held_early = 0;
    while (!parts.done()) {
      append(prefix, parts.next());
      expect_true_steps(prefix, whole);
      if (!parts.done()) held_early = prefix.steps.size();
    }
    EXPECT_EQ(prefix.steps.size(), 40U);
    EXPECT_GT(held_early, 20U) << "steps come while spans do";
  }
}

TEST(TraceParts, HoldBackAStepWhoseWorkBeginsAfterItsEnd) {
  Trace trace = sample_plan();
  for (std::int32_t step = 0; step < 4; ++step) {
    TraceStep row;
    row.step = step;
    row.begin_ns = kFirst + step * kStepLength;
    row.end_ns = row.begin_ns + kStepLength;
    trace.steps.push_back(row);
    append_span(trace.spans,
                {row.begin_ns + 2500, row.begin_ns + 2600, -1, 0, step, 0, 0});  // two steps later
  }
  TraceParts parts(trace, 1);
  std::vector<std::size_t> steps;
  while (!parts.done())
    steps.push_back(parts.next().steps.size());
  EXPECT_EQ(steps, (std::vector<std::size_t>{1, 1, 1, 1}));
}

/// Writes the first `parts` batches in a process of its own, which is then killed.
void import_until_killed(const std::string& path, const Trace& whole, int parts) {
  const pid_t child = fork();
  if (child == 0) {
    auto writer = TraceWriter::create(path);
    if (!writer || !(*writer)->write_static(whole)) _exit(1);
    TraceParts rest(whole, 16);
    for (int part = 0; part < parts; ++part) {
      if (!(*writer)->append_batch(rest.next())) _exit(1);
    }
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST(KilledImport, LeavesStepsThatAreTrueOrNone) {
  const Trace whole = restless_trace(9, 40);
  std::size_t last = 0;
  for (const int parts : {0, 1, 2, 5, 9, 14, 17}) {
    const TemporaryFolder folder;
    import_until_killed(folder.file("run.qtrace"), whole, parts);
    const Result<Trace> prefix = read_trace(folder.file("run.qtrace"));
    ASSERT_TRUE(prefix) << to_string(prefix.error());
    EXPECT_EQ(prefix->state, RecordingState::abandoned);
    EXPECT_EQ(prefix->findings.back().name, "incomplete_recording");
    EXPECT_EQ(prefix->spans.size(), static_cast<std::size_t>(parts) * 16);
    EXPECT_LT(prefix->steps.size(), whole.steps.size());
    EXPECT_GE(prefix->steps.size(), last);
    last = prefix->steps.size();
    expect_true_steps(*prefix, whole);
  }
  EXPECT_GT(last, 20U);
}

}  // namespace
}  // namespace quintet
