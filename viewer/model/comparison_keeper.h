/// The comparison of the two open recordings, computed in the background.
#pragma once

#include <memory>
#include <optional>

#include "profiler/compare/comparison.h"
#include "viewer/model/part.h"

namespace quintet::viewer {

/// Compares whenever both sides hold complete documents; what a
/// view shows is never of other documents than those that are open.
class ComparisonKeeper : public Part {
 public:
  [[nodiscard]] std::string_view id() const override { return "comparison"; }
  void prepare(PartContext& context) override;

  /// Null until it is computed.
  [[nodiscard]] const Comparison* comparison() const { return comparison_.get(); }
  /// Why there is none; empty = it is there, or under way.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  void start(const Document& a, const Document& b, PartContext& context);

  std::shared_ptr<const Comparison> comparison_;
  std::string failure_;
  std::uint64_t generation_a_ = 0;
  std::uint64_t generation_b_ = 0;
};

/// The step times of two sides of which one is a prediction. Predicted steps are as if untraced, so
/// the other side's count untraced too.
struct PredictedChange {
  Side predicted = Side::b;
  double before_ns = 0;
  double after_ns = 0;
  std::optional<double> error_share;  ///< to expect of the predicted time; nothing: unknown

  [[nodiscard]] double ratio() const { return after_ns / before_ns - 1; }
  /// More than the error of the prediction.
  [[nodiscard]] bool told() const;
};

/// Nothing where both sides were measured, or were predicted, or where an untraced time is unknown.
std::optional<PredictedChange> predicted_change(const Comparison& comparison);

/// Compares two traces as `quintet compare` does. `control` may cancel between its phases.
Comparison compare_documents(const Document& a, const Document& b, JobControl& control);

}  // namespace quintet::viewer
