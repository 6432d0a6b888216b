/// All rows of a recording's timeline, built once per grouping, off the UI thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "profiler/analysis/interval_set.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"
#include "viewer/model/timeline/event_columns.h"
#include "viewer/model/timeline/lane_grouping.h"
#include "viewer/model/timeline/row_index.h"

namespace quintet::viewer {

/// A lane whose spans overlap deeper than this is shown as one row unless asked for otherwise.
inline constexpr std::size_t kMostSubRows = 8;

/// What tells a lane from all others, whatever the recording: "0/streams/COMP_1".
std::string lane_key(const TimelineLane& lane);

struct IndexOptions {
  SpanGrouping grouping = SpanGrouping::policy_stream;
  std::set<std::string> expanded;   ///< keys of lanes that show every sub-row, however many
  std::set<std::string> collapsed;  ///< keys of lanes shown as one row
  friend bool operator==(const IndexOptions&, const IndexOptions&) = default;
};

/// Told the share that is done, in [0, 1]; false stops the work.
using BuildProgress = std::function<bool(double share)>;

/// The rows of one lane: a sub-row's spans never overlap; the one row of a collapsed lane has all
/// of them, and only its busy time can be shown.
struct LaneRows {
  bool collapsed = false;
  /// The position of the first span for which there was no sub-row: why it is collapsed.
  std::optional<std::uint32_t> too_deep_at;
  std::vector<RowIndex> rows;  ///< none where the lane is empty
};

/// Owns: the rows; shares the trace. Threads: readable from many. Throws: bad_alloc.
/// Usage: `auto index = TimelineIndex::build(trace, options);`
class TimelineIndex {
 public:
  /// Errors: the spans are not in order of time; `progress` said to stop.
  static Result<TimelineIndex> build(std::shared_ptr<const Trace> trace,
                                     const IndexOptions& options = {},
                                     const BuildProgress& progress = {});

  /// The index of a later state of a trace, of which `older` has an earlier one: the same first
  /// `unchanged` spans; launches and waits only came to the end of their tables. Equal to what
  /// build() makes of `trace` with the options of `older`, with which it shares what did not change.
  /// Costs the other spans, twenty bytes a launch and wait, and a pointer for each 4096 spans; all
  /// of it where lanes, tasks or activities came, or a lane became too deep. Errors: as build().
  static Result<TimelineIndex> grown(const TimelineIndex& older, std::shared_ptr<const Trace> trace,
                                     std::size_t unchanged, const BuildProgress& progress = {});

  [[nodiscard]] const IndexOptions& options() const { return options_; }
  [[nodiscard]] const Trace& trace() const { return *trace_; }
  [[nodiscard]] SpanGrouping grouping() const { return groups_.grouping(); }
  [[nodiscard]] const LaneGroups& groups() const { return groups_; }
  [[nodiscard]] const std::vector<TimelineLane>& lanes() const { return groups_.lanes(); }
  [[nodiscard]] const LaneRows& rows_of(std::size_t lane) const { return rows_[lane]; }
  /// From the first begin to the last end of anything; empty where there is nothing.
  [[nodiscard]] const Interval& extent() const { return extent_; }

  [[nodiscard]] RowCursor cursor(std::size_t lane, std::size_t row) const;
  /// The row of its table that a row's entry stands for.
  [[nodiscard]] std::uint32_t item(std::size_t lane, std::uint32_t position) const;
  /// Begin and end of an item of a table.
  [[nodiscard]] Interval time_of(ItemTable table, std::uint32_t item) const;

  struct Place {
    std::uint32_t lane = 0;
    std::uint32_t row = 0;
    std::size_t entry = 0;  ///< within the row
  };
  /// Where an item is; O(rows of its lane * log n). Nothing where it is in none.
  [[nodiscard]] std::optional<Place> find(ItemTable table, std::uint32_t item) const;

  /// What the index takes beside the trace.
  [[nodiscard]] std::size_t held_bytes() const;

 private:
  /// What an earlier index has of this one's trace.
  struct Earlier {
    const TimelineIndex* index = nullptr;  ///< null: nothing
    std::vector<std::uint32_t> lanes;      ///< of it, per lane; TimelineLane::kNoLane for a new one
    std::size_t unchanged = 0;             ///< leading positions of the table
  };

  TimelineIndex(std::shared_ptr<const Trace> trace, IndexOptions options, LaneGroups groups);
  Result<void> fill(Earlier earlier, const BuildProgress& progress);
  template <class LaneOf>
  Result<void> fill_rows(ItemTable table, std::size_t count, const Earlier& earlier, LaneOf lane_of,
                         const BuildProgress& progress);
  void measure_extent();
  [[nodiscard]] SpanTimes times(ItemTable table) const;
  [[nodiscard]] std::uint32_t position_of(ItemTable table, std::uint32_t item) const;

  std::shared_ptr<const Trace> trace_;
  IndexOptions options_;
  LaneGroups groups_;
  std::vector<LaneRows> rows_;
  EventColumns launches_;
  EventColumns host_waits_;
  Interval extent_;
};

}  // namespace quintet::viewer
