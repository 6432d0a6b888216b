/// Student's t distribution: how much wider an interval must be where its spread is known from few
/// samples only.
#pragma once

namespace quintet {

/// P(T <= t) with `degrees` > 0 degrees of freedom; the normal distribution beyond a million.
double student_t_cdf(double t, double degrees);

/// The t with P(T <= t) = p; 0 < p < 1.
double student_t_quantile(double p, double degrees);

}  // namespace quintet
