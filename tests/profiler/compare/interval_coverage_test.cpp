// Intervals on simulated data whose truth is known: how often they hold it.

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "profiler/compare/series_change.h"
#include "tests/support/sanitizers.h"

namespace quintet {
namespace {

constexpr int kDataSets = kAddressSanitizer ? 100 : 500;
constexpr double kTruth = 100;
/// Three standard deviations of a binomial share of 95 % in that many data sets.
const double kTolerance = 3 * std::sqrt(0.95 * 0.05 / kDataSets);

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : seed_(seed) {}
  /// Within (0, 1).
  double uniform() {
    return (static_cast<double>(mixed(seed_, 17, ++position_) >> 11) + 0.5) * 0x1p-53;
  }
  /// Mean 0, variance 1.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t seed_;
  std::uint64_t position_ = 0;
};

/// Relative spreads of a side's data, and how much a step resembles the one before.
struct DataShape {
  std::size_t processes = 5;
  std::size_t steps = 40;
  double between = 0.003;
  double within = 0.01;
  double memory = 0;
  bool skewed = false;  ///< now and then a step takes much longer
};

ProcessSeries simulated(const DataShape& shape, Noise& noise) {
  ProcessSeries side;
  for (std::size_t process = 0; process < shape.processes; ++process) {
    const double centre = kTruth * (1 + shape.between * noise.normal());
    double deviation = noise.normal();
    StepSeries series;
    for (std::size_t step = 0; step < shape.steps; ++step) {
      double value = centre * (1 + shape.within * deviation);
      if (shape.skewed && noise.uniform() < 0.05) value *= 1 - 0.3 * std::log(noise.uniform());
      series.push_back(value);
      deviation =
          shape.memory * deviation + std::sqrt(1 - shape.memory * shape.memory) * noise.normal();
    }
    side.push_back(std::move(series));
  }
  return side;
}

/// The share of data sets without any difference whose interval holds 0 and whose ratio holds 1.
double coverage(const DataShape& a, const DataShape& b, std::uint64_t seed) {
  Noise noise(seed);
  int covered = 0;
  for (int set = 0; set < kDataSets; ++set) {
    const ProcessSeries before = simulated(a, noise);
    const ProcessSeries after = simulated(b, noise);
    const auto change =
        Resampler({2000, static_cast<std::uint64_t>(set) + 1}).change(before, after);
    if (!change->excludes_zero() && change->ratio->low <= 1 && change->ratio->high >= 1) ++covered;
  }
  testing::Test::RecordProperty("covered", covered);
  return static_cast<double>(covered) / kDataSets;
}

TEST(IntervalCoverage, OfFiveProcessesASideIsNinetyFivePercent) {
  const DataShape shape;
  EXPECT_NEAR(coverage(shape, shape, 1), 0.95, kTolerance);
}

TEST(IntervalCoverage, HoldsWhereProcessesDifferMoreThanSteps) {
  DataShape shape;
  shape.between = 0.02;
  EXPECT_NEAR(coverage(shape, shape, 2), 0.95, kTolerance);
}

TEST(IntervalCoverage, HoldsWithThreeProcessesAgainstEight) {
  DataShape few;
  few.processes = 3;
  few.between = 0.01;
  DataShape many = few;
  many.processes = 8;
  EXPECT_NEAR(coverage(few, many, 3), 0.95, kTolerance);
}

TEST(IntervalCoverage, HoldsForTheMedianOfSkewedSteps) {
  DataShape shape;
  shape.skewed = true;
  shape.steps = 60;
  EXPECT_NEAR(coverage(shape, shape, 4), 0.95, kTolerance);
}

TEST(IntervalCoverage, OfStepsOfOneProcessHoldsWhereProcessesDoNotDiffer) {
  DataShape shape;
  shape.processes = 1;
  shape.between = 0;
  shape.steps = 100;
  EXPECT_NEAR(coverage(shape, shape, 5), 0.95, kTolerance);
}

TEST(IntervalCoverage, OfOneProcessHoldsWhereEachStepResemblesTheOneBefore) {
  DataShape shape;
  shape.processes = 1;
  shape.between = 0;
  shape.steps = 300;
  shape.memory = 0.6;
  EXPECT_NEAR(coverage(shape, shape, 6), 0.95, kTolerance);
}

TEST(IntervalCoverage, IsAtLeastPromisedWhereProcessesDoNotDiffer) {
  // The steps' noise is a floor under the spread between processes, so here intervals are too wide
  // rather than too narrow, the more so with few processes.
  DataShape shape;
  shape.between = 0;
  EXPECT_GE(coverage(shape, shape, 7), 0.95 - kTolerance);
  shape.processes = 3;
  EXPECT_GE(coverage(shape, shape, 9), 0.95 - kTolerance);
}

TEST(IntervalCoverage, OfOneProcessAgainstFiveIsNinetyFivePercent) {
  DataShape one;
  one.processes = 1;
  one.steps = 100;
  DataShape five;
  five.steps = 100;
  EXPECT_NEAR(coverage(five, one, 8), 0.95, kTolerance);
}

}  // namespace
}  // namespace quintet
