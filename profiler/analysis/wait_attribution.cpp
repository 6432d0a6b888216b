#include "profiler/analysis/wait_attribution.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "profiler/analysis/device_work.h"
#include "profiler/analysis/run_interval.h"

namespace quintet {

namespace {

constexpr const char* kBatchKind = "HOST_FILL_BATCH";  // an op kind
constexpr const char* kBatchReadable = "batch_readable";

/// Cuts the gaps of one window; holds what all of them look at.
class GapCutter {
 public:
  /// Lists at most `most` waits.
  GapCutter(const Trace& trace, const StepWindow& window, TaskRelations& relations,
            std::size_t most)
      : trace_(trace),
        window_(window),
        relations_(relations),
        most_(most),
        totals_(trace.lanes.size()),
        touching_(window.touching(trace.spans)),
        runs_(task_runs(trace, window, RunChoice::touching)) {
    collect_host_waits();
    index_runs();
    index_spans();
  }

  void cut_all() {
    for (std::uint32_t lane = 0; lane < trace_.lanes.size(); ++lane) {
      if (trace_.lanes[lane].kind == LaneKind::stream) cut_lane(LaneId(lane));
    }
  }

  WaitList take_list() { return std::move(list_); }
  std::vector<WaitTotals> take_totals() { return std::move(totals_); }

 private:
  void collect_host_waits() {
    std::vector<Interval> blocked;
    std::vector<Interval> starved;
    for (const TraceHostWait& wait : trace_.host_waits) {
      const Interval part = intersect(Interval{wait.begin_ns, wait.end_ns}, window_.time);
      if (part.empty()) continue;
      // What blocks the loader's own actor delays no launch: only its batches count.
      if (relations_.is_loader(wait.lane)) continue;
      const bool batch = wait.target.find(kBatchReadable) != std::string::npos;
      (batch ? starved : blocked).push_back(part);
    }
    collect_blocking_calls();
    starved_ = IntervalLengths(IntervalSet(std::move(starved)));
    blocked_ = subtract(IntervalSet(std::move(blocked)), starved_.set());
  }

  /// Imported traces tell of waits as of any other call, by its name.
  void collect_blocking_calls() {
    std::map<std::uint32_t, std::vector<Interval>> calls;
    for (const std::uint32_t span : touching_) {
      const std::uint32_t activity = trace_.spans.activity[span];
      if (activity_kind(trace_, activity) != ActivityKind::api_call) continue;
      if (trace_.activities[activity].name.find("Synchronize") == std::string::npos) continue;
      calls[trace_.spans.lane[span]].push_back(
          intersect(interval_of(trace_.spans, span), window_.time));
    }
    for (auto& [lane, times] : calls)
      blocked_on_[lane] = IntervalSet(std::move(times));
  }

  void index_runs() {
    by_end_.resize(runs_.size());
    std::iota(by_end_.begin(), by_end_.end(), 0U);
    std::stable_sort(by_end_.begin(), by_end_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return runs_[a].time.end < runs_[b].time.end;
    });
    for (std::uint32_t run = 0; run < runs_.size(); ++run) {
      // Only runs of several spans have gaps inside them.
      if (runs_[run].spans > 1) several_spans_[key_of(runs_[run])] = run;
    }
  }

  void index_spans() {
    spans_of_lane_.resize(trace_.lanes.size());
    for (const std::uint32_t span : touching_) {
      if (on_stream(trace_, span)) spans_of_lane_[trace_.spans.lane[span]].push_back(span);
    }
  }

  void cut_lane(LaneId lane) {
    const std::vector<std::uint32_t>& spans = spans_of_lane_[lane.value()];
    std::vector<Interval> busy;
    for (const std::uint32_t span : spans)
      busy.push_back(intersect(interval_of(trace_.spans, span), window_.time));
    const IntervalSet gaps = subtract(IntervalSet({window_.time}), IntervalSet(std::move(busy)));
    auto next = spans.begin();
    for (const Interval& gap : gaps.intervals()) {
      next = std::find_if(next, spans.end(), [this, &gap](std::uint32_t span) {
        return trace_.spans.begin_ns[span] >= gap.end && !interval_of(trace_.spans, span).empty();
      });
      if (next == spans.end() || gap.end == window_.time.end) {
        add({lane, gap, WaitCause::nothing_to_do, std::nullopt, std::nullopt});
      } else {
        cut_gap(lane, gap, next_run(*next));
      }
    }
  }

  using RunKey = std::tuple<std::uint32_t, std::int32_t, LaneId>;

  static RunKey key_of(const RunInterval& run) { return {run.task, run.step, run.lane}; }

  /// The run that goes on, or begins, with a span; where the span is a run of its own, that.
  [[nodiscard]] RunInterval next_run(std::uint32_t span) const {
    const SpanColumns& spans = trace_.spans;
    const Interval time = interval_of(spans, span);
    RunInterval run{spans.task[span],
                    spans.step[span],
                    LaneId(spans.lane[span]),
                    time,
                    time.length(),
                    spans.cpu_ns[span],
                    1,
                    spans.correlation[span]};
    const auto known = several_spans_.find(key_of(run));
    return known == several_spans_.end() ? run : runs_[known->second];
  }

  void cut_gap(LaneId lane, const Interval& gap, const RunInterval& next) {
    const std::uint32_t task = next.task;
    if (next.time.begin < gap.begin) {  // between the parts of one task only dispatch happens
      add({lane, gap, WaitCause::launch, std::nullopt, task});
      return;
    }
    std::int64_t from = gap.begin;
    const LaunchCall* launch = relations_.launch_of(next);
    if (const RunInterval* blocker = last_dependency(lane, gap, task)) {
      const bool batch = trace_.tasks[blocker->task].op_kind == kBatchKind;
      add({lane,
           {from, blocker->time.end},
           batch ? WaitCause::data_loader : WaitCause::dependency,
           blocker->task,
           task});
      from = blocker->time.end;
    }
    if (launch != nullptr && launch->time.end > from) {
      const std::int64_t launched = std::min(launch->time.end, gap.end);
      cut_host_time(lane, {from, launched}, task, launch->host);
      from = launched;
    }
    if (const RunInterval* blocker = last_in_structure(lane, {from, gap.end}, launch)) {
      add({lane, {from, blocker->time.end}, WaitCause::dependency, blocker->task, task});
      from = blocker->time.end;
    }
    add({lane, {from, gap.end}, WaitCause::launch, std::nullopt, task});
  }

  /// When a host was blocked, and when it was blocked or starved.
  struct HostTime {
    IntervalLengths blocked;
    IntervalLengths either;
  };

  const HostTime& host_time(std::uint32_t host) {
    const auto calls = blocked_on_.find(host);
    const std::uint32_t thread = calls == blocked_on_.end() ? LaunchCall::kUnknown : host;
    const auto known = host_times_.find(thread);
    if (known != host_times_.end()) return known->second;
    IntervalSet blocked = calls == blocked_on_.end() ? blocked_ : unite(blocked_, calls->second);
    IntervalSet either = unite(starved_.set(), blocked);
    return host_times_
        .emplace(thread,
                 HostTime{IntervalLengths(std::move(blocked)), IntervalLengths(std::move(either))})
        .first->second;
  }

  /// Time before a launch: what the host did meanwhile, in time order. Many streams may wait for
  /// one host, so that their pieces are as many as streams times its calls: beyond those that are
  /// listed only their sums are taken.
  void cut_host_time(LaneId lane, const Interval& time, std::uint32_t task, std::uint32_t host) {
    if (time.empty()) return;
    const HostTime& of_host = host_time(host);
    if (list_.waits.size() >= most_) {
      count(lane, WaitCause::data_loader, starved_.within(time));
      count(lane, WaitCause::host_sync, of_host.blocked.within(time));
      count(lane, WaitCause::launch, time.length() - of_host.either.within(time));
      ++list_.left_out;
      return;
    }
    std::vector<Wait> pieces;
    const IntervalSet starved = starved_.set().within(time);
    const IntervalSet blocked = of_host.blocked.set().within(time);
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

  /// The run of another lane that satisfies `related` and ends last within the gap; of several that
  /// end at once the first.
  template <class Related>
  const RunInterval* last_within(LaneId lane, const Interval& gap, Related related) {
    const auto beyond =
        std::partition_point(by_end_.begin(), by_end_.end(),
                             [&](std::uint32_t run) { return runs_[run].time.end <= gap.end; });
    const RunInterval* last = nullptr;
    for (auto at = beyond; at != by_end_.begin();) {
      const RunInterval& run = runs_[*--at];
      if (run.time.end <= gap.begin) break;
      if (last != nullptr && run.time.end < last->time.end) break;
      if (run.lane != lane && run.time.begin < gap.end && related(run)) last = &run;
    }
    return last;
  }

  const RunInterval* last_dependency(LaneId lane, const Interval& gap, std::uint32_t task) {
    // Names of an import depend on nothing: no need to look at what ran meanwhile.
    if (!relations_.has_relations(task)) return nullptr;
    return last_within(lane, gap, [this, task](const RunInterval& run) {
      return relations_.graph_edge(run.task, task) || relations_.conflict(run.task, task);
    });
  }

  /// A graph is done on the stream that it was launched on when all of it is, wherever its tasks
  /// ran; the stream of the next launch, or one that waits for its events, goes on only then.
  const RunInterval* last_in_structure(LaneId lane, const Interval& gap, const LaunchCall* launch) {
    if (launch == nullptr || launch->stream == LaunchCall::kUnknown || gap.empty()) return nullptr;
    const LaneId primary(launch->stream);
    const auto held_by = [this, primary](LaneId stream) {
      return stream == primary || relations_.waits_for(primary, stream);
    };
    return last_within(lane, gap, [this, launch, &held_by](const RunInterval& run) {
      const LaunchCall* other = relations_.launch_of(run);
      if (other == launch) return false;
      if (other != nullptr && other->time.begin > launch->time.begin) return false;
      const bool known = other != nullptr && other->stream != LaunchCall::kUnknown;
      return held_by(run.lane) || (known && held_by(LaneId(other->stream)));
    });
  }

  void count(LaneId lane, WaitCause cause, std::int64_t time_ns) {
    totals_[lane.value()][static_cast<std::size_t>(cause)] += time_ns;
  }

  void add(const Wait& wait) {
    if (wait.time.empty()) return;
    count(wait.lane, wait.cause, wait.time.length());
    if (list_.waits.size() < most_) {
      list_.waits.push_back(wait);
    } else {
      ++list_.left_out;
    }
  }

  const Trace& trace_;
  const StepWindow& window_;
  TaskRelations& relations_;
  std::size_t most_;
  std::vector<WaitTotals> totals_;  ///< per lane
  WaitList list_;
  std::vector<std::uint32_t> touching_;  ///< the window's spans
  std::vector<RunInterval> runs_;
  std::vector<std::uint32_t> by_end_;  ///< positions of runs_
  std::map<RunKey, std::uint32_t> several_spans_;
  std::vector<std::vector<std::uint32_t>> spans_of_lane_;
  IntervalLengths starved_{IntervalSet()};           ///< the host waited for a batch
  IntervalSet blocked_;                              ///< the host waited for anything else
  std::map<std::uint32_t, IntervalSet> blocked_on_;  ///< calls that waited, by the thread's lane
  std::map<std::uint32_t, HostTime> host_times_;     ///< kUnknown: of a thread without such calls
};

}  // namespace

WaitList list_waits(const Trace& trace, const StepWindow& window, TaskRelations& relations,
                    std::size_t most) {
  GapCutter cutter(trace, window, relations, most);
  cutter.cut_all();
  return cutter.take_list();
}

std::vector<Wait> attribute_waits(const Trace& trace, const StepWindow& window,
                                  TaskRelations& relations) {
  return list_waits(trace, window, relations, std::numeric_limits<std::size_t>::max()).waits;
}

std::vector<WaitTotals> wait_totals(const Trace& trace, const StepWindow& window,
                                    TaskRelations& relations) {
  GapCutter cutter(trace, window, relations, 0);
  cutter.cut_all();
  return cutter.take_totals();
}

std::vector<WaitTotals> totals_per_lane(const Trace& trace, const std::vector<Wait>& waits) {
  std::vector<WaitTotals> totals(trace.lanes.size());
  for (const Wait& wait : waits) {
    totals.at(wait.lane.value()).at(static_cast<std::size_t>(wait.cause)) += wait.time.length();
  }
  return totals;
}

}  // namespace quintet
