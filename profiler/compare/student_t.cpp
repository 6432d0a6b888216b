#include "profiler/compare/student_t.h"

#include <cmath>
#include <numbers>

namespace quintet {

namespace {

constexpr double kManyDegrees = 1e6;

/// The continued fraction of the incomplete beta function, by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr int kMostTerms = 500;
  constexpr double kTiny = 1e-300;
  constexpr double kExact = 1e-15;
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m <= kMostTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < kExact) break;
  }
  return fraction;
}

/// I_x(a, b), regularised.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double student_t_cdf(double t, double degrees) {
  if (degrees > kManyDegrees) return std::erfc(-t / std::numbers::sqrt2) / 2;
  const double tail = incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2;
  return t > 0 ? 1 - tail : tail;
}

double student_t_quantile(double p, double degrees) {
  double low = -1;
  double high = 1;
  while (student_t_cdf(low, degrees) > p)
    low *= 2;
  while (student_t_cdf(high, degrees) < p)
    high *= 2;
  constexpr int kHalvings = 200;  // the distance is below a double's last bit long before
  for (int halving = 0; halving < kHalvings && low < high; ++halving) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (student_t_cdf(middle, degrees) < p ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace quintet
