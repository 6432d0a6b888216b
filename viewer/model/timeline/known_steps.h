/// What is known of the steps of a recording one by one: closely of a few, folded of many, and of the
/// rest why nothing is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/model/timeline/folded_step.h"
#include "viewer/model/timeline/step_insight.h"

namespace quintet::viewer {

/// Which steps are forgotten last.
struct StepsInView {
  std::int64_t first = 0;  ///< their numbers, both included
  std::int64_t last = -1;
  std::vector<std::int64_t> held;  ///< never forgotten; few
};

/// Owns: at most kMostClose insights, of which kMostLinked can tell links, and kMostFolded folds and
/// reasons each. Threads: one at a time. Throws: bad_alloc.
/// Usage: `known.add(std::move(insight), seen); known.close(12)`.
class KnownSteps {
 public:
  static constexpr std::size_t kMostClose = 64;
  static constexpr std::size_t kMostLinked = 1;
  static constexpr std::size_t kMostFolded = 4096;

  using Insights = std::map<std::int64_t, std::shared_ptr<const StepInsight>>;

  void add(StepInsight insight, const StepsInView& seen);
  void add(FoldedStep folded, const StepsInView& seen);
  void add_unknown(std::int64_t step, std::string why, const StepsInView& seen);
  /// Forgets what is known from a step on.
  void forget_from(std::int64_t step);

  /// Null where the step was not looked at so closely.
  [[nodiscard]] const StepInsight* close(std::int64_t step) const;
  [[nodiscard]] const FoldedStep* folded(std::int64_t step) const;
  /// Why nothing is known of a step; null where that was not found.
  [[nodiscard]] const std::string* unknown(std::int64_t step) const;
  /// By step.
  [[nodiscard]] const Insights& insights() const { return insights_; }
  /// The step whose window holds a time, looked at closely; null where there is none.
  [[nodiscard]] const StepInsight* close_at(std::int64_t time_ns) const;

  /// True for a run on a longest path of its step, false for one that is not, nothing where the step
  /// was not looked at.
  [[nodiscard]] std::optional<bool> critical(std::uint32_t task, std::int32_t step) const;
  [[nodiscard]] std::size_t held_bytes() const;

 private:
  Insights insights_;
  std::vector<std::int64_t> linked_;  ///< of `insights_`; the one asked for last at the end
  std::map<std::int64_t, FoldedStep> folded_;
  std::map<std::int64_t, std::string> unknown_;
};

}  // namespace quintet::viewer
