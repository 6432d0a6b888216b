#include "profiler/import/trace_finisher.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "profiler/import/file_clocks.h"
#include "profiler/import/graph_launches.h"
#include "profiler/import/launch_findings.h"
#include "profiler/trace/span_columns.h"
#include "profiler/trace/span_order.h"

namespace quintet {

TraceFinisher::TraceFinisher(TraceBuilder built)
    : built_(std::move(built)), spans_(built_.spans_), calls_(spans_, lane_scope_, lane_process_) {}

Result<Trace> TraceFinisher::finish() {
  if (auto settled = settle_clocks(); !settled) return tl::unexpected(settled.error());
  lanes_ = built_.lanes_.finish(built_.sources_);
  restored_ = !built_.sources_.empty() &&
              std::all_of(built_.sources_.begin(), built_.sources_.end(),
                          [](const ImportSource& source) { return source.restored; });
  find_scopes();
  merge_steps();
  gather_calls();
  number_calls();
  spans_.step.assign(spans_.size(), -1);
  join_spans();
  join_untimed();
  judge_joins();
  number_lanes();
  place_tasks();
  calls_.clear();
  sort_spans(spans_);
  spans_.cpu_ns.assign(spans_.size(), -1);  // last, so that the columns are never all there twice
  // They grew one by one; what stays in memory is what they hold.
  for_each_column([](auto& column) { column.shrink_to_fit(); }, spans_);
  if (!restored_) judge_order();
  judge_sources();
  tell_clocks();
  describe();
  return std::move(trace_);
}

Result<void> TraceFinisher::settle_clocks() {
  FileClocks clocks(
      {built_.lanes_, built_.sources_, spans_, built_.untimed_, built_.steps_, built_.findings_});
  clocks.apply();
  if (auto checked = clocks.check(); !checked) return checked;
  unknown_ranks_ =
      std::count_if(built_.sources_.begin(), built_.sources_.end(),
                    [](const ImportSource& source) { return !source.rank.has_value(); });
  clocks.number_ranks();
  return {};
}

void TraceFinisher::find_scopes() {
  std::map<std::pair<ImportSourceId, std::int64_t>, std::uint32_t> ids;
  std::map<std::pair<ImportSourceId, std::int64_t>, std::uint32_t> processes;
  for (std::size_t lane = 0; lane < built_.lanes_.size(); ++lane) {
    const LaneKey& key = built_.lanes_.key_of(static_cast<std::uint16_t>(lane));
    const auto process = processes.try_emplace({key.source, key.process},
                                               static_cast<std::uint32_t>(processes.size()));
    lane_process_.push_back(process.first->second);
    const bool by_process = built_.sources_[key.source.value()].scope == CorrelationScope::process;
    const auto [at, added] = ids.try_emplace({key.source, by_process ? key.process : 0},
                                             static_cast<std::uint32_t>(ids.size()));
    lane_scope_.push_back(at->second);
  }
  scope_highest_.resize(ids.size());
  scope_offset_.resize(ids.size());
}

void TraceFinisher::merge_steps() {
  steps_ = ImportedSteps(built_.steps_, std::move(built_.restored_steps_), built_.sources_,
                         built_.findings_);
  const bool listed = std::any_of(built_.sources_.begin(), built_.sources_.end(),
                                  [](const ImportSource& source) { return source.steps_restored; });
  whole_range_ = steps_.empty();
  if (whole_range_ && !listed && spans_.size() > 0) {
    steps_.take_whole(*std::min_element(spans_.begin_ns.begin(), spans_.begin_ns.end()),
                      *std::max_element(spans_.end_ns.begin(), spans_.end_ns.end()),
                      built_.findings_);
  }
  trace_.steps = steps_.by_end();
}

void TraceFinisher::gather_calls() {
  const auto is_call = [this](std::size_t span) {
    return spans_.correlation[span] != 0 &&
           built_.activities_.kind_of(spans_.activity[span]) == ActivityKind::api_call;
  };
  std::size_t calls = 0;
  for (std::size_t span = 0; span < spans_.size(); ++span)
    calls += is_call(span) ? 1 : 0;
  calls_.reserve(calls);
  for (std::size_t span = 0; span < spans_.size(); ++span) {
    const std::uint32_t correlation = spans_.correlation[span];
    const std::uint32_t scope = lane_scope_[spans_.lane[span]];
    scope_highest_[scope] = std::max<std::uint64_t>(scope_highest_[scope], correlation);
    if (is_call(span)) calls_.add({correlation, static_cast<std::uint32_t>(span)});
  }
  for (const TraceUntimed& each : built_.untimed_) {
    std::uint64_t& highest = scope_highest_[lane_scope_[each.lane]];
    highest = std::max<std::uint64_t>(highest, each.correlation);
  }
  calls_.sort();
}

void TraceFinisher::number_calls() {
  std::vector<std::uint64_t> further(scope_highest_.size());
  for (std::size_t call = 0; call < calls_.calls().size(); ++call) {
    if (calls_.repeats(call)) ++further[calls_.scope(calls_.calls()[call])];
  }
  std::uint64_t next = 0;
  for (std::size_t scope = 0; scope < scope_highest_.size(); ++scope) {
    scope_offset_[scope] = next;
    next += scope_highest_[scope] + further[scope];
    further[scope] = scope_highest_[scope];
  }
  counted_anew_ = next > std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t position = 0; position < calls_.calls().size(); ++position) {
    LaunchTable::Call& call = calls_.call(position);
    const std::uint32_t scope = calls_.scope(call);
    const std::uint64_t id =
        calls_.repeats(position) ? ++further[scope] : std::uint64_t{call.correlation};
    call.id = counted_anew_ ? position + 1 : static_cast<std::uint32_t>(id + scope_offset_[scope]);
  }
}

std::uint32_t TraceFinisher::join(std::uint16_t lane, std::uint32_t activity,
                                  std::uint32_t correlation, std::int64_t begin_ns) {
  if (!runs_on_device(built_.activities_.kind_of(activity))) return LaunchTable::kNone;
  ++device_spans_;
  if (correlation == 0) return LaunchTable::kNone;
  const std::uint32_t call = calls_.find(lane_scope_[lane], correlation, begin_ns);
  if (call == LaunchTable::kNone) {
    if (!restored_)
      count(Severity::info, "launch_not_recorded",
            "work of devices whose launch is not in the file");
  } else if (calls_.calls()[call].ambiguous) {
    count(Severity::notice, "ambiguous_correlation",
          "work of devices that calls of several processes may have launched: joined with none");
  }
  return call;
}

std::uint32_t TraceFinisher::id_of(std::uint16_t lane, std::uint32_t correlation,
                                   std::uint32_t call) {
  if (correlation == 0) return 0;
  if (call != LaunchTable::kNone) {
    const LaunchTable::Call& launch = calls_.calls()[call];
    return launch.ambiguous ? 0 : launch.id;
  }
  const std::uint32_t scope = lane_scope_[lane];
  if (!counted_anew_) return static_cast<std::uint32_t>(correlation + scope_offset_[scope]);
  const auto next = static_cast<std::uint32_t>(calls_.calls().size() + anew_.size() + 1);
  return anew_.try_emplace({scope, correlation}, next).first->second;
}

void TraceFinisher::join_spans() {
  std::vector<std::size_t> doubted;
  for (std::size_t span = 0; span < spans_.size(); ++span) {
    const std::uint32_t correlation = spans_.correlation[span];
    const std::uint32_t call =
        join(spans_.lane[span], spans_.activity[span], correlation, spans_.begin_ns[span]);
    if (call != LaunchTable::kNone &&
        calls_.begin_ns(calls_.calls()[call]) - spans_.begin_ns[span] > kCorrelationTroubleNs &&
        graph_node_of(span)) {
      doubted.push_back(span);
      continue;
    }
    give(span, call);
  }
  if (!doubted.empty()) rejoin(doubted);
  for (const LaunchTable::Call& call : calls_.calls())
    spans_.correlation[call.span] = call.ambiguous ? 0 : call.id;
  for (const auto& [span, call] : calls_.inner_spans())
    spans_.correlation[span] = spans_.correlation[calls_.calls()[call].span];
}

void TraceFinisher::give(std::size_t span, std::uint32_t position) {
  const std::int64_t begin = spans_.begin_ns[span];
  const bool work = runs_on_device(built_.activities_.kind_of(spans_.activity[span]));
  std::int64_t serves = begin;
  if (position != LaunchTable::kNone && !calls_.calls()[position].ambiguous) {
    LaunchTable::Call& call = calls_.call(position);
    call.launched = true;
    // Work belongs to the step that launched it, however late the device gets to it.
    serves = calls_.begin_ns(call);
    if (begin < serves) {
      ++early_;
      worst_early_ns_ = std::max(worst_early_ns_, serves - begin);
    }
    if (const auto node = graph_node_of(span))
      graph_nodes_.add(position, serves, lane_scope_[spans_.lane[span]], *node);
  }
  spans_.step[span] = steps_.at(serves);
  if (!work) return;
  spans_.correlation[span] = id_of(spans_.lane[span], spans_.correlation[span], position);
  ++timed_work_;
  const bool in_step = spans_.step[span] >= 0 || steps_.touch(begin, spans_.end_ns[span]);
  work_in_steps_ += in_step ? 1 : 0;
}

std::optional<std::uint64_t> TraceFinisher::graph_node_of(std::size_t span) const {
  return built_.activities_.activities()[spans_.activity[span]].graph_node;
}

/// Work of graphs that begins long before the call whose correlation it carries: some drivers tell
/// wrong ones. The latest launch of its graph before it has launched it.
void TraceFinisher::rejoin(const std::vector<std::size_t>& doubted) {
  GraphLaunches launches;
  for (std::uint32_t position = 0; position < calls_.calls().size(); ++position) {
    const LaunchTable::Call& call = calls_.calls()[position];
    if (is_graph_launch(built_.activities_.tasks()[spans_.task[call.span]].name))
      launches.add(position, calls_.scope(call), calls_.begin_ns(call));
  }
  launches.sort();
  for (const auto& [call, launch] : graph_nodes_.launches())
    launches.tell_graph(call, graph_of_node(launch.node));
  for (const std::size_t span : doubted) {
    const std::uint32_t scope = lane_scope_[spans_.lane[span]];
    const std::uint32_t other =
        launches.latest(scope, graph_of_node(*graph_node_of(span)), spans_.begin_ns[span]);
    if (other == GraphLaunches::kNone) {
      give(span, calls_.find(scope, spans_.correlation[span], spans_.begin_ns[span]));
      continue;
    }
    give(span, other);
    count(Severity::notice, "wrong_correlation",
          "work of graphs that carries the correlation of a call after it: joined with the latest "
          "launch of its graph before it");
  }
}

void TraceFinisher::join_untimed() {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  for (TraceUntimed& each : built_.untimed_) {
    const std::uint32_t call = join(each.lane, each.activity, each.correlation, kLast);
    const bool device = runs_on_device(built_.activities_.kind_of(each.activity));
    const std::uint32_t known =
        device ? call : calls_.find(lane_scope_[each.lane], each.correlation, kLast);
    if (call != LaunchTable::kNone && calls_.repeats(call)) {
      count(Severity::notice, "ambiguous_correlation",
            "work of devices that calls of several processes may have launched: joined with none");
      each.correlation = 0;
      continue;
    }
    each.correlation = id_of(each.lane, each.correlation, known);
    if (call == LaunchTable::kNone || calls_.calls()[call].ambiguous) continue;
    LaunchTable::Call& launch = calls_.call(call);
    launch.launched = true;
    each.step = steps_.at(calls_.begin_ns(launch));
    if (const auto node = built_.activities_.activities()[each.activity].graph_node)
      graph_nodes_.add(call, calls_.begin_ns(launch), lane_scope_[each.lane], *node);
  }
}

void TraceFinisher::number_lanes() {
  for (TraceUntimed& each : built_.untimed_) {
    each.lane = lanes_.place[each.lane];
    each.executor_lane = lanes_.place[each.executor_lane];
  }
  for (std::vector<std::uint16_t>* lanes : {&spans_.lane, &spans_.executor_lane}) {
    for (std::uint16_t& lane : *lanes)
      lane = lanes_.place[lane];
  }
}

void TraceFinisher::place_tasks() {
  constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
  constexpr std::uint32_t kSeveral = 0xFFFFFFFE;
  std::vector<std::uint32_t> lane_of_task(built_.activities_.tasks().size(), kNowhere);
  const auto see = [&](std::uint32_t task, std::uint32_t lane) {
    std::uint32_t& known = lane_of_task[task];
    known = known == kNowhere || known == lane ? lane : kSeveral;
  };
  for (std::size_t span = 0; span < spans_.size(); ++span)
    see(spans_.task[span], spans_.lane[span]);
  for (const TraceUntimed& each : built_.untimed_)
    see(each.task, each.lane);
  trace_.tasks = built_.activities_.take_tasks();
  for (std::size_t task = 0; task < trace_.tasks.size(); ++task) {
    if (lane_of_task[task] < kSeveral) trace_.tasks[task].policy_lane = LaneId(lane_of_task[task]);
  }
}

void TraceFinisher::judge_joins() {
  if (restored_) return;
  if (early_ > 0) {
    count(
        Severity::notice, "negative_launch_latency",
        fmt::format("work of devices that begins before the call that launched it, at worst {} ns "
                    "before: the clocks disagree; times are as told",
                    worst_early_ns_),
        early_);
  }
  judge_launches(calls_, built_.activities_, spans_, device_spans_, built_.findings_);
  if (const std::int64_t fewer = graph_nodes_.launches_with_fewer(); fewer > 0) {
    count(Severity::data_loss, "fewer_graph_nodes",
          "launches of graphs of which fewer nodes were recorded than of an earlier launch of the "
          "same "
          "graph: records were lost, or nodes were disabled",
          fewer);
  }
  if (whole_range_ || timed_work_ == 0 || work_in_steps_ > 0) return;
  count(Severity::error, "work_outside_steps",
        "work of devices, all of it outside every named step: the steps, or their clock, are of "
        "something else",
        timed_work_);
}

void TraceFinisher::judge_order() {
  judge_streams(built_.activities_, spans_, built_.findings_);
  std::vector<bool> is_thread(lanes_.lanes.size());
  for (std::size_t lane = 0; lane < is_thread.size(); ++lane) {
    const LaneKey& key = built_.lanes_.key_of(static_cast<std::uint16_t>(lane));
    is_thread[lanes_.place[lane]] = key.role == LaneRole::thread;
  }
  judge_threads(trace_.tasks, is_thread, spans_, built_.findings_);
}

void TraceFinisher::judge_sources() {
  if (unknown_ranks_ > 0) {
    const bool several = built_.sources_.size() > 1;
    count(several ? Severity::notice : Severity::info, "rank_unknown",
          several ? "files that do not report their rank: numbered in the order in which they were "
                    "named"
                  : "files that do not report their rank: 0 was taken",
          unknown_ranks_);
  }
  if (spans_.size() == 0 && built_.untimed_.empty())
    count(Severity::notice, "no_activities", "no activity was recorded");
  if (built_.lanes_.crowded() > 0) {
    count(Severity::notice, "too_many_lanes",
          fmt::format("activities beyond the first {} streams and threads share a lane",
                      LaneBook::kMostLanes),
          built_.lanes_.crowded());
  }
}

/// Profilers tell times of devices by one clock and those of threads by another, each file by its own.
void TraceFinisher::tell_clocks() {
  std::map<std::pair<ImportSourceId, bool>, std::uint16_t> clocks;
  for (std::size_t lane = 0; lane < built_.lanes_.size(); ++lane) {
    const LaneKey& key = built_.lanes_.key_of(static_cast<std::uint16_t>(lane));
    const bool host = is_host(key.role);
    const auto [clock, added] =
        clocks.try_emplace({key.source, host}, static_cast<std::uint16_t>(trace_.clocks.size()));
    if (added) {
      trace_.clocks.push_back({fmt::format("{} of {}", host ? "host" : "devices",
                                           built_.sources_[key.source.value()].file)});
    }
    trace_.lane_clocks.push_back({lanes_.place[lane], clock->second});
  }
  std::sort(trace_.lane_clocks.begin(), trace_.lane_clocks.end(),
            [](const TraceLaneClock& a, const TraceLaneClock& b) { return a.lane < b.lane; });
}

void TraceFinisher::describe() {
  std::vector<std::string> files;
  std::set<std::string> formats;
  for (const ImportSource& source : built_.sources_) {
    // A file may be several sources: its ranks.
    if (files.empty() || files.back() != source.file) files.push_back(source.file);
    formats.insert(source.format);
  }
  trace_.provenance = std::move(built_.provenance_);
  trace_.provenance["executor"] = "imported";
  trace_.provenance["source_file"] = fmt::format("{}", fmt::join(files, ", "));
  trace_.provenance["source_format"] = fmt::format("{}", fmt::join(formats, ", "));
  trace_.provenance["graph_node_ids"] = name_of(built_.graph_node_ids_);
  if (spans_.size() > 0 && spans_.begin_ns.front() >= kFirstUnixTime)
    trace_.provenance["clock_realtime_offset_ns"] = "0";
  trace_.lanes = std::move(lanes_.lanes);
  trace_.lane_origins = std::move(lanes_.origins);
  trace_.activities = built_.activities_.take_activities();
  trace_.spans = std::move(spans_);
  trace_.untimed = std::move(built_.untimed_);
  trace_.findings = built_.findings_.all();
}

}  // namespace quintet
