#include "viewer/model/timeline/step_insight.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "profiler/analysis/step_window.h"
#include "profiler/analysis/task_relations.h"
#include "profiler/trace/trace_trim.h"

namespace quintet::viewer {

/// The step cut out of its trace: everything below looks at it alone, however long the trace is.
struct StepInsight::Parts {
  Trace trace;
  std::optional<TaskRelations> relations;
  std::vector<RunInterval> runs;
  std::optional<std::size_t> linked;  ///< the run that `links` are of
  std::vector<RunLink> links;
};

namespace {

/// The tasks of the whole trace by what tells them apart.
std::vector<std::uint32_t> original_tasks(const Trace& whole, const Trace& part) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, std::uint32_t> known;
  for (std::uint32_t task = 0; task < whole.tasks.size(); ++task) {
    const TraceTask& each = whole.tasks[task];
    known.try_emplace({each.name, each.shape, each.graph}, task);
  }
  std::vector<std::uint32_t> original;
  for (const TraceTask& task : part.tasks)
    original.push_back(known.at({task.name, task.shape, task.graph}));
  return original;
}

/// The step and the one before it, whose end its window begins with.
StepRange range_with_predecessor(const Trace& trace, std::int64_t step) {
  std::int64_t before = step;
  for (const TraceStep& each : trace.steps) {
    if (each.step < step && (before == step || each.step > before)) before = each.step;
  }
  return {before, step};
}

}  // namespace

Result<StepInsight> StepInsight::of(const StepSlicer& slicer, std::int64_t step) {
  const Trace& trace = slicer.trace();
  const bool known = std::any_of(trace.steps.begin(), trace.steps.end(),
                                 [step](const TraceStep& each) { return each.step == step; });
  if (!known) return fail(fmt::format("the recording has no step {}", step));
  StepInsight insight;
  insight.step_ = step;
  insight.parts_ = std::make_shared<Parts>();
  Parts& parts = *insight.parts_;
  const StepRange range = range_with_predecessor(trace, step);
  parts.trace = trim_trace(slicer.around(range), range);
  const std::vector<StepWindow> windows = step_windows(parts.trace);
  const auto window = std::find_if(windows.begin(), windows.end(),
                                   [step](const StepWindow& each) { return each.step == step; });
  if (window == windows.end()) return fail(fmt::format("step {} has no time of its own", step));
  if (window->record != WorkRecord::nodes) {
    return fail(fmt::format("step {}: {}", step, reason_of(window->record)),
                "record every step in node mode");
  }
  insight.window_ = window->time;
  parts.relations.emplace(parts.trace);
  parts.runs = stream_runs(parts.trace, *window);
  const std::vector<std::uint32_t> original = original_tasks(trace, parts.trace);
  for (const Wait& wait : attribute_waits(parts.trace, *window, *parts.relations)) {
    InsightWait entry{wait.lane.value(), wait.time, wait.cause, std::nullopt, std::nullopt};
    if (wait.blocker) entry.blocker = original.at(*wait.blocker);
    if (wait.next) entry.next = original.at(*wait.next);
    insight.waits_.push_back(entry);
  }
  const auto calls = calls_within(*parts.relations, *window);
  const CriticalPath path = critical_path(parts.runs, *parts.relations, PathOrder::as_run, calls);
  insight.path_ns_ = path.length_ns;
  for (std::size_t run = 0; run < parts.runs.size(); ++run) {
    const RunInterval& each = parts.runs[run];
    insight.runs_.push_back(
        {original.at(each.task), each.step, each.lane.value(), each.time, path.slack_ns.at(run)});
    insight.slacks_.push_back(
        {{insight.runs_.back().task, insight.runs_.back().step}, path.slack_ns.at(run)});
  }
  // A name that ran several times is as critical as the most critical of its runs.
  std::vector<RunSlack>& slacks = insight.slacks_;
  std::sort(slacks.begin(), slacks.end());
  const auto same = [](const RunSlack& a, const RunSlack& b) { return a.first == b.first; };
  slacks.erase(std::unique(slacks.begin(), slacks.end(), same), slacks.end());
  slacks.shrink_to_fit();
  for (const std::size_t node : path.path) {
    if (node < insight.runs_.size()) {
      const InsightRun& run = insight.runs_[node];
      insight.path_.push_back({run.time, run.lane, run.task});
    } else {
      insight.path_.push_back(
          {calls[node - insight.runs_.size()]->time, std::nullopt, std::nullopt});
    }
  }
  return insight;
}

std::optional<std::int64_t> StepInsight::slack_of(std::uint32_t task, std::int32_t step) const {
  const RunSlack wanted{{task, step}, std::numeric_limits<std::int64_t>::min()};
  const auto known = std::lower_bound(slacks_.begin(), slacks_.end(), wanted);
  if (known == slacks_.end() || known->first != wanted.first) return std::nullopt;
  return known->second;
}

std::optional<std::size_t> StepInsight::run_of(std::uint32_t task, std::int64_t time_ns) const {
  std::optional<std::size_t> first;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    if (runs_[run].task != task) continue;
    if (runs_[run].time.begin <= time_ns && time_ns < runs_[run].time.end) return run;
    if (!first) first = run;
  }
  return first;
}

bool StepInsight::linked() const {
  return parts_->relations.has_value();
}

StepInsight StepInsight::without_links() const {
  StepInsight rest = *this;
  rest.parts_ = std::make_shared<Parts>();
  return rest;
}

std::size_t StepInsight::held_bytes() const {
  return sizeof(*this) + waits_.capacity() * sizeof(InsightWait) +
         path_.capacity() * sizeof(PathPiece) + runs_.capacity() * sizeof(InsightRun) +
         slacks_.capacity() * sizeof(RunSlack);
}

const std::vector<RunLink>& StepInsight::links_of(std::size_t run) const {
  if (linked() && parts_->linked != run) {
    parts_->links.clear();
    find_links(run);
    parts_->linked = run;
  }
  return parts_->links;
}

void StepInsight::find_links(std::size_t run) const {
  std::vector<RunLink>& links = parts_->links;
  TaskRelations& relations = *parts_->relations;
  const std::vector<RunInterval>& runs = parts_->runs;
  const auto ordered = [&](std::size_t a, std::size_t b) {
    return runs[a].time.end <= runs[b].time.begin && relations.has_relations(runs[a].task) &&
           relations.has_relations(runs[b].task) &&
           relations.data_conflict(runs[a].task, runs[b].task);
  };
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;
  std::optional<std::size_t> lane_before;
  std::optional<std::size_t> lane_after;
  for (std::size_t other = 0; other < runs.size(); ++other) {
    if (other == run) continue;
    if (ordered(other, run)) before.push_back(other);
    if (ordered(run, other)) after.push_back(other);
    if (runs[other].lane != runs[run].lane) continue;
    if (other < run) lane_before = other;
    if (other > run && !lane_after) lane_after = other;
  }
  const auto direct = [&](std::size_t from, std::size_t to, const std::vector<std::size_t>& among) {
    return std::none_of(among.begin(), among.end(), [&](std::size_t via) {
      return via != from && via != to && ordered(from, via) && ordered(via, to);
    });
  };
  for (const std::size_t from : before) {
    if (direct(from, run, before)) links.push_back({LinkKind::data, from, run});
  }
  for (const std::size_t to : after) {
    if (direct(run, to, after)) links.push_back({LinkKind::data, run, to});
  }
  if (lane_before && !ordered(*lane_before, run)) {
    links.push_back({LinkKind::stream, *lane_before, run});
  }
  if (lane_after && !ordered(run, *lane_after)) {
    links.push_back({LinkKind::stream, run, *lane_after});
  }
}

}  // namespace quintet::viewer
