/// What the timeline shows of each side: its index, steps, minimap, marks, search, and what the
/// steps in view waited for. Everything that takes time is made in the background.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "viewer/model/part.h"
#include "viewer/model/timeline/bookmarks.h"
#include "viewer/model/timeline/known_steps.h"
#include "viewer/model/timeline/minimap.h"
#include "viewer/model/timeline/moved_tasks.h"
#include "viewer/model/timeline/range_statistics.h"
#include "viewer/model/timeline/span_search.h"
#include "viewer/model/timeline/step_axis.h"
#include "viewer/model/timeline/step_slicer.h"
#include "viewer/model/timeline/task_look.h"
#include "viewer/model/timeline/timeline_index.h"

namespace quintet::viewer {

inline constexpr std::size_t kMinimapColumns = 1024;
/// Up to so many steps in view are looked at closely.
inline constexpr std::size_t kCloseSteps = 48;
/// Up to so many are looked at and told in sums; of more, none has room enough to be told from its
/// neighbours.
inline constexpr std::size_t kFoldedSteps = 640;

/// What is made once per document and grouping.
struct TimelineBase {
  std::shared_ptr<const TimelineIndex> index;  ///< null: `error` says why
  SpanHistory history;                         ///< of the trace's state
  std::shared_ptr<const StepSlicer> slicer;    ///< with the index
  StepAxis steps;
  Minimap minimap;
  std::vector<std::uint64_t> untimed;  ///< per lane of the index
  std::vector<TaskLook> looks;         ///< per task
  std::string error;
};

/// One side of the timeline. Everything here is of the document of `generation`.
struct TimelineSide {
  std::uint64_t generation = 0;
  std::shared_ptr<const TimelineBase> base;  ///< null until it is there
  KnownSteps known;                          ///< of the trace that `base` is of
  std::vector<Bookmark> bookmarks;
  std::shared_ptr<const SpanSearch> search;  ///< of the workbench's text; null while it is made

  [[nodiscard]] const TimelineIndex* index() const { return base ? base->index.get() : nullptr; }
};

/// Takes what keys and views say about time, search and marks. Views read it.
class TimelinePart : public Part {
 public:
  [[nodiscard]] std::string_view id() const override { return "timeline"; }
  void prepare(PartContext& context) override;
  bool handle(const Command& command, PartContext& context) override;

  [[nodiscard]] const TimelineSide& side(Side side) const { return sides_[index_of(side)]; }
  /// By how much side B is drawn later than its own clock says; 0 unless both are shown.
  [[nodiscard]] std::int64_t shift_ns(Side side) const { return side == Side::b ? shift_b_ns_ : 0; }
  /// Per task of side B while both are shown: the policy lane that side A has it on, where that is
  /// another.
  [[nodiscard]] const std::vector<std::optional<std::uint32_t>>& moved() const { return moved_; }
  /// What was measured last; empty where nothing is.
  [[nodiscard]] const Interval& measured() const { return measured_; }
  /// Of `measured()`, on its side; null while it is counted.
  [[nodiscard]] const RangeStatistics* statistics() const { return statistics_.get(); }
  [[nodiscard]] Side measured_side() const { return measured_side_; }
  /// The bookmark gone to last.
  [[nodiscard]] std::optional<std::size_t> bookmark() const { return bookmark_; }
  /// Where everything of what is shown lies, on the clock of the view.
  [[nodiscard]] Interval extent(const Workbench& workbench) const;

 private:
  void ask_for_base(Side side, PartContext& context);
  /// Takes a new base; of the steps, what it leaves as they were stays known.
  void take_base(Side side, std::shared_ptr<const TimelineBase> base);
  void look_at_steps(Side side, PartContext& context);
  [[nodiscard]] std::optional<std::int64_t> linked_step(Side side,
                                                        const Workbench& workbench) const;
  void ask_for_search(Side side, PartContext& context);
  void align_sides(const Workbench& workbench);
  void show_first(PartContext& context);
  void follow_selection(Workbench& workbench);
  void measure(const TimeRange& range, PartContext& context);
  void count_measured(PartContext& context);
  bool move_view(const Command& command, PartContext& context);
  bool walk(const Command& command, PartContext& context);
  bool mark(const Command& command, PartContext& context);
  void add_bookmark(Side side, PartContext& context);
  void go_to_bookmark(Side side, std::size_t bookmark, PartContext& context);
  void save(Side side, PartContext& context);
  void select(Side side, std::uint32_t span, PartContext& context);
  void reveal(const Interval& time, Workbench& workbench) const;
  [[nodiscard]] Interval visible(const Workbench& workbench) const;

  std::array<TimelineSide, kSideCount> sides_;
  std::array<LaneGrouping, kSideCount> asked_grouping_{};
  std::array<std::uint64_t, kSideCount> asked_fold_{};
  std::array<std::string, kSideCount> asked_search_;
  /// What steps are wanted for.
  struct StepWishes {
    std::size_t first = 0;  ///< of the axis' steps, that are in view
    std::size_t last = 0;
    Selection selection;
    std::optional<std::int64_t> step;
    friend bool operator==(const StepWishes&, const StepWishes&) = default;
  };
  /// What became of the last ones: nothing is asked twice before they change.
  struct StepAnswers {
    StepWishes wishes;
    std::set<std::int64_t> answered;
    bool granted = false;
  };
  std::array<StepAnswers, kSideCount> answers_;
  std::array<std::string, kSideCount> bookmarks_of_;
  std::set<std::string> expanded_;
  std::set<std::string> collapsed_;
  std::uint64_t folds_ = 0;  ///< counts changes of the two
  std::int64_t shift_b_ns_ = 0;
  std::vector<std::optional<std::uint32_t>> moved_;
  std::array<std::uint64_t, kSideCount> moved_of_{};  ///< the generations that it is of
  Interval measured_;
  Side measured_side_ = Side::a;
  std::shared_ptr<const RangeStatistics> statistics_;
  std::shared_ptr<const TimelineIndex> counted_on_;  ///< its lanes are those of `statistics_`
  std::optional<std::size_t> bookmark_;
  Selection followed_;
};

}  // namespace quintet::viewer
