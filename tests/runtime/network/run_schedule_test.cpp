// Which batches a run fetches, with its input resident and without.
#include "runtime/network/run_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

namespace quintet::test {
namespace {

using ::testing::ElementsAre;

constexpr ShapeId kTrain{1};
constexpr ShapeId kTrainTail{2};
constexpr ShapeId kEval{3};
constexpr ShapeId kEvalTail{4};

const std::vector<ShapeVariant> kShapes = {{kAnyShape, "any", 0, false},
                                           {kTrain, "train", 4, true},
                                           {kTrainTail, "train_tail", 2, true},
                                           {kEval, "eval", 4, false},
                                           {kEvalTail, "eval_tail", 1, false}};

RunSchedule schedule_of(const RunLength& length) {
  return make_schedule(length, kShapes);
}

/// Of each step: the shape of the batch that it prefetches.
std::vector<ShapeId> fetched(const RunSchedule& schedule) {
  std::vector<ShapeId> shapes;
  for (const ScheduledStep& step : schedule)
    shapes.push_back(step.variant.next_shape);
  return shapes;
}

TEST(RunSchedule, PrefetchesTheBatchOfEveryNextStep) {
  const RunSchedule schedule =
      schedule_of({.train_samples = 10, .test_samples = 5, .batch = 4, .epochs = 2});
  EXPECT_THAT(fetched(schedule), ElementsAre(kTrain, kTrainTail, kTrain, kTrain, kTrainTail, kEval,
                                             kEvalTail, kAnyShape));
}

TEST(RunSchedule, AlternatesSlotsFromAWhereverItsInputIs) {
  for (const bool resident : {false, true}) {
    const RunSchedule schedule = schedule_of({.train_samples = 10,
                                              .test_samples = 5,
                                              .batch = 4,
                                              .epochs = 2,
                                              .resident_input = resident});
    ASSERT_EQ(schedule.size(), resident ? 6U : 8U);
    for (std::size_t step = 0; step < schedule.size(); ++step)
      EXPECT_EQ(schedule[step].variant.slot, step % 2 == 0 ? BufferSlot::A : BufferSlot::B);
  }
}

TEST(RunSchedule, BecomesASequenceBetweenPrologueAndEpilogue) {
  const RunSchedule schedule =
      schedule_of({.train_samples = 8, .batch = 4, .epochs = 2, .max_train_steps = 3});
  const StepSequence sequence = sequence_of(schedule);
  ASSERT_EQ(sequence.size(), 5U);
  EXPECT_EQ(sequence.front(), (StepVariant{StepPhase::prologue, BufferSlot::A, kAnyShape, kTrain}));
  for (std::size_t step = 0; step < schedule.size(); ++step)
    EXPECT_EQ(sequence[step + 1], schedule[step].variant);
  EXPECT_EQ(sequence.back(),
            (StepVariant{StepPhase::epilogue, BufferSlot::B, kAnyShape, kAnyShape}));
}

/// Two epochs whose tails, and an evaluation, would be fetched without residence.
RunLength resident_length() {
  return {.train_samples = 10, .test_samples = 5, .batch = 4, .epochs = 2, .resident_input = true};
}

TEST(ResidentInput, FetchesOneBatchForEachSlotAndNothingMore) {
  const RunSchedule schedule = schedule_of(resident_length());
  EXPECT_THAT(fetched(schedule),
              ElementsAre(kTrain, kAnyShape, kAnyShape, kAnyShape, kAnyShape, kAnyShape));
  EXPECT_EQ(sequence_of(schedule).front().next_shape, kTrain) << "the prologue fetches for slot A";
}

TEST(ResidentInput, HoldsTheFirstTwoBatchesOfTheFirstEpoch) {
  const RunSchedule schedule = schedule_of(resident_length());
  EXPECT_EQ(schedule[0].epoch, 0);
  EXPECT_EQ(schedule[0].first_sample, 0);
  EXPECT_EQ(schedule[1].epoch, 0);
  EXPECT_EQ(schedule[1].first_sample, 4);
}

TEST(ResidentInput, TrainsOnFullBatchesAndEvaluatesNothing) {
  const RunLength length = resident_length();
  const RunSchedule schedule = schedule_of(length);
  ASSERT_EQ(static_cast<std::int64_t>(schedule.size()), train_step_count(length));
  for (std::size_t step = 0; step < schedule.size(); ++step) {
    EXPECT_EQ(schedule[step].variant.phase, StepPhase::train);
    EXPECT_EQ(schedule[step].variant.shape, kTrain);
    EXPECT_EQ(schedule[step].batch, 4);
    EXPECT_EQ(schedule[step].train_step, static_cast<std::int64_t>(step));
  }
}

TEST(ResidentInput, KeepsTheLengthOfTheRunAndThePlacesInAnUpdate) {
  RunLength length = resident_length();
  length.epochs = 100;
  length.max_train_steps = 7;
  length.micro_batches = 3;
  std::vector<MicroBatch> places;
  for (const ScheduledStep& step : schedule_of(length))
    places.push_back(step.variant.micro);
  EXPECT_THAT(places, ElementsAre(MicroBatch::first, MicroBatch::middle, MicroBatch::last,
                                  MicroBatch::first, MicroBatch::middle, MicroBatch::last,
                                  MicroBatch::single));
}

}  // namespace
}  // namespace quintet::test
