#include "profiler/compare/change_format.h"

#include <cmath>
#include <fmt/format.h>

#include "profiler/report/format.h"

namespace quintet {

namespace {

std::string counted(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::string format_difference(MetricHint hint, double difference) {
  if (hint == MetricHint::percentage) return fmt::format("{:+.1f} points", difference * 100);
  if (difference == 0) return format_value(hint, 0);
  return (difference < 0 ? "-" : "+") + format_value(hint, std::abs(difference));
}

std::string format_difference(MetricHint hint, const SeriesChange& change) {
  const std::string value = format_difference(hint, change.difference.value);
  if (!change.bounded) return value;
  if (hint == MetricHint::percentage) {
    return fmt::format("{} [{:+.1f}, {:+.1f}]", value, change.difference.low * 100,
                       change.difference.high * 100);
  }
  return fmt::format("{} [{}, {}]", value, format_difference(hint, change.difference.low),
                     format_difference(hint, change.difference.high));
}

std::string format_ratio(const SeriesChange& change) {
  if (!change.ratio) return {};
  const auto percent = [](double ratio) { return (ratio - 1) * 100; };
  if (!change.bounded) return fmt::format("{:+.1f} %", percent(change.ratio->value));
  return fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}]", percent(change.ratio->value),
                     percent(change.ratio->low), percent(change.ratio->high));
}

std::string format_change(MetricHint hint, const SeriesChange& change) {
  if (hint == MetricHint::percentage || !change.ratio) return format_difference(hint, change);
  return format_ratio(change);
}

std::string format_significance(const TestedChange& tested) {
  if (!tested.change.bounded) return "unknown";
  return tested.significant ? "yes" : "no";
}

std::string format_side(const ComparedSide& side) {
  std::string text = side.said("policy");
  if (text.empty()) text = side.files.front();
  return fmt::format("{}, {}, {}", text, counted(side.files.size(), "recording"),
                     counted(side.timed_steps, "timed step"));
}

std::string method_text(const Comparison& comparison) {
  const std::size_t a = comparison.a.files.size();
  const std::size_t b = comparison.b.files.size();
  std::string text = fmt::format(
      "Medians over steps, mean over recordings. In brackets the 95 % confidence interval from {} "
      "resamples of {}.",
      comparison.resampling.resamples,
      a > 1 || b > 1 ? "recordings and, within them, of blocks of steps"
                     : "blocks of consecutive steps");
  if (a == 1 && b == 1) {
    text +=
        " The spread between processes is unknown, as each side is one recording: another run of "
        "the same build may differ by more than the intervals say.";
  } else if (a == 1 || b == 1) {
    text += " The side of one recording borrows the other side's spread between processes.";
  }
  text +=
      " A change counts as significant where its interval leaves out 0 and its p-value, adjusted "
      "over the table by Benjamini and Hochberg's method, is at most 0.05.";
  return text;
}

}  // namespace quintet
