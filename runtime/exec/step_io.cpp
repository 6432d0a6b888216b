#include "runtime/exec/step_io.h"

#include <cassert>
#include <numeric>

#include "runtime/data/epoch_order.h"
#include "runtime/host/half.h"
#include "runtime/ops/host_tasks.h"

namespace quintet {

namespace {

class FillKernel final : public HostKernel {
 public:
  explicit FillKernel(StepIo& io) : io_(io) {}
  void run(const TaskArgs& args, const RunContext& context) override {
    using Slots = HostFillBatchSlots;
    io_.fill(context.step,
             {args.write<float>(Slots::images), args.bytes(Slots::images) / sizeof(float)},
             {args.write<std::int32_t>(Slots::labels),
              args.bytes(Slots::labels) / sizeof(std::int32_t)});
  }

 private:
  StepIo& io_;
};

/// The same into a pinned batch of halves, by way of a float batch of its own (LOADER's memory: no other task sees it).
class HalfFillKernel final : public HostKernel {
 public:
  HalfFillKernel(StepIo& io, std::int64_t elements)
      : io_(io), images_(static_cast<std::size_t>(elements)) {}
  void run(const TaskArgs& args, const RunContext& context) override {
    using Slots = HostFillBatchSlots;
    io_.fill(context.step, images_,
             {args.write<std::int32_t>(Slots::labels),
              args.bytes(Slots::labels) / sizeof(std::int32_t)});
    half_from_float(images_, std::span(args.write<Half>(Slots::images), images_.size()));
  }

 private:
  StepIo& io_;
  std::vector<float> images_;
};

class LearningRateKernel final : public HostKernel {
 public:
  explicit LearningRateKernel(StepIo& io) : io_(io) {}
  void run(const TaskArgs& args, const RunContext& context) override {
    *args.write<float>(HostWriteLrSlots::lr) = io_.learning_rate(context.step);
  }

 private:
  StepIo& io_;
};

class ResultKernel final : public HostKernel {
 public:
  explicit ResultKernel(StepIo& io) : io_(io) {}
  void run(const TaskArgs& args, const RunContext& context) override {
    const auto* result = args.read<double>(HostReadResultsSlots::result);
    io_.take_result(context.step, {result[0], static_cast<std::int64_t>(result[1])});
  }

 private:
  StepIo& io_;
};

}  // namespace

StepIo::StepIo(const DatasetPair& data, const RunSchedule& schedule,
               const std::vector<float>& learning_rates, std::uint64_t seed)
    : StepIo(data, schedule, learning_rates, seed, normalisation_of(data.train)) {}

StepIo::StepIo(const DatasetPair& data, const RunSchedule& schedule,
               const std::vector<float>& learning_rates, std::uint64_t seed,
               const Normalisation& normalisation)
    : data_(data),
      schedule_(schedule),
      learning_rates_(learning_rates),
      seed_(seed),
      train_filler_(data.train, normalisation),
      test_filler_(data.test, normalisation),
      test_order_(static_cast<std::size_t>(data.test.count)),
      results_(schedule.size()) {
  std::iota(test_order_.begin(), test_order_.end(), 0U);
}

void StepIo::fill(std::int64_t step, std::span<float> images, std::span<std::int32_t> labels) {
  const ScheduledStep& scheduled = schedule_[static_cast<std::size_t>(step)];
  const bool training = scheduled.variant.phase == StepPhase::train;
  if (training && scheduled.epoch != order_epoch_) {
    order_ = epoch_order(data_.train.count, seed_, scheduled.epoch);
    order_epoch_ = scheduled.epoch;
  }
  const std::span<const std::uint32_t> order(training ? order_ : test_order_);
  const auto indices = order.subspan(static_cast<std::size_t>(scheduled.first_sample),
                                     static_cast<std::size_t>(scheduled.batch));
  (training ? train_filler_ : test_filler_).fill(indices, images, labels);
}

float StepIo::learning_rate(std::int64_t step) const {
  const std::int64_t train_step = schedule_[static_cast<std::size_t>(step)].train_step;
  return train_step < 0 ? 0.0F : learning_rates_[static_cast<std::size_t>(train_step)];
}

void StepIo::take_result(std::int64_t step, StepResult result) {
  results_[static_cast<std::size_t>(step)] = result;
}

const StepResult& StepIo::result(std::int64_t step) const {
  return results_[static_cast<std::size_t>(step)];
}

std::unique_ptr<HostKernel> StepIo::make_kernel(const Task& task, const TensorTable& tensors) {
  if (task.kind == OpKind(ComputeOp::HOST_FILL_BATCH)) {
    const Tensor& images =
        tensors[std::get<TensorId>(task.operands[HostFillBatchSlots::images].target)];
    if (images.dtype == DType::F16) {
      return std::make_unique<HalfFillKernel>(*this, images.shape.elements());
    }
    return std::make_unique<FillKernel>(*this);
  }
  if (task.kind == OpKind(ComputeOp::HOST_WRITE_LR)) {
    return std::make_unique<LearningRateKernel>(*this);
  }
  assert(task.kind == OpKind(ComputeOp::HOST_READ_RESULTS));
  return std::make_unique<ResultKernel>(*this);
}

}  // namespace quintet
