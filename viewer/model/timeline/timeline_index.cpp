#include "viewer/model/timeline/timeline_index.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
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

TimelineIndex::TimelineIndex(std::shared_ptr<const Trace> trace, const IndexOptions& options)
    : trace_(std::move(trace)), groups_(*trace_, options.grouping) {}

Result<TimelineIndex> TimelineIndex::build(std::shared_ptr<const Trace> trace,
                                           const IndexOptions& options,
                                           const BuildProgress& progress) {
  if (progress && !progress(0)) return stopped();
  TimelineIndex index(std::move(trace), options);
  if (auto filled = index.fill(options, progress); !filled) {
    return tl::unexpected(filled.error());
  }
  index.measure_extent();
  return index;
}

Result<void> TimelineIndex::fill(const IndexOptions& options, const BuildProgress& progress) {
  const SpanColumns& spans = trace_->spans;
  RowBuilder builder(lanes(), options);
  ProgressCounter counter(progress, spans.size());
  std::int64_t last_begin = kEarliestNs;
  for (std::size_t span = 0; span < spans.size(); ++span) {
    const std::int64_t begin = spans.begin_ns[span];
    if (begin < last_begin) {
      return fail(fmt::format("span {} begins before the span listed before it", span),
                  "sort the spans of the trace by time before it is shown");
    }
    last_begin = begin;
    builder.append(groups_.of_span(spans, span), static_cast<std::uint32_t>(span), begin,
                   spans.end_ns[span]);
    if (!counter.add()) return stopped();
  }
  if (builder.collapse_overflowed()) {
    for (std::size_t span = 0; span < spans.size(); ++span) {
      const std::uint32_t lane = groups_.of_span(spans, span);
      if (builder.wants_again(lane)) {
        builder.append(lane, static_cast<std::uint32_t>(span), spans.begin_ns[span],
                       spans.end_ns[span]);
      }
    }
  }
  rows_ = builder.take();
  fill_events(options);
  return {};
}

void TimelineIndex::fill_events(const IndexOptions& options) {
  const auto by_begin = [](const auto& table) {
    EventColumns columns;
    columns.item.resize(table.size());
    std::iota(columns.item.begin(), columns.item.end(), 0U);
    std::stable_sort(columns.item.begin(), columns.item.end(),
                     [&table](std::uint32_t a, std::uint32_t b) {
                       return table[a].begin_ns < table[b].begin_ns;
                     });
    for (const std::uint32_t item : columns.item) {
      columns.begin_ns.push_back(table[item].begin_ns);
      columns.end_ns.push_back(table[item].end_ns);
    }
    return columns;
  };
  launches_ = by_begin(trace_->launches);
  host_waits_ = by_begin(trace_->host_waits);
  const auto add = [&](const EventColumns& columns, auto lane_of_item) {
    RowBuilder builder(lanes(), options);
    const auto append = [&](bool again) {
      for (std::size_t event = 0; event < columns.item.size(); ++event) {
        const std::uint32_t lane = lane_of_item(columns.item[event]);
        if (again && !builder.wants_again(lane)) continue;
        builder.append(lane, static_cast<std::uint32_t>(event), columns.begin_ns[event],
                       columns.end_ns[event]);
      }
    };
    append(false);
    if (builder.collapse_overflowed()) append(true);
    std::vector<LaneRows> built = builder.take();
    for (std::size_t lane = 0; lane < built.size(); ++lane) {
      if (!built[lane].rows.empty()) rows_[lane] = std::move(built[lane]);
    }
  };
  add(launches_, [this](std::uint32_t item) { return groups_.of_launch(trace_->launches[item]); });
  add(host_waits_,
      [this](std::uint32_t item) { return groups_.of_host_wait(trace_->host_waits[item]); });
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
    bytes += events->item.size() * (2 * sizeof(std::int64_t) + sizeof(std::uint32_t));
  return bytes;
}

}  // namespace quintet::viewer
