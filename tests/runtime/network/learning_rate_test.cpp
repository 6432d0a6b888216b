#include "runtime/network/learning_rate.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

LearningRateSchedule schedule(ScheduleKind kind, std::int64_t warmup, std::int64_t total) {
  return {kind, 0.1, 0.001, warmup, total};
}

TEST(LearningRate, RisesFromTheFirstShareToThePeakOverTheWarmUp) {
  for (const ScheduleKind kind : {ScheduleKind::constant, ScheduleKind::cosine, ScheduleKind::step,
                                  ScheduleKind::polynomial}) {
    const auto rates = schedule(kind, 4, 20).table(5);
    EXPECT_EQ(rates[0], static_cast<float>(0.1 / 4));
    EXPECT_EQ(rates[1], static_cast<float>(0.1 * 2 / 4));
    EXPECT_EQ(rates[2], static_cast<float>(0.1 * 3 / 4));
    EXPECT_EQ(rates[3], 0.1F);
    EXPECT_EQ(rates[4], 0.1F) << "the first step after the warm-up has the peak too";
  }
}

TEST(LearningRate, StaysAtThePeakWhereConstant) {
  const auto constant = schedule(ScheduleKind::constant, 0, 1);
  EXPECT_EQ(constant.at(0), 0.1F);
  EXPECT_EQ(constant.at(1'000'000), 0.1F);
}

TEST(LearningRate, FallsFromPeakToFinalAlongACosine) {
  const auto cosine = schedule(ScheduleKind::cosine, 10, 30);
  EXPECT_EQ(cosine.at(10), 0.1F);
  EXPECT_FLOAT_EQ(cosine.at(20), static_cast<float>((0.1 + 0.001) / 2));
  EXPECT_EQ(cosine.at(30), 0.001F);
  EXPECT_EQ(cosine.at(31), 0.001F);
  for (std::int64_t step = 10; step < 30; ++step)
    EXPECT_LT(cosine.at(step + 1), cosine.at(step)) << step;
  // A quarter of the way down in time is 15 % of the way down in value: (1 - cos 45 deg) / 2.
  EXPECT_NEAR(cosine.at(15), 0.1 - (0.1 - 0.001) * 0.1464466, 1e-7);
}

TEST(LearningRate, FallsAtEachMilestoneByGamma) {
  auto step = schedule(ScheduleKind::step, 2, 1);
  step.gamma = 0.5;
  step.milestones = {5, 6, 20};
  EXPECT_EQ(step.at(4), 0.1F);
  EXPECT_EQ(step.at(5), 0.05F);
  EXPECT_EQ(step.at(6), 0.025F);
  EXPECT_EQ(step.at(19), 0.025F);
  EXPECT_EQ(step.at(1000), 0.0125F);
}

TEST(LearningRate, FallsEverySoManySteps) {
  auto step = schedule(ScheduleKind::step, 0, 1);
  step.gamma = 0.5;
  step.every_steps = 10;
  EXPECT_EQ(step.at(9), 0.1F);
  EXPECT_EQ(step.at(10), 0.05F);
  EXPECT_EQ(step.at(39), 0.0125F);
}

TEST(LearningRate, FallsFromPeakToFinalAlongAPower) {
  auto power = schedule(ScheduleKind::polynomial, 10, 30);
  EXPECT_EQ(power.at(10), 0.1F);
  EXPECT_FLOAT_EQ(power.at(15), static_cast<float>(0.1 - (0.1 - 0.001) / 4)) << "power 1: a line";
  power.power = 2;
  EXPECT_FLOAT_EQ(power.at(20), static_cast<float>(0.001 + (0.1 - 0.001) / 4));
  EXPECT_EQ(power.at(30), 0.001F);
  EXPECT_EQ(power.at(31), 0.001F);
}

TEST(LearningRate, NeedsNoWarmUp) {
  EXPECT_EQ(schedule(ScheduleKind::cosine, 0, 10).at(0), 0.1F);
}

TEST(LearningRate, EndsAtFinalWhereTheWarmUpIsTheWholeRun) {
  const auto cosine = schedule(ScheduleKind::cosine, 5, 5);
  EXPECT_EQ(cosine.at(4), 0.1F);
  EXPECT_EQ(cosine.at(5), 0.001F);
}

TEST(LearningRate, FillsATableStepByStep) {
  const auto cosine = schedule(ScheduleKind::cosine, 3, 12);
  const auto table = cosine.table(15);
  ASSERT_EQ(table.size(), 15U);
  for (std::int64_t step = 0; step < 15; ++step)
    EXPECT_EQ(table[static_cast<std::size_t>(step)], cosine.at(step));
  EXPECT_TRUE(cosine.table(0).empty());
}

}  // namespace
}  // namespace quintet
