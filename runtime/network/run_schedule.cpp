#include "runtime/network/run_schedule.h"

#include <algorithm>
#include <cassert>

namespace quintet {

namespace {

ShapeId shape_of(const std::vector<ShapeVariant>& shapes, std::int64_t batch, bool training) {
  const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const ShapeVariant& shape) {
    return shape.id != kAnyShape && shape.training == training && shape.batch == batch;
  });
  assert(found != shapes.end() && "a batch size that the plan has no shape for");
  return found->id;
}

/// Where a training step stands in its update.
MicroBatch micro_batch(std::int64_t train_step, const RunLength& length) {
  const std::int64_t place = train_step % length.micro_batches;
  const bool first = place == 0;
  const bool last = place == length.micro_batches - 1 || train_step + 1 == train_step_count(length);
  if (first) return last ? MicroBatch::single : MicroBatch::first;
  return last ? MicroBatch::last : MicroBatch::middle;
}

/// Appends the batches of one pass over `samples`, at most `limit` of them.
void append_pass(RunSchedule& schedule, const RunLength& length, std::int64_t samples,
                 std::int64_t limit, const ScheduledStep& pattern,
                 const std::vector<ShapeVariant>& shapes) {
  std::int64_t train_step = pattern.train_step;
  for (std::int64_t first = 0; first < samples && limit > 0; first += length.batch, --limit) {
    ScheduledStep step = pattern;
    step.first_sample = first;
    step.batch = std::min(length.batch, samples - first);
    step.variant.shape = shape_of(shapes, step.batch, step.variant.phase == StepPhase::train);
    if (train_step >= 0) {
      step.variant.micro = micro_batch(train_step, length);
      step.train_step = train_step++;
    }
    schedule.push_back(step);
  }
}

/// Slots alternate; each step fetches the next one's batch, the last one nothing.
void alternate_slots(RunSchedule& schedule) {
  for (std::size_t step = 0; step < schedule.size(); ++step) {
    StepVariant& variant = schedule[step].variant;
    variant.slot = step % 2 == 0 ? BufferSlot::A : BufferSlot::B;
    const bool last = step + 1 == schedule.size();
    variant.next_shape = last ? kAnyShape : schedule[step + 1].variant.shape;
  }
}

/// Full batches alone; from the second step on nothing is fetched.
RunSchedule resident_schedule(const RunLength& length, const std::vector<ShapeVariant>& shapes) {
  RunSchedule schedule;
  const std::int64_t batch = std::min(length.batch, length.train_samples);
  const std::int64_t per_epoch = length.train_samples / batch;
  const std::int64_t total = train_step_count(length);
  for (std::int64_t step = 0; step < total; ++step) {
    ScheduledStep pattern;
    pattern.variant.phase = StepPhase::train;
    pattern.train_step = step;
    pattern.epoch = step / per_epoch;
    append_pass(schedule, length, batch, 1, pattern, shapes);
    schedule.back().first_sample = step % per_epoch * batch;
  }
  alternate_slots(schedule);
  for (std::size_t step = 1; step < schedule.size(); ++step)
    schedule[step].variant.next_shape = kAnyShape;
  return schedule;
}

}  // namespace

std::int64_t tail_batch(std::int64_t samples, std::int64_t batch) {
  return samples < batch ? 0 : samples % batch;
}

std::int64_t train_step_count(const RunLength& length) {
  const std::int64_t steps =
      length.epochs * ((length.train_samples + length.batch - 1) / length.batch);
  return length.max_train_steps < 0 ? steps : std::min(steps, length.max_train_steps);
}

RunSchedule make_schedule(const RunLength& length, const std::vector<ShapeVariant>& shapes) {
  if (length.resident_input) return resident_schedule(length, shapes);
  RunSchedule schedule;
  const std::int64_t total = train_step_count(length);
  for (std::int64_t epoch = 0; epoch < length.epochs; ++epoch) {
    const auto trained = static_cast<std::int64_t>(schedule.size());
    if (trained >= total) break;
    ScheduledStep pattern;
    pattern.variant.phase = StepPhase::train;
    pattern.epoch = epoch;
    pattern.train_step = trained;
    append_pass(schedule, length, length.train_samples, total - trained, pattern, shapes);
  }
  ScheduledStep pattern;
  pattern.variant.phase = StepPhase::evaluate;
  pattern.epoch = schedule.empty() ? 0 : schedule.back().epoch;
  append_pass(schedule, length, length.test_samples, length.test_samples, pattern, shapes);
  alternate_slots(schedule);
  return schedule;
}

StepSequence sequence_of(const RunSchedule& schedule) {
  StepSequence sequence;
  const StepVariant first = schedule.front().variant;
  sequence.push_back({StepPhase::prologue, first.slot, kAnyShape, first.shape});
  for (const ScheduledStep& step : schedule)
    sequence.push_back(step.variant);
  const BufferSlot slot = schedule.size() % 2 == 0 ? BufferSlot::A : BufferSlot::B;
  sequence.push_back({StepPhase::epilogue, slot, kAnyShape, kAnyShape});
  return sequence;
}

}  // namespace quintet
