#include "viewer/model/comparison_keeper.h"

#include <charconv>
#include <cmath>
#include <filesystem>

namespace quintet::viewer {

namespace {

constexpr const char* kJob = "comparison";

/// For messages: where it lies is in the title of the pane.
std::string name_of_file(const Document& document) {
  return std::filesystem::path(document.file).filename().string();
}

/// A positive number that a side says.
std::optional<double> number(const ComparedSide& side, const std::string& key) {
  const std::string text = side.said(key);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return whole && value > 0 ? std::optional(value) : std::nullopt;
}

bool is_predicted(const ComparedSide& side) {
  return side.said("predicted") == "true";
}

bool comparable(const Document* document) {
  return document != nullptr && document->trace && !document->live;
}

}  // namespace

bool PredictedChange::told() const {
  return error_share && std::abs(ratio()) > *error_share;
}

std::optional<PredictedChange> predicted_change(const Comparison& comparison) {
  if (is_predicted(comparison.a) == is_predicted(comparison.b)) return std::nullopt;
  const auto before = number(comparison.a, "untraced_step_ns");
  const auto after = number(comparison.b, "untraced_step_ns");
  if (!before || !after) return std::nullopt;
  const Side side = is_predicted(comparison.a) ? Side::a : Side::b;
  const ComparedSide& predicted = side == Side::a ? comparison.a : comparison.b;
  return PredictedChange{side, *before, *after, number(predicted, "predicted_error")};
}

Comparison compare_documents(const Document& a, const Document& b, JobControl& control) {
  SampleOptions options;
  options.by = alignment_of(*a.trace, *b.trace);
  const std::vector<RecordingSample> before = {
      sample_recording(*a.trace, name_of_file(a), options)};
  control.progress(0.4);
  if (control.cancelled()) return {};
  const std::vector<RecordingSample> after = {sample_recording(*b.trace, name_of_file(b), options)};
  control.progress(0.8);
  if (control.cancelled()) return {};
  return compare_recordings(before, after);
}

void ComparisonKeeper::prepare(PartContext& context) {
  const Document* a = context.workbench.document(Side::a);
  const Document* b = context.workbench.document(Side::b);
  if (!comparable(a) || !comparable(b)) {
    if (generation_a_ != 0) context.background.cancel(kJob);
    comparison_.reset();
    failure_.clear();
    generation_a_ = 0;
    generation_b_ = 0;
    return;
  }
  if (a->generation == generation_a_ && b->generation == generation_b_) return;
  // The status line and the tab's badge want the step times too, so it does not wait for the tab.
  start(*a, *b, context);
}

void ComparisonKeeper::start(const Document& a, const Document& b, PartContext& context) {
  generation_a_ = a.generation;
  generation_b_ = b.generation;
  comparison_.reset();
  failure_.clear();
  context.background.start<std::shared_ptr<const Comparison>>(
      kJob, "Comparing A and B",
      [a, b](JobControl& control) {
        return std::make_shared<const Comparison>(compare_documents(a, b, control));
      },
      [this](std::shared_ptr<const Comparison> comparison) { comparison_ = std::move(comparison); },
      [this](std::string said) { failure_ = std::move(said); });
}

}  // namespace quintet::viewer
