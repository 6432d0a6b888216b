#include "profiler/trace/batch_check.h"

#include <algorithm>
#include <limits>

#include "profiler/trace/span_columns.h"

namespace quintet {

namespace {

/// Times beyond it (146 years, so Unix time fits) are damage; below it no difference overflows.
constexpr std::int64_t kLastTime = 1LL << 62;

struct TableSizes {
  std::size_t tasks = 0;
  std::size_t lanes = 0;
  std::size_t activities = 0;
};

TableSizes sizes_of(const Trace& trace) {
  return {trace.tasks.size(), trace.lanes.size(), trace.activities.size()};
}

bool fits_step(std::int64_t step) {
  return step >= -1 && step <= std::numeric_limits<std::int32_t>::max();
}

bool sensible(const TableSizes& sizes, const SpanColumns& spans, std::size_t i) {
  return sensible_times(spans.begin_ns[i], spans.end_ns[i]) && spans.cpu_ns[i] >= -1 &&
         spans.cpu_ns[i] <= kLastTime && spans.task[i] < sizes.tasks && spans.step[i] >= -1 &&
         spans.lane[i] < sizes.lanes && spans.executor_lane[i] < sizes.lanes &&
         (spans.activity[i] == kWholeTask || spans.activity[i] < sizes.activities);
}

std::int64_t drop_spans(const TableSizes& sizes, SpanColumns& spans, std::size_t first) {
  std::size_t i = first;
  while (i < spans.size() && sensible(sizes, spans, i))
    ++i;
  if (i == spans.size()) return 0;
  const std::size_t before = spans.size();
  keep_spans(spans, i, [&](std::size_t span) { return sensible(sizes, spans, span); });
  return static_cast<std::int64_t>(before - spans.size());
}

/// Number of lanes and pairs of clocks that were taken out.
std::int64_t drop_clocks(TraceBatch& batch, std::size_t lanes, std::size_t clocks) {
  const auto right = [](std::int64_t time) { return sensible_times(0, time); };
  return static_cast<std::int64_t>(
      std::erase_if(
          batch.lane_clocks,
          [&](const TraceLaneClock& each) { return each.lane >= lanes || each.clock >= clocks; }) +
      std::erase_if(batch.clock_pairs, [&](const TraceClockPair& pair) {
        return pair.clock >= clocks || !right(pair.clock_ns) || !right(pair.trace_ns) ||
               !right(pair.width_ns);
      }));
}

/// Number of references that were taken out.
std::int64_t mend_tasks(std::vector<TraceTask>& tasks, std::size_t lanes, std::size_t regions) {
  std::int64_t mended = 0;
  for (TraceTask& task : tasks) {
    if (task.policy_lane && task.policy_lane->value() >= lanes) {
      task.policy_lane.reset();
      ++mended;
    }
    mended += std::erase_if(task.accesses,
                            [&](const Access& access) { return access.region.value() >= regions; });
  }
  return mended;
}

}  // namespace

bool sensible_times(std::int64_t begin_ns, std::int64_t end_ns) {
  return 0 <= begin_ns && begin_ns <= end_ns && end_ns <= kLastTime;
}

void resize(SpanColumns& spans, std::size_t size) {
  for_each_column([size](auto& column) { column.resize(size); }, spans);
}

std::int64_t drop_senseless(const Trace& trace, SpanColumns& spans, std::size_t first) {
  return drop_spans(sizes_of(trace), spans, first);
}

SenselessParts drop_senseless(const Trace& trace, TraceBatch& batch) {
  TableSizes sizes = sizes_of(trace);
  SenselessParts lost;
  // Spans name lanes in 16 bits; further ones could never be meant.
  const std::size_t most_lanes = std::numeric_limits<std::uint16_t>::max();
  if (sizes.lanes + batch.lanes.size() > most_lanes) {
    lost.rows += static_cast<std::int64_t>(sizes.lanes + batch.lanes.size() - most_lanes);
    batch.lanes.resize(most_lanes - std::min(most_lanes, sizes.lanes));
  }
  for (std::size_t i = 0; i < batch.lanes.size(); ++i)
    batch.lanes[i].id = LaneId(static_cast<std::uint32_t>(sizes.lanes + i));
  sizes.lanes += batch.lanes.size();
  sizes.tasks += batch.tasks.size();
  sizes.activities += batch.activities.size();
  lost.rows += drop_clocks(batch, sizes.lanes, trace.clocks.size() + batch.clocks.size());
  lost.rows += mend_tasks(batch.tasks, sizes.lanes, trace.regions.size());
  lost.spans = drop_spans(sizes, batch.spans, 0);
  lost.rows += std::erase_if(batch.steps, [&](const TraceStep& step) {
    return !fits_step(step.step) || !sensible_times(step.begin_ns, step.end_ns);
  });
  lost.rows += std::erase_if(batch.host_waits, [&](const TraceHostWait& wait) {
    return wait.lane.value() >= sizes.lanes || !fits_step(wait.step) ||
           !sensible_times(wait.begin_ns, wait.end_ns);
  });
  lost.rows += std::erase_if(batch.launches, [&](const TraceLaunch& launch) {
    return launch.graph >= trace.graphs.size() || launch.lane.value() >= sizes.lanes ||
           !fits_step(launch.step) || !sensible_times(launch.begin_ns, launch.end_ns);
  });
  lost.rows += std::erase_if(batch.untimed, [&](const TraceUntimed& untimed) {
    return untimed.task >= sizes.tasks || !fits_step(untimed.step) || untimed.lane >= sizes.lanes ||
           untimed.executor_lane >= sizes.lanes || untimed.activity >= sizes.activities;
  });
  return lost;
}

}  // namespace quintet
