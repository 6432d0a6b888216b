#include "runtime/network/step_scalars.h"

#include <algorithm>

namespace quintet {

StepScalars add_scalars(GraphWriter& writer, const TrainingSetup& setup) {
  const auto scalar = [&](const char* name, DType dtype, std::int64_t elements = 1) {
    return writer.tensor(name, Shape{elements}, dtype, RegionKind::SCALARS, TensorRole::scalar);
  };
  StepScalars scalars;
  for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
    const std::string suffix(name_of(slot));
    const auto index = static_cast<std::size_t>(slot);
    scalars.host_lr[index] = writer.tensor("host_lr_" + suffix, Shape{1}, DType::F32,
                                           RegionKind::HOST_SCALARS, TensorRole::scalar);
    scalars.result[index] = writer.tensor("result_" + suffix, Shape{2}, DType::F64,
                                          RegionKind::HOST_RESULTS, TensorRole::result);
  }
  scalars.lr = scalar("lr", DType::F32);
  scalars.counter = scalar("step_counter", DType::I64);
  scalars.lr_table = writer.tensor("lr_table", Shape{std::max<std::int64_t>(1, setup.train_steps)},
                                   DType::F32, RegionKind::SCHEDULE, TensorRole::table);
  if (setup.precision == Precision::amp) {
    scalars.found_inf = scalar("found_inf", DType::I32);
    scalars.loss_scale = scalar("loss_scale", DType::F32);
    scalars.good_steps = scalar("good_steps", DType::I32);
  }
  if (std::holds_alternative<AdamHyper>(setup.optimizer) ||
      std::holds_alternative<AdamWHyper>(setup.optimizer)) {
    scalars.adam_t = scalar("adam_t", DType::I64);
    scalars.adam_correction = scalar("adam_correction", DType::F32, 2);
  }
  return scalars;
}

}  // namespace quintet
