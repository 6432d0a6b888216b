#include "profiler/analysis/device_summary.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "profiler/analysis/device_work.h"
#include "profiler/analysis/interval_set.h"
#include "profiler/analysis/occupancy.h"

namespace quintet {

namespace {

struct Collected {
  DeviceCounts timed;
  DeviceCounts untimed;
  std::vector<Interval> work;
  std::vector<Interval> graphs;
  std::int64_t open_graphs = 0;
};

void count(DeviceCounts& counts, ActivityKind kind) {
  switch (kind) {
    case ActivityKind::kernel:
      ++counts.kernels;
      return;
    case ActivityKind::memcpy:
      ++counts.memcpys;
      return;
    case ActivityKind::memset:
      ++counts.memsets;
      return;
    case ActivityKind::graph:
    case ActivityKind::host_range:
    case ActivityKind::api_call:
      return;
  }
}

DeviceSummary summary_of(const Collected& collected) {
  DeviceSummary summary;
  summary.timed = collected.timed;
  summary.untimed = collected.untimed;
  summary.open_graph_launches = collected.open_graphs;
  summary.graph_launches =
      static_cast<std::int64_t>(collected.graphs.size()) + collected.open_graphs;
  std::vector<Interval> everything = collected.graphs;
  everything.insert(everything.end(), collected.work.begin(), collected.work.end());
  summary.graph_busy_ns = IntervalSet(std::move(everything)).length();
  if (collected.work.empty()) return summary;
  Interval hull{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const Interval& each : collected.work)
    hull = {std::min(hull.begin, each.begin), std::max(hull.end, each.end)};
  const Occupancy occupancy = occupancy_of(collected.work, hull);
  summary.first_begin_ns = hull.begin;
  summary.last_end_ns = hull.end;
  summary.busy_ns = occupancy.busy();
  summary.sum_ns = occupancy.total();
  summary.most_at_once = occupancy.time_at.empty() ? 0 : occupancy.time_at.size() - 1;
  return summary;
}

/// True where something was put to work on a stream, whether or not the work itself was recorded.
bool saw_launches(const Trace& trace) {
  return !trace.launches.empty() ||
         std::any_of(trace.activities.begin(), trace.activities.end(),
                     [](const TraceActivity& each) {
                       return each.kind == ActivityKind::api_call &&
                              each.name.find("Launch") != std::string::npos;
                     });
}

bool has_whole_tasks(const Trace& trace) {
  return std::any_of(trace.spans.activity.begin(), trace.spans.activity.end(),
                     [&trace](std::uint32_t activity) { return !activity_kind(trace, activity); });
}

DeviceWorkRecord record_of(const Trace& trace, const Collected& all) {
  const bool nodes = all.timed.total() + all.untimed.total() > 0;
  if (has_finding(trace, kUnrecognisedRows)) return DeviceWorkRecord::unrecognised;
  if (nodes && has_unrelated_times(trace)) return DeviceWorkRecord::unrelated;
  // What an import found missing: launches of which nothing was recorded.
  const bool incomplete = has_finding(trace, "graph_nodes_not_recorded") ||
                          has_finding(trace, "launched_work_missing") ||
                          has_finding(trace, "open_activities");
  if (!all.graphs.empty() || all.open_graphs > 0 || (nodes && incomplete))
    return nodes ? DeviceWorkRecord::mixed : DeviceWorkRecord::graphs_only;
  if (nodes) return DeviceWorkRecord::nodes;
  return saw_launches(trace) && !has_whole_tasks(trace) ? DeviceWorkRecord::missing
                                                        : DeviceWorkRecord::absent;
}

}  // namespace

bool has_unrelated_times(const Trace& trace) {
  return has_finding(trace, "distant_times") || has_finding(trace, "unverified_clocks");
}

std::string reason_of(DeviceWorkRecord record) {
  switch (record) {
    case DeviceWorkRecord::absent:
      return "the recording holds no kernels, copies or fills of a device";
    case DeviceWorkRecord::nodes:
      return {};
    case DeviceWorkRecord::mixed:
      return "node records absent: of some launches nothing, or only the whole, was recorded";
    case DeviceWorkRecord::graphs_only:
      return "node records absent: only whole graph launches were recorded";
    case DeviceWorkRecord::missing:
      return "node records absent: what was launched was not recorded";
    case DeviceWorkRecord::unrelated:
      return "its times lie hours apart, or are of clocks that were not compared";
    case DeviceWorkRecord::unrecognised:
      return "rows that look like a device's were not recognised";
  }
  return {};
}

DeviceWork summarise_devices(const Trace& trace) {
  const auto device_of = [&trace](std::uint16_t executor_lane, std::uint16_t lane) {
    const std::size_t at = executor_lane < trace.lanes.size() ? executor_lane : lane;
    if (at >= trace.lanes.size()) return std::pair(0, 0);
    return std::pair(trace.lanes[at].rank, trace.lanes[at].device);
  };
  std::map<std::pair<int, int>, Collected> devices;
  Collected all;
  const SpanColumns& spans = trace.spans;
  for (std::size_t span = 0; span < spans.size(); ++span) {
    const std::optional<ActivityKind> kind = activity_kind(trace, spans.activity[span]);
    const bool graph = kind == ActivityKind::graph;
    if (!graph && !is_device_activity(trace, spans.activity[span])) continue;
    Collected& device = devices[device_of(spans.executor_lane[span], spans.lane[span])];
    for (Collected* each : {&device, &all}) {
      count(each->timed, *kind);
      (graph ? each->graphs : each->work).push_back({spans.begin_ns[span], spans.end_ns[span]});
    }
  }
  for (const TraceUntimed& each : trace.untimed) {
    if (activity_kind(trace, each.activity) == ActivityKind::graph) {
      ++devices[device_of(each.executor_lane, each.lane)].open_graphs;
      ++all.open_graphs;
    }
    if (!is_device_activity(trace, each.activity)) continue;
    count(devices[device_of(each.executor_lane, each.lane)].untimed,
          trace.activities[each.activity].kind);
    count(all.untimed, trace.activities[each.activity].kind);
  }
  DeviceWork work;
  work.record = record_of(trace, all);
  work.all = summary_of(all);
  for (const auto& [where, collected] : devices) {
    work.devices.push_back(summary_of(collected));
    std::tie(work.devices.back().rank, work.devices.back().device) = where;
  }
  return work;
}

}  // namespace quintet
