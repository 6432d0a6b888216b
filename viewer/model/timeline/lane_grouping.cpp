#include "viewer/model/timeline/lane_grouping.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace quintet::viewer {

namespace {

constexpr const char* kNoName = "(unnamed)";

}  // namespace

LaneGroups::LaneGroups(const Trace& trace, SpanGrouping grouping)
    : grouping_(grouping), lane_count_(trace.lanes.size()), tasks_(trace.tasks.size()) {
  for (const TraceActivity& activity : trace.activities) {
    switch (activity.kind) {
      case ActivityKind::kernel:
      case ActivityKind::memcpy:
      case ActivityKind::memset:
        parts_.push_back(Part::work);
        break;
      case ActivityKind::graph:
        parts_.push_back(Part::whole_graph);
        break;
      case ActivityKind::host_range:
      case ActivityKind::api_call:
        parts_.push_back(Part::host);
        break;
    }
  }
  for (const Lane& lane : trace.lanes)
    host_lane_.push_back(lane.kind == LaneKind::host);
  host_lane_.push_back(false);
  number_ranks(trace);
  number_groups(trace);
  const std::size_t lanes = lane_count_ + 1;
  const bool by_lane =
      grouping == SpanGrouping::policy_stream || grouping == SpanGrouping::executor_stream;
  graphs_ = by_lane ? lanes : ranks_.size() * groups_;
  launches_ = graphs_ + lanes;
  hosts_ = launches_ + ranks_.size();
  waits_ = hosts_ + lanes;
  count(trace);
  place(trace);
}

LaneGroups::LaneGroups(const LaneGroups& older, const Trace& before, const Trace& now,
                       std::size_t unchanged)
    : LaneGroups(older) {
  for (std::size_t span = unchanged; span < before.spans.size(); ++span)
    --items_[key_of(before.spans, span)];
  for (std::size_t span = unchanged; span < now.spans.size(); ++span)
    ++items_[key_of(now.spans, span)];
  for (std::size_t launch = before.launches.size(); launch < now.launches.size(); ++launch)
    ++items_[launches_ + rank_of(now.launches[launch].lane.value())];
  for (std::size_t wait = before.host_waits.size(); wait < now.host_waits.size(); ++wait)
    ++items_[waits_ + lane_or_unknown(now.host_waits[wait].lane.value())];
  lanes_.clear();
  place(now);
}

void LaneGroups::number_ranks(const Trace& trace) {
  for (const Lane& lane : trace.lanes)
    ranks_.push_back(lane.rank);
  if (ranks_.empty()) ranks_.push_back(0);
  std::sort(ranks_.begin(), ranks_.end());
  ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
  for (const Lane& lane : trace.lanes) {
    const auto rank = std::lower_bound(ranks_.begin(), ranks_.end(), lane.rank);
    rank_of_lane_.push_back(static_cast<std::uint32_t>(rank - ranks_.begin()));
  }
  rank_of_lane_.push_back(0);
}

void LaneGroups::number_groups(const Trace& trace) {
  std::map<std::string, std::uint32_t> known;
  const auto group_named = [this, &known](const std::string& name) {
    const auto [entry, fresh] =
        known.try_emplace(name, static_cast<std::uint32_t>(group_names_.size()));
    if (fresh) group_names_.push_back(name.empty() ? kNoName : name);
    return entry->second;
  };
  for (const TraceTask& task : trace.tasks)
    group_of_task_.push_back(
        group_named(grouping_ == SpanGrouping::layer ? task.layer : task.op_kind));
  group_of_task_.push_back(static_cast<std::uint32_t>(group_names_.size()));
  group_names_.emplace_back("(unknown task)");
  groups_ = group_names_.size();
}

void LaneGroups::count(const Trace& trace) {
  items_.resize(waits_ + lane_count_ + 1);
  const SpanColumns& spans = trace.spans;
  for (std::size_t span = 0; span < spans.size(); ++span)
    ++items_[key_of(spans, span)];
  for (const TraceLaunch& launch : trace.launches)
    ++items_[launches_ + rank_of(launch.lane.value())];
  for (const TraceHostWait& wait : trace.host_waits)
    ++items_[waits_ + lane_or_unknown(wait.lane.value())];
}

TimelineLane LaneGroups::lane_for(const Trace& trace, std::size_t key) const {
  TimelineLane lane;
  const auto take_lane = [&](std::size_t index) {
    if (index == lane_count_) {
      lane.name = "(unknown lane)";
      return;
    }
    lane.name = trace.lanes[index].name.empty() ? kNoName : trace.lanes[index].name;
    lane.rank = trace.lanes[index].rank;
    lane.device = trace.lanes[index].device;
    lane.trace_lane = static_cast<std::uint32_t>(index);
  };
  if (key >= waits_) {
    lane.section = LaneSection::host_waits;
    take_lane(key - waits_);
    lane.name += " waits";
  } else if (key >= hosts_) {
    lane.section = LaneSection::host_work;
    take_lane(key - hosts_);
  } else if (key >= launches_) {
    lane.section = LaneSection::launches;
    lane.name = "launches";
    lane.rank = ranks_[key - launches_];
  } else if (key >= graphs_) {
    lane.section = LaneSection::whole_graphs;
    take_lane(key - graphs_);
    lane.name += " (graphs as a whole)";
  } else if (grouping_ == SpanGrouping::op_kind || grouping_ == SpanGrouping::layer) {
    lane.name = group_names_[key % groups_];
    lane.rank = ranks_[key / groups_];
  } else {
    take_lane(key);
  }
  lane.items = items_[key];
  return lane;
}

void LaneGroups::place(const Trace& trace) {
  std::vector<std::pair<TimelineLane, std::size_t>> found;
  for (std::size_t key = 0; key < items_.size(); ++key) {
    const bool stream = grouping_ == SpanGrouping::policy_stream && key < lane_count_ &&
                        trace.lanes[key].kind == LaneKind::stream;
    if (items_[key] > 0 || stream) found.emplace_back(lane_for(trace, key), key);
  }
  std::stable_sort(found.begin(), found.end(), [this](const auto& a, const auto& b) {
    const bool named = grouping_ == SpanGrouping::op_kind && a.first.section == LaneSection::work;
    const std::string none;
    return std::tie(a.first.rank, a.first.section, named ? a.first.name : none) <
           std::tie(b.first.rank, b.first.section, named ? b.first.name : none);
  });
  place_of_.assign(items_.size(), TimelineLane::kNoLane);
  for (auto& [lane, key] : found) {
    place_of_[key] = static_cast<std::uint32_t>(lanes_.size());
    lanes_.push_back(std::move(lane));
  }
}

std::vector<std::uint32_t> LaneGroups::lanes_in(const LaneGroups& older) const {
  std::vector<std::uint32_t> found(lanes_.size(), TimelineLane::kNoLane);
  for (std::size_t key = 0; key < place_of_.size(); ++key) {
    if (place_of_[key] != TimelineLane::kNoLane) found[place_of_[key]] = older.place_of_[key];
  }
  return found;
}

}  // namespace quintet::viewer
