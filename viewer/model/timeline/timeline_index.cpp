#include "viewer/model/timeline/timeline_index.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "viewer/model/timeline/row_builder.h"

namespace quintet::viewer {

namespace {

constexpr std::size_t kSpansAReport = 1 << 16;

/// Counts spans and reports every so often; false once the work is to stop.
class ProgressCounter {
 public:
  ProgressCounter(const BuildProgress& progress, std::size_t total)
      : progress_(progress), total_(total) {}
  bool add() {
    if (++done_ % kSpansAReport != 0 || !progress_) return true;
    const double share = static_cast<double>(done_) / static_cast<double>(total_);
    return progress_(std::min(1.0, share));
  }

 private:
  const BuildProgress& progress_;
  std::size_t total_;
  std::size_t done_ = 0;
};

tl::unexpected<Error> stopped() {
  return fail("preparing the timeline was stopped", "open the recording again");
}

}  // namespace

std::string lane_key(const TimelineLane& lane) {
  return fmt::format("{}/{}/{}", lane.rank, name_of(lane.section), lane.name);
}

TimelineIndex::TimelineIndex(std::shared_ptr<const Trace> trace, IndexOptions options,
                             LaneGroups groups)
    : trace_(std::move(trace)), options_(std::move(options)), groups_(std::move(groups)) {}

Result<TimelineIndex> TimelineIndex::build(std::shared_ptr<const Trace> trace,
                                           const IndexOptions& options,
                                           const BuildProgress& progress) {
  if (progress && !progress(0)) return stopped();
  LaneGroups groups(*trace, options.grouping);
  TimelineIndex index(std::move(trace), options, std::move(groups));
  if (auto filled = index.fill({}, progress); !filled) return tl::unexpected(filled.error());
  return index;
}

Result<TimelineIndex> TimelineIndex::grown(const TimelineIndex& older,
                                           std::shared_ptr<const Trace> trace,
                                           std::size_t unchanged, const BuildProgress& progress) {
  const Trace& before = older.trace();
  const bool same_tables = before.lanes.size() == trace->lanes.size() &&
                           before.tasks.size() == trace->tasks.size() &&
                           before.activities.size() == trace->activities.size() &&
                           before.launches.size() <= trace->launches.size() &&
                           before.host_waits.size() <= trace->host_waits.size();
  unchanged = std::min({unchanged, before.spans.size(), trace->spans.size()});
  if (!same_tables || unchanged == 0) return build(std::move(trace), older.options(), progress);
  if (progress && !progress(0)) return stopped();
  LaneGroups groups(older.groups(), before, *trace, unchanged);
  TimelineIndex index(std::move(trace), older.options(), std::move(groups));
  Earlier earlier{&older, index.groups_.lanes_in(older.groups_), unchanged};
  if (auto filled = index.fill(std::move(earlier), progress); !filled) {
    return tl::unexpected(filled.error());
  }
  return index;
}

Result<void> TimelineIndex::fill(Earlier earlier, const BuildProgress& progress) {
  rows_.resize(lanes().size());
  const SpanColumns& spans = trace_->spans;
  auto filled = fill_rows(
      ItemTable::spans, spans.size(), earlier,
      [&](std::size_t span) { return groups_.of_span(spans, span); }, progress);
  if (!filled) return filled;
  const auto take = [&earlier](EventColumns& columns, EventColumns TimelineIndex::*of,
                               const auto& table) {
    if (earlier.index != nullptr) columns = earlier.index->*of;
    earlier.unchanged = columns.add(table);
  };
  take(launches_, &TimelineIndex::launches_, trace_->launches);
  filled = fill_rows(
      ItemTable::launches, launches_.size(), earlier,
      [this](std::size_t at) { return groups_.of_launch(trace_->launches[launches_.item[at]]); },
      {});
  if (!filled) return filled;
  take(host_waits_, &TimelineIndex::host_waits_, trace_->host_waits);
  filled = fill_rows(ItemTable::host_waits, host_waits_.size(), earlier,
                     [this](std::size_t at) {
                       return groups_.of_host_wait(trace_->host_waits[host_waits_.item[at]]);
                     },
                     {});
  measure_extent();
  return filled;
}

template <class LaneOf>
Result<void> TimelineIndex::fill_rows(ItemTable table, std::size_t count, const Earlier& earlier,
                                      LaneOf lane_of, const BuildProgress& progress) {
  const SpanTimes at = times(table);
  const auto in_table = [&](std::size_t lane) { return table_of(lanes()[lane].section) == table; };
  RowBuilder builder(lanes(), options_);
  std::size_t from = earlier.unchanged;
  for (std::size_t lane = 0; lane < earlier.lanes.size(); ++lane) {
    const std::uint32_t old = earlier.lanes[lane];
    if (!in_table(lane) || old == TimelineLane::kNoLane) continue;
    if (builder.go_on(lane, earlier.index->rows_[old], static_cast<std::uint32_t>(from), at)) {
      continue;
    }
    builder = RowBuilder(lanes(), options_);
    from = 0;
    break;
  }
  const auto append = [&](std::size_t position) {
    builder.append(lane_of(position), static_cast<std::uint32_t>(position), at.begin_ns[position],
                   at.end_ns[position]);
  };
  ProgressCounter counter(progress, count - from);
  std::int64_t last_begin = from == 0 ? kEarliestNs : at.begin_ns[from - 1];
  for (std::size_t position = from; position < count; ++position) {
    if (at.begin_ns[position] < last_begin) {
      return fail(fmt::format("span {} begins before the span listed before it", position),
                  "sort the spans of the trace by time before it is shown");
    }
    last_begin = at.begin_ns[position];
    append(position);
    if (!counter.add()) return stopped();
  }
  if (builder.collapse_overflowed()) {
    for (std::size_t position = 0; position < count; ++position) {
      if (builder.wants_again(lane_of(position))) append(position);
    }
  }
  std::vector<LaneRows> built = builder.take();
  for (std::size_t lane = 0; lane < built.size(); ++lane) {
    if (in_table(lane)) rows_[lane] = std::move(built[lane]);
  }
  return {};
}

void TimelineIndex::measure_extent() {
  std::int64_t first = kLatestNs;
  std::int64_t last = kEarliestNs;
  const auto take = [&](std::int64_t begin, std::int64_t end) {
    first = std::min(first, begin);
    last = std::max({last, begin, end});
  };
  for (const LaneRows& lane : rows_) {
    for (const RowIndex& row : lane.rows) {
      if (row.size() > 0) last = std::max(last, row.covered_until_ns());
    }
  }
  const SpanColumns& spans = trace_->spans;
  if (spans.size() > 0) {
    take(spans.begin_ns.front(), spans.end_ns.front());
    take(spans.begin_ns.back(), spans.end_ns.back());
  }
  for (const EventColumns* events : {&launches_, &host_waits_}) {
    if (!events->item.empty()) take(events->begin_ns.front(), events->end_ns.front());
  }
  for (const TraceStep& step : trace_->steps)
    take(step.begin_ns, step.end_ns);
  if (first <= last) extent_ = {first, last};
}

SpanTimes TimelineIndex::times(ItemTable table) const {
  switch (table) {
    case ItemTable::spans:
      return {trace_->spans.begin_ns.data(), trace_->spans.end_ns.data()};
    case ItemTable::launches:
      return {launches_.begin_ns.data(), launches_.end_ns.data()};
    case ItemTable::host_waits:
      return {host_waits_.begin_ns.data(), host_waits_.end_ns.data()};
  }
  return {};
}

RowCursor TimelineIndex::cursor(std::size_t lane, std::size_t row) const {
  return {rows_[lane].rows[row], times(table_of(lanes()[lane].section))};
}

std::uint32_t TimelineIndex::item(std::size_t lane, std::uint32_t position) const {
  switch (table_of(lanes()[lane].section)) {
    case ItemTable::spans:
      return position;
    case ItemTable::launches:
      return launches_.item[position];
    case ItemTable::host_waits:
      return host_waits_.item[position];
  }
  return position;
}

Interval TimelineIndex::time_of(ItemTable table, std::uint32_t item) const {
  switch (table) {
    case ItemTable::spans:
      return {trace_->spans.begin_ns[item], trace_->spans.end_ns[item]};
    case ItemTable::launches:
      return {trace_->launches[item].begin_ns, trace_->launches[item].end_ns};
    case ItemTable::host_waits:
      return {trace_->host_waits[item].begin_ns, trace_->host_waits[item].end_ns};
  }
  return {};
}

std::uint32_t TimelineIndex::position_of(ItemTable table, std::uint32_t item) const {
  if (table == ItemTable::spans) return item;
  const EventColumns& events = table == ItemTable::launches ? launches_ : host_waits_;
  const auto found = std::find(events.item.begin(), events.item.end(), item);
  return static_cast<std::uint32_t>(found - events.item.begin());
}

std::optional<TimelineIndex::Place> TimelineIndex::find(ItemTable table, std::uint32_t item) const {
  std::uint32_t lane = 0;
  switch (table) {
    case ItemTable::spans:
      if (item >= trace_->spans.size()) return std::nullopt;
      lane = groups_.of_span(trace_->spans, item);
      break;
    case ItemTable::launches:
      if (item >= trace_->launches.size()) return std::nullopt;
      lane = groups_.of_launch(trace_->launches[item]);
      break;
    case ItemTable::host_waits:
      if (item >= trace_->host_waits.size()) return std::nullopt;
      lane = groups_.of_host_wait(trace_->host_waits[item]);
      break;
  }
  const std::uint32_t position = position_of(table, item);
  const std::int64_t begin = time_of(table, item).begin;
  for (std::uint32_t row = 0; row < rows_[lane].rows.size(); ++row) {
    RowCursor at = cursor(lane, row);
    for (std::size_t entry = at.before(begin).count; entry < at.size(); ++entry) {
      const std::uint32_t found = at.position(entry);
      if (found == position) return Place{lane, row, entry};
      if (found > position) break;
    }
  }
  return std::nullopt;
}

std::size_t TimelineIndex::held_bytes() const {
  std::size_t bytes = 0;
  for (const LaneRows& lane : rows_) {
    bytes += sizeof(lane);
    for (const RowIndex& row : lane.rows)
      bytes += row.held_bytes();
  }
  for (const EventColumns* events : {&launches_, &host_waits_})
    bytes += events->held_bytes();
  return bytes;
}

}  // namespace quintet::viewer
