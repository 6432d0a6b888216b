/// What a step looked like from afar: how long each lane worked and waited for what, where its
/// critical path ran, and which runs were on it. For steps too narrow to tell one wait from another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "viewer/model/timeline/step_insight.h"

namespace quintet::viewer {

/// A lane of the policy within a step.
struct FoldedLane {
  std::uint32_t lane = 0;
  WaitTotals waits_ns{};     ///< by position in kWaitCauses
  std::int64_t path_ns = 0;  ///< of the critical path
};

/// Plain data. Lanes by number.
struct FoldedStep {
  std::int64_t step = 0;
  Interval window;
  std::vector<FoldedLane> lanes;
  /// Task and step of the runs on a longest path, sorted; of a task that ran several times, if one
  /// of its runs is.
  std::vector<std::pair<std::uint32_t, std::int32_t>> critical;
  std::size_t runs = 0;

  [[nodiscard]] const FoldedLane* find(std::uint32_t lane) const;
  /// The lane that most of the path is on; null where it is on none.
  [[nodiscard]] const FoldedLane* path_lane() const;
  [[nodiscard]] std::size_t held_bytes() const;
};

/// Exact: sums of what the insight tells one by one.
FoldedStep fold(const StepInsight& insight);

}  // namespace quintet::viewer
