/// The host's side of a step: which batch goes into the pinned buffers, which learning rate, and
/// what came back.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/data/batch_filler.h"
#include "runtime/data/image_dataset.h"
#include "runtime/host/host_kernel.h"
#include "runtime/network/run_schedule.h"

namespace quintet {

struct StepResult {
  double loss = 0;           ///< mean over the batch
  std::int64_t correct = 0;  ///< right predictions in the batch
};

/// Owns the epoch's order; refers to data, schedule and learning rates, which must live longer.
/// Threads: fill() from LOADER, the rest from MAIN.
class StepIo {
 public:
  /// `learning_rates` by training step.
  StepIo(const DatasetPair& data, const RunSchedule& schedule,
         const std::vector<float>& learning_rates, std::uint64_t seed);

  void fill(std::int64_t step, std::span<float> images, std::span<std::int32_t> labels);
  [[nodiscard]] float learning_rate(std::int64_t step) const;
  void take_result(std::int64_t step, StepResult result);
  [[nodiscard]] const StepResult& result(std::int64_t step) const;

  /// The kernel of a host task (HOST_FILL_BATCH, HOST_WRITE_LR, HOST_READ_RESULTS); it refers to
  /// this object.
  std::unique_ptr<HostKernel> make_kernel(const Task& task, const TensorTable& tensors);

 private:
  StepIo(const DatasetPair& data, const RunSchedule& schedule,
         const std::vector<float>& learning_rates, std::uint64_t seed,
         const Normalisation& normalisation);

  const DatasetPair& data_;
  const RunSchedule& schedule_;
  const std::vector<float>& learning_rates_;
  std::uint64_t seed_;
  BatchFiller train_filler_;
  BatchFiller test_filler_;
  std::int64_t order_epoch_ = -1;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> test_order_;
  std::vector<StepResult> results_;
};

}  // namespace quintet
