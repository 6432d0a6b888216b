/// Whether a gradient is the slope of its function: the check of every reference's backward.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "tests/support/random.h"
#include "tests/support/reference_ops.h"

namespace quintet {

inline constexpr double kSlopeTolerance = 1e-6;

inline double dot(const reference::Values& a, const reference::Values& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Relative error of `gradient` along a random direction against (f(x + hd) - f(x - hd)) / 2h.
inline double error_along_a_direction(const std::function<double(const reference::Values&)>& f,
                                      const reference::Values& x, const reference::Values& gradient,
                                      double h, TestRandom& random) {
  const reference::Values direction = random.reals(x.size(), -1, 1);
  reference::Values ahead = x;
  reference::Values behind = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ahead[i] += h * direction[i];
    behind[i] -= h * direction[i];
  }
  const double measured = (f(ahead) - f(behind)) / (2 * h);
  const double claimed = dot(gradient, direction);
  // Windows that see nothing but padding: no slope at all.
  if (measured == 0 && claimed == 0) return 0;
  return std::abs(measured - claimed) / std::max(std::abs(measured), std::abs(claimed));
}

}  // namespace quintet
