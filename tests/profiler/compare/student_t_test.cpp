#include "profiler/compare/student_t.h"

#include <array>
#include <gtest/gtest.h>

namespace quintet {
namespace {

struct KnownQuantile {
  double degrees;
  double p;
  double t;
};

/// From printed tables.
constexpr auto kKnown = std::to_array<KnownQuantile>({{1, 0.975, 12.7062},
                                                      {2, 0.975, 4.30265},
                                                      {4, 0.975, 2.77645},
                                                      {8, 0.975, 2.30600},
                                                      {30, 0.95, 1.69726},
                                                      {30, 0.025, -2.04227},
                                                      {1e9, 0.975, 1.95996}});

TEST(StudentT, QuantilesAreThoseOfPrintedTables) {
  for (const KnownQuantile& known : kKnown) {
    EXPECT_NEAR(student_t_quantile(known.p, known.degrees), known.t, 5e-5 * std::abs(known.t))
        << known.degrees;
    EXPECT_NEAR(student_t_cdf(known.t, known.degrees), known.p, 1e-5) << known.degrees;
  }
}

TEST(StudentT, IsSymmetricAndHalfAtZero) {
  for (const double degrees : {0.7, 1.0, 3.5, 40.0}) {
    EXPECT_DOUBLE_EQ(student_t_cdf(0, degrees), 0.5);
    EXPECT_NEAR(student_t_cdf(1.3, degrees) + student_t_cdf(-1.3, degrees), 1, 1e-12);
  }
}

TEST(StudentT, FarTailsKeepTheirSize) {
  // P(T <= -t) of one degree of freedom is about 1 / (pi t).
  EXPECT_NEAR(student_t_cdf(-1e6, 1) * 3.14159265e6, 1, 1e-6);
  EXPECT_GT(student_t_cdf(-40, 8), 0);
}

}  // namespace
}  // namespace quintet
