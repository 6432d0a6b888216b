#include "profiler/analysis/wait_attribution.h"

#include <algorithm>

#include "profiler/analysis/run_interval.h"

namespace quintet {

namespace {

constexpr const char* kFillBatch = "HOST_FILL_BATCH";
constexpr const char* kBatchReadable = "batch_readable";

/// Cuts the gaps of one window; holds what all of them look at.
class GapCutter {
 public:
  GapCutter(const Trace& trace, const StepWindow& window, TaskRelations& relations)
      : trace_(trace),
        window_(window),
        relations_(relations),
        runs_(task_runs(trace, window, RunChoice::touching)) {
    collect_host_waits();
  }

  std::vector<Wait> cut_all() {
    for (std::uint32_t lane = 0; lane < trace_.lanes.size(); ++lane) {
      if (trace_.lanes[lane].kind == LaneKind::stream) cut_lane(LaneId(lane));
    }
    return std::move(waits_);
  }

 private:
  void collect_host_waits() {
    // What blocks the loader's own actor delays no launch: only its batches count.
    std::vector<bool> loader(trace_.lanes.size());
    for (const TraceTask& task : trace_.tasks) {
      if (task.op_kind == kFillBatch && task.policy_lane &&
          task.policy_lane->value() < loader.size()) {
        loader[task.policy_lane->value()] = true;
      }
    }
    std::vector<Interval> blocked;
    std::vector<Interval> starved;
    for (const TraceHostWait& wait : trace_.host_waits) {
      const Interval part = intersect(Interval{wait.begin_ns, wait.end_ns}, window_.time);
      if (part.empty()) continue;
      if (wait.lane.value() < loader.size() && loader[wait.lane.value()]) continue;
      const bool batch = wait.target.find(kBatchReadable) != std::string::npos;
      (batch ? starved : blocked).push_back(part);
    }
    starved_ = IntervalSet(std::move(starved));
    blocked_ = subtract(IntervalSet(std::move(blocked)), starved_);
  }

  void cut_lane(LaneId lane) {
    std::vector<Interval> busy;
    std::vector<std::uint32_t> spans;
    for (const std::uint32_t span : window_.spans) {
      if (trace_.spans.lane[span] != lane.value() || !on_stream(trace_, span)) continue;
      busy.push_back(intersect(interval_of(trace_.spans, span), window_.time));
      spans.push_back(span);
    }
    const IntervalSet gaps = subtract(IntervalSet({window_.time}), IntervalSet(std::move(busy)));
    auto next = spans.begin();
    for (const Interval& gap : gaps.intervals()) {
      next = std::find_if(next, spans.end(), [this, &gap](std::uint32_t span) {
        return trace_.spans.begin_ns[span] >= gap.end && !interval_of(trace_.spans, span).empty();
      });
      if (next == spans.end() || gap.end == window_.time.end) {
        add({lane, gap, WaitCause::nothing_to_do, std::nullopt, std::nullopt});
      } else {
        cut_gap(lane, gap, trace_.spans.task[*next], trace_.spans.step[*next]);
      }
    }
  }

  void cut_gap(LaneId lane, const Interval& gap, std::uint32_t task, std::int32_t step) {
    const bool inside_run = std::any_of(runs_.begin(), runs_.end(), [&](const RunInterval& run) {
      return run.task == task && run.step == step && run.lane == lane && run.time.begin < gap.begin;
    });
    if (inside_run) {  // between the parts of one task nothing but dispatch happens
      add({lane, gap, WaitCause::launch, std::nullopt, task});
      return;
    }
    std::int64_t from = gap.begin;
    const TraceLaunch* launch = relations_.launch_of(task, gap.end);
    if (const RunInterval* blocker = last_dependency(lane, gap, task)) {
      const bool batch = trace_.tasks[blocker->task].op_kind == kFillBatch;
      add({lane,
           {from, blocker->time.end},
           batch ? WaitCause::data_loader : WaitCause::dependency,
           blocker->task,
           task});
      from = blocker->time.end;
    }
    if (launch != nullptr && launch->end_ns > from) {
      const std::int64_t launched = std::min(launch->end_ns, gap.end);
      cut_host_time(lane, {from, launched}, task);
      from = launched;
    }
    if (const RunInterval* blocker = last_in_structure(lane, {from, gap.end}, launch)) {
      add({lane, {from, blocker->time.end}, WaitCause::dependency, blocker->task, task});
      from = blocker->time.end;
    }
    add({lane, {from, gap.end}, WaitCause::launch, std::nullopt, task});
  }

  /// Time before a launch: what the host did meanwhile, in time order.
  void cut_host_time(LaneId lane, const Interval& time, std::uint32_t task) {
    std::vector<Wait> pieces;
    const IntervalSet starved = starved_.within(time);
    const IntervalSet blocked = blocked_.within(time);
    for (const Interval& piece : starved.intervals())
      pieces.push_back({lane, piece, WaitCause::data_loader, std::nullopt, task});
    for (const Interval& piece : blocked.intervals())
      pieces.push_back({lane, piece, WaitCause::host_sync, std::nullopt, task});
    const IntervalSet rest = subtract(IntervalSet({time}), unite(starved, blocked));
    for (const Interval& piece : rest.intervals())
      pieces.push_back({lane, piece, WaitCause::launch, std::nullopt, task});
    std::sort(pieces.begin(), pieces.end(),
              [](const Wait& a, const Wait& b) { return a.time.begin < b.time.begin; });
    for (Wait& piece : pieces)
      add(piece);
  }

  /// The latest end within the gap among the runs of other lanes that satisfy `related`.
  template <class Related>
  const RunInterval* last_within(LaneId lane, const Interval& gap, Related related) {
    const RunInterval* last = nullptr;
    for (const RunInterval& run : runs_) {
      if (run.time.begin >= gap.end) break;
      if (run.lane == lane || run.time.end <= gap.begin || run.time.end > gap.end) continue;
      if (last != nullptr && run.time.end <= last->time.end) continue;
      if (related(run)) last = &run;
    }
    return last;
  }

  const RunInterval* last_dependency(LaneId lane, const Interval& gap, std::uint32_t task) {
    return last_within(lane, gap, [this, task](const RunInterval& run) {
      return relations_.graph_edge(run.task, task) || relations_.conflict(run.task, task);
    });
  }

  const RunInterval* last_in_structure(LaneId lane, const Interval& gap,
                                       const TraceLaunch* launch) {
    if (launch == nullptr || gap.empty()) return nullptr;
    const LaneId primary = launch->lane;
    return last_within(lane, gap, [this, primary, launch](const RunInterval& run) {
      if (run.lane != primary && !relations_.waits_for(primary, run.lane)) return false;
      return relations_.launch_of(run.task, run.time.begin) != launch;
    });
  }

  void add(const Wait& wait) {
    if (!wait.time.empty()) waits_.push_back(wait);
  }

  const Trace& trace_;
  const StepWindow& window_;
  TaskRelations& relations_;
  std::vector<RunInterval> runs_;
  IntervalSet starved_;  ///< the host waited for a batch
  IntervalSet blocked_;  ///< the host waited for anything else
  std::vector<Wait> waits_;
};

}  // namespace

std::vector<Wait> attribute_waits(const Trace& trace, const StepWindow& window,
                                  TaskRelations& relations) {
  return GapCutter(trace, window, relations).cut_all();
}

std::vector<WaitTotals> totals_per_lane(const Trace& trace, const std::vector<Wait>& waits) {
  std::vector<WaitTotals> totals(trace.lanes.size());
  for (const Wait& wait : waits) {
    totals.at(wait.lane.value()).at(static_cast<std::size_t>(wait.cause)) += wait.time.length();
  }
  return totals;
}

}  // namespace quintet
