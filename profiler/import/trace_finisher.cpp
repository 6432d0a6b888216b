#include "profiler/import/trace_finisher.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "profiler/import/graph_launches.h"
#include "profiler/trace/span_columns.h"
#include "profiler/trace/span_order.h"

namespace quintet {

namespace {

/// What the trace store takes: 146 years, so that no difference of two times overflows.
constexpr std::int64_t kLastTraceTime = 1LL << 62;
/// Times after it (the year 2000) are Unix time.
constexpr std::int64_t kFirstUnixTime = 946'684'800'000'000'000;

template <class T>
void remove_by_last(std::vector<T>& column, std::size_t at) {
  column[at] = column.back();
  column.pop_back();
}

}  // namespace

TraceFinisher::TraceFinisher(TraceBuilder built)
    : built_(std::move(built)), spans_(built_.spans_) {}

Trace TraceFinisher::finish() {
  lanes_ = built_.lanes_.finish(built_.sources_);
  find_scopes();
  apply_clocks();
  merge_steps();
  gather_calls();
  spans_.step.assign(spans_.size(), -1);
  join_spans();
  join_untimed();
  number_correlations();
  place_tasks();
  spans_.cpu_ns.assign(spans_.size(), -1);
  sort_spans(spans_);
  // They grew one by one; what stays in memory is what they hold.
  for_each_column([](auto& column) { column.shrink_to_fit(); }, spans_);
  judge_launches();
  judge_sources();
  tell_clocks();
  describe();
  return std::move(trace_);
}

void TraceFinisher::find_scopes() {
  std::map<std::pair<ImportSourceId, std::int64_t>, std::uint32_t> ids;
  for (std::size_t lane = 0; lane < built_.lanes_.size(); ++lane) {
    const LaneKey& key = built_.lanes_.key_of(static_cast<std::uint16_t>(lane));
    const bool by_process = built_.sources_[key.source.value()].scope == CorrelationScope::process;
    const auto [at, added] = ids.try_emplace({key.source, by_process ? key.process : 0},
                                             static_cast<std::uint32_t>(ids.size()));
    lane_scope_.push_back(at->second);
  }
  scope_highest_.resize(ids.size());
  scope_offset_.resize(ids.size());
}

std::optional<std::int64_t> TraceFinisher::absolute(std::uint16_t lane,
                                                    std::int64_t time_ns) const {
  const ImportSourceId source = built_.lanes_.key_of(lane).source;
  std::int64_t time = 0;
  if (__builtin_add_overflow(time_ns, built_.sources_[source.value()].clock_offset_ns, &time))
    return std::nullopt;
  if (time < 0 || time > kLastTraceTime) return std::nullopt;
  return time;
}

void TraceFinisher::make_untimed(std::size_t span) {
  built_.untimed_.push_back({spans_.task[span], -1, spans_.lane[span], spans_.executor_lane[span],
                             spans_.activity[span], spans_.correlation[span], spans_.begin_ns[span],
                             spans_.end_ns[span]});
  remove_by_last(spans_.begin_ns, span);
  remove_by_last(spans_.end_ns, span);
  remove_by_last(spans_.task, span);
  remove_by_last(spans_.lane, span);
  remove_by_last(spans_.executor_lane, span);
  remove_by_last(spans_.activity, span);
  remove_by_last(spans_.correlation, span);
  remove_by_last(spans_.channel, span);
}

void TraceFinisher::apply_clocks() {
  for (std::size_t span = 0; span < spans_.size();) {
    const auto begin = absolute(spans_.lane[span], spans_.begin_ns[span]);
    const auto end = absolute(spans_.lane[span], spans_.end_ns[span]);
    if (begin && end) {
      spans_.begin_ns[span] = *begin;
      spans_.end_ns[span] = *end;
      ++span;
      continue;
    }
    count(Severity::notice, "time_out_of_range",
          "activities before 1970 or after 2116: listed as untimed");
    make_untimed(span);
  }
}

void TraceFinisher::merge_steps() {
  steps_ = ImportedSteps(built_.steps_, built_.sources_, built_.findings_);
  if (steps_.empty() && spans_.size() > 0) {
    steps_.take_whole(*std::min_element(spans_.begin_ns.begin(), spans_.begin_ns.end()),
                      *std::max_element(spans_.end_ns.begin(), spans_.end_ns.end()),
                      built_.findings_);
  }
  trace_.steps = steps_.by_end();
}

void TraceFinisher::gather_calls() {
  for (std::size_t span = 0; span < spans_.size(); ++span) {
    const std::uint16_t lane = spans_.lane[span];
    std::uint64_t& highest = scope_highest_[lane_scope_[lane]];
    highest = std::max<std::uint64_t>(highest, spans_.correlation[span]);
    if (spans_.correlation[span] == 0 ||
        built_.activities_.kind_of(spans_.activity[span]) != ActivityKind::api_call) {
      continue;
    }
    calls_.add({lane_scope_[lane], spans_.correlation[span], spans_.begin_ns[span],
                built_.lanes_.key_of(lane).process, spans_.task[span]});
  }
  for (const TraceUntimed& each : built_.untimed_) {
    std::uint64_t& highest = scope_highest_[lane_scope_[each.lane]];
    highest = std::max<std::uint64_t>(highest, each.correlation);
  }
}

LaunchTable::Call* TraceFinisher::join(std::uint16_t lane, std::uint32_t activity,
                                       std::uint32_t& correlation) {
  const ActivityKind kind = built_.activities_.kind_of(activity);
  const bool device = runs_on_device(kind);
  device_spans_ += device ? 1 : 0;
  if (correlation == 0) return nullptr;
  if (!device && kind != ActivityKind::api_call) return nullptr;
  LaunchTable::Call* call = calls_.find(lane_scope_[lane], correlation);
  if (call == nullptr) {
    if (device) {
      count(Severity::info, "launch_not_recorded",
            "work of devices whose launch is not in the file");
    }
    return nullptr;
  }
  if (call->ambiguous) {
    correlation = 0;
    if (device) {
      count(Severity::notice, "ambiguous_correlation",
            "work of devices that calls of several processes may have launched: joined with none");
    }
    return nullptr;
  }
  return device ? call : nullptr;
}

void TraceFinisher::join_spans() {
  std::vector<std::size_t> doubted;
  for (std::size_t span = 0; span < spans_.size(); ++span) {
    LaunchTable::Call* call =
        join(spans_.lane[span], spans_.activity[span], spans_.correlation[span]);
    if (call != nullptr && call->begin_ns - spans_.begin_ns[span] > kCorrelationTroubleNs &&
        graph_node_of(span)) {
      doubted.push_back(span);
      continue;
    }
    give(span, call);
  }
  if (!doubted.empty()) rejoin(doubted);
}

void TraceFinisher::give(std::size_t span, LaunchTable::Call* call) {
  const std::int64_t begin = spans_.begin_ns[span];
  if (call != nullptr) {
    call->launched = true;
    if (begin < call->begin_ns) {
      ++early_;
      worst_early_ns_ = std::max(worst_early_ns_, call->begin_ns - begin);
    }
  }
  // Work belongs to the step that launched it, however late the device gets to it.
  spans_.step[span] = steps_.at(call == nullptr ? begin : call->begin_ns);
}

std::optional<std::uint64_t> TraceFinisher::graph_node_of(std::size_t span) const {
  return built_.activities_.activities()[spans_.activity[span]].graph_node;
}

/// Work of graphs that begins long before the call whose correlation it carries: some drivers tell
/// wrong ones. The latest launch of its graph before it has launched it.
void TraceFinisher::rejoin(const std::vector<std::size_t>& doubted) {
  GraphLaunches launches;
  for (const LaunchTable::Call& call : calls_.calls()) {
    if (is_graph_launch(built_.activities_.tasks()[call.task].name))
      launches.add(calls_.position_of(call), call);
  }
  launches.sort();
  std::size_t doubt = 0;
  for (std::size_t span = 0; span < spans_.size(); ++span) {
    if (doubt < doubted.size() && doubted[doubt] == span) {
      ++doubt;
      continue;
    }
    const auto node = graph_node_of(span);
    const LaunchTable::Call* call =
        node ? calls_.find(lane_scope_[spans_.lane[span]], spans_.correlation[span]) : nullptr;
    if (call != nullptr) launches.tell_graph(calls_.position_of(*call), graph_of_node(*node));
  }
  for (const std::size_t span : doubted) {
    const std::uint32_t scope = lane_scope_[spans_.lane[span]];
    const std::uint32_t other =
        launches.latest(scope, graph_of_node(*graph_node_of(span)), spans_.begin_ns[span]);
    if (other == GraphLaunches::kNone) {
      give(span, calls_.find(scope, spans_.correlation[span]));
      continue;
    }
    LaunchTable::Call& call = calls_.call(other);
    spans_.correlation[span] = call.correlation;
    give(span, &call);
    count(Severity::notice, "wrong_correlation",
          "work of graphs that carries the correlation of a call after it: joined with the latest "
          "launch of its graph before it");
  }
}

void TraceFinisher::join_untimed() {
  for (TraceUntimed& each : built_.untimed_) {
    LaunchTable::Call* call = join(each.lane, each.activity, each.correlation);
    if (call == nullptr) continue;
    call->launched = true;
    each.step = steps_.at(call->begin_ns);
  }
}

std::uint32_t TraceFinisher::numbered(std::uint16_t lane, std::uint32_t correlation) {
  if (correlation == 0) return 0;
  const std::uint32_t scope = lane_scope_[lane];
  if (!counted_anew_) return static_cast<std::uint32_t>(correlation + scope_offset_[scope]);
  if (const LaunchTable::Call* known = new_ids_.find(scope, correlation))
    return static_cast<std::uint32_t>(known->process);
  const auto id = static_cast<std::uint32_t>(new_ids_.calls().size() + 1);
  new_ids_.add({scope, correlation, 0, id});
  return id;
}

void TraceFinisher::number_correlations() {
  std::uint64_t next = 0;
  for (std::size_t scope = 0; scope < scope_highest_.size(); ++scope) {
    scope_offset_[scope] = next;
    next += scope_highest_[scope];
  }
  counted_anew_ = next > std::numeric_limits<std::uint32_t>::max();
  if (scope_highest_.size() > 1) {
    for (std::size_t span = 0; span < spans_.size(); ++span)
      spans_.correlation[span] = numbered(spans_.lane[span], spans_.correlation[span]);
  }
  for (TraceUntimed& each : built_.untimed_) {
    each.correlation = numbered(each.lane, each.correlation);
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

void TraceFinisher::judge_launches() {
  std::int64_t launches = 0;
  std::int64_t unseen_graphs = 0;
  for (const LaunchTable::Call& call : calls_.calls()) {
    const std::string_view name = trace_.tasks[call.task].name;
    launches += name.find("Launch") != std::string_view::npos ? 1 : 0;
    unseen_graphs += !call.launched && !call.ambiguous && is_graph_launch(name) ? 1 : 0;
  }
  if (early_ > 0) {
    count(
        Severity::notice, "negative_launch_latency",
        fmt::format("work of devices that begins before the call that launched it, at worst {} ns "
                    "before: the clocks disagree; times are as told",
                    worst_early_ns_),
        early_);
  }
  if (unseen_graphs > 0) {
    count(Severity::data_loss, "graph_nodes_not_recorded",
          "launches of graphs whose work is not in the file: idle time and overlap are unknown",
          unseen_graphs);
  }
  if (launches > 0 && device_spans_ == 0) {
    count(Severity::error, "no_device_work",
          "launches were recorded and no work of any device: the device was not profiled",
          launches);
  }
}

void TraceFinisher::judge_sources() {
  std::int64_t unknown_ranks = 0;
  for (const ImportSource& source : built_.sources_)
    unknown_ranks += source.rank ? 0 : 1;
  if (unknown_ranks > 0) {
    count(built_.sources_.size() > 1 ? Severity::notice : Severity::info, "rank_unknown",
          "files that do not tell their rank: 0 was taken", unknown_ranks);
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
    const bool host = key.role == LaneRole::thread;
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
  std::string files;
  std::set<std::string> formats;
  for (const ImportSource& source : built_.sources_) {
    files += (files.empty() ? "" : ", ") + source.file;
    formats.insert(source.format);
  }
  trace_.provenance = std::move(built_.provenance_);
  trace_.provenance["executor"] = "imported";
  trace_.provenance["source_file"] = files;
  trace_.provenance["source_format"] = fmt::format("{}", fmt::join(formats, ", "));
  trace_.provenance["graph_node_ids"] = name_of(built_.graph_node_ids_);
  if (spans_.size() > 0 && spans_.begin_ns.front() >= kFirstUnixTime)
    trace_.provenance["clock_realtime_offset_ns"] = "0";
  trace_.lanes = std::move(lanes_.lanes);
  trace_.activities = built_.activities_.take_activities();
  trace_.spans = std::move(spans_);
  trace_.untimed = std::move(built_.untimed_);
  trace_.findings = built_.findings_.all();
}

}  // namespace quintet
