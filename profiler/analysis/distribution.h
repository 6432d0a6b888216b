/// Median and spread of values over steps.
#pragma once

#include <vector>

namespace quintet {

struct Distribution {
  double median = 0;
  double p05 = 0;
  double p95 = 0;
  std::size_t count = 0;
};

/// The p-quantile (0 <= p <= 1) of sorted values, linear between the two nearest. `sorted` must not
/// be empty.
double quantile(const std::vector<double>& sorted, double p);

/// All zero with count 0 where there are no values.
Distribution distribution_of(std::vector<double> values);

}  // namespace quintet
