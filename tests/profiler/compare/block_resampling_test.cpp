#include "profiler/compare/block_resampling.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "profiler/compare/series_change.h"

namespace quintet {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

StepSeries drifting(std::size_t steps, double memory) {
  StepSeries series;
  double value = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    value = memory * value + static_cast<double>(mixed(5, 1, step) % 1000) - 500;
    series.push_back(value);
  }
  return series;
}

TEST(BlockResampling, EveryResampleHasAsManyStepsAsTheSeries) {
  const BlockDraws draws(37, 5, 200, 9);
  for (std::size_t resample = 0; resample < draws.resamples(); ++resample) {
    const auto counts = draws.counts(resample);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), 37);
  }
}

TEST(BlockResampling, EveryStepIsDrawnAboutEquallyOften) {
  const BlockDraws draws(20, 4, 5000, 3);
  std::vector<int> drawn(20);
  for (std::size_t resample = 0; resample < draws.resamples(); ++resample) {
    for (std::size_t step = 0; step < 20; ++step)
      drawn[step] += draws.counts(resample)[step];
  }
  for (const int count : drawn)
    EXPECT_NEAR(count, 5000, 500);
}

TEST(BlockResampling, TheSameSeedDrawsTheSame) {
  const BlockDraws first(30, 3, 50, 7);
  const BlockDraws again(30, 3, 50, 7);
  const BlockDraws other(30, 3, 50, 8);
  EXPECT_TRUE(
      std::equal(first.counts(49).begin(), first.counts(49).end(), again.counts(49).begin()));
  EXPECT_FALSE(
      std::equal(first.counts(49).begin(), first.counts(49).end(), other.counts(49).begin()));
}

TEST(BlockResampling, MediansOfResamplesAreThoseOfTheDrawnValues) {
  const StepSeries series = {5, 1, kNone, 4, 2, 8, 7};
  const BlockDraws draws(series.size(), 2, 300, 11);
  const std::vector<double> medians = resampled_medians(series, draws);
  for (std::size_t resample = 0; resample < draws.resamples(); ++resample) {
    StepSeries drawn;
    for (std::size_t step = 0; step < series.size(); ++step) {
      for (int copy = 0; copy < draws.counts(resample)[step]; ++copy)
        drawn.push_back(series[step]);
    }
    const double expected = median_of(drawn);
    EXPECT_EQ(medians[resample], std::isnan(expected) ? median_of(series) : expected);
  }
}

TEST(BlockResampling, MedianSkipsStepsWithoutAValue) {
  EXPECT_EQ(median_of({kNone, 3, 1, kNone}), 2);
  EXPECT_TRUE(std::isnan(median_of({kNone, kNone})));
  EXPECT_TRUE(std::isnan(median_of({})));
}

TEST(BlockResampling, BlocksGrowWithWhatNeighboursHaveInCommon) {
  const std::size_t independent = block_length(drifting(400, 0));
  const std::size_t related = block_length(drifting(400, 0.9));
  EXPECT_EQ(independent, 8U);  // the cube root of 400, made even
  EXPECT_GT(related, 2 * independent);
  EXPECT_LE(related, 100U);
  EXPECT_EQ(block_length({1, 2}), 1U);
}

TEST(SeriesChange, IsTheSameForTheSameSeed) {
  const ProcessSeries before = {drifting(60, 0.2)};
  ProcessSeries after = before;
  for (double& value : after[0])
    value += 700;
  const auto first = Resampler().change(before, after);
  const auto again = Resampler().change(before, after);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->difference.low, again->difference.low);
  EXPECT_EQ(first->p, again->p);
  EXPECT_NEAR(first->difference.value, 700, 1e-9);
}

TEST(SeriesChange, OfFewStepsOfOneProcessHasNoInterval) {
  const auto change = Resampler().change({{10, 11, 12}}, {{20, 21, 22}});
  ASSERT_TRUE(change);
  EXPECT_FALSE(change->bounded);
  EXPECT_FALSE(change->excludes_zero());
  EXPECT_EQ(change->difference.value, 10);
  EXPECT_DOUBLE_EQ(change->ratio->value, 21.0 / 11);
}

TEST(SeriesChange, OfSingleValuesOfSeveralProcessesIsWelchsInterval) {
  const auto change = Resampler({20000, 1}).change({{10}, {12}, {14}}, {{20}, {22}, {24}});
  ASSERT_TRUE(change && change->bounded);
  // Both variances are 4, the error of the difference sqrt(8 / 3), 4 degrees of freedom.
  EXPECT_NEAR(change->difference.low, 10 - 2.776 * std::sqrt(8.0 / 3), 0.5);
  EXPECT_NEAR(change->difference.high, 10 + 2.776 * std::sqrt(8.0 / 3), 0.5);
  EXPECT_NEAR(change->p, 0.0036, 0.0008);
}

TEST(SeriesChange, OneProcessBorrowsTheSpreadOfTheOthers) {
  const ProcessSeries apart = {{100, 100, 100}, {104, 104, 104}, {96, 96, 96}};
  const auto change = Resampler().change(apart, {{106, 106, 106}});
  ASSERT_TRUE(change && change->bounded);
  EXPECT_FALSE(change->excludes_zero());  // a process of the first side may well be 6 away
}

TEST(SeriesChange, KnowsNothingWhereASideHasNoValue) {
  EXPECT_FALSE(Resampler().change({{kNone, kNone}}, {{1, 2}}));
  EXPECT_FALSE(Resampler().change({}, {{1, 2}}));
}

TEST(SeriesChange, OfEqualConstantsIsCertainlyNone) {
  const StepSeries constant(20, 5);
  const auto change = Resampler().change({constant}, {constant});
  ASSERT_TRUE(change && change->bounded);
  EXPECT_EQ(change->p, 1);
  EXPECT_FALSE(change->excludes_zero());
}

TEST(SeriesChange, HasNoRatioAtZero) {
  const auto change = Resampler().change({StepSeries(10, 0)}, {StepSeries(10, 5)});
  ASSERT_TRUE(change);
  EXPECT_FALSE(change->ratio);
  EXPECT_TRUE(change->excludes_zero());
}

}  // namespace
}  // namespace quintet
