/// Is a side slower than its baseline by more than is allowed, beyond what chance explains?
#pragma once

#include <string>
#include <vector>

#include "profiler/compare/comparison.h"
#include "runtime/model/result.h"

namespace quintet {

enum class CheckVerdict : std::uint8_t {
  passed,
  undecided,   ///< none shown, and none ruled out either: too few steps or runs
  regression,  ///< the whole interval of the step-time ratio lies beyond the limit
};

constexpr std::string_view name_of(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::passed:
      return "passed";
    case CheckVerdict::undecided:
      return "undecided";
    case CheckVerdict::regression:
      return "regression";
  }
  return {};
}

struct CheckOptions {
  double max_regression = 0.01;       ///< as a share of the baseline's step time
  std::vector<std::string> accepted;  ///< names of caveats that shall not refuse
};

struct RegressionCheck {
  Comparison comparison;  ///< side a is the baseline
  double max_regression = 0;
  CheckVerdict verdict = CheckVerdict::passed;
  Bounds ratio;  ///< of the step time to the baseline's

  /// Positions in the comparison's layers and tasks that take longer than before: the significant
  /// ones first, each group by its growth.
  std::vector<std::size_t> grown_layers;
  std::vector<std::size_t> grown_tasks;
};

/// Errors: sides that must not be compared (the caveat's name, message and cure), too few values
/// for an interval.
Result<RegressionCheck> check_regression(Comparison comparison, const CheckOptions& options = {});

/// "1%", "0.5 %" or "0.01" as a share; errors name what was given.
Result<double> parse_share(const std::string& text);

}  // namespace quintet
