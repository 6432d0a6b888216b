#include "profiler/compare/regression_check.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace quintet {

namespace {

template <class Row>
std::vector<std::size_t> grown(const std::vector<Row>& rows) {
  std::vector<std::size_t> positions;
  for (std::size_t position = 0; position < rows.size(); ++position) {
    if (rows[position].time.change.difference.value > 0) positions.push_back(position);
  }
  std::stable_sort(positions.begin(), positions.end(), [&rows](std::size_t a, std::size_t b) {
    const TestedChange& first = rows[a].time;
    const TestedChange& next = rows[b].time;
    if (first.significant != next.significant) return first.significant;
    return first.change.difference.value > next.change.difference.value;
  });
  return positions;
}

bool accepted(const Caveat& caveat, const CheckOptions& options) {
  return std::find(options.accepted.begin(), options.accepted.end(), caveat.name) !=
         options.accepted.end();
}

}  // namespace

Result<RegressionCheck> check_regression(Comparison comparison, const CheckOptions& options) {
  for (Caveat& caveat : comparison.caveats) {
    if (caveat.refuses && !accepted(caveat, options))
      return fail(caveat.name + ": " + caveat.message,
                  caveat.cure + "; or --accept " + caveat.name);
    caveat.refuses = false;
  }
  const std::optional<SeriesChange>& step = comparison.step_time;
  if (!step || !step->bounded || !step->ratio) {
    return fail(
        fmt::format("too few steps to say how sure a change is ({} and {} timed)",
                    comparison.a.timed_steps, comparison.b.timed_steps),
        fmt::format(
            "record at least {} timed steps, several times as many where a step resembles the "
            "one before, or several runs a side",
            kFewestSteps));
  }
  RegressionCheck check;
  check.max_regression = options.max_regression;
  check.ratio = *step->ratio;
  const double limit = 1 + options.max_regression;
  if (check.ratio.low > limit) {
    check.verdict = CheckVerdict::regression;
  } else if (check.ratio.high > limit) {
    check.verdict = CheckVerdict::undecided;
  }
  check.grown_layers = grown(comparison.layers);
  check.grown_tasks = grown(comparison.tasks);
  check.comparison = std::move(comparison);
  return check;
}

Result<double> parse_share(const std::string& text) {
  const auto refuse = [&text] {
    return fail(fmt::format("'{}' is no share", text), "give a percentage such as 1%, or 0.01");
  };
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return refuse();
  std::string_view rest =
      std::string_view(text).substr(static_cast<std::size_t>(end - text.data()));
  while (rest.starts_with(' '))
    rest.remove_prefix(1);
  if (rest == "%") {
    value /= 100;
  } else if (!rest.empty()) {
    return refuse();
  }
  if (!(value >= 0 && value <= 10)) return refuse();
  return value;
}

}  // namespace quintet
