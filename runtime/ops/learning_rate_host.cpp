#include <algorithm>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/learning_rate.h"

namespace quintet {

namespace {

class LrFromTable final : public HostKernel {
 public:
  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = LrFromTableSlots;
    const auto entries = static_cast<std::int64_t>(args.bytes(Slots::table) / sizeof(float));
    const std::int64_t counter = *args.read<std::int64_t>(Slots::counter);
    const std::int64_t index = std::clamp<std::int64_t>(counter, 0, entries - 1);
    *args.write<float>(Slots::lr) = args.read<float>(Slots::table)[index];
  }
};

class ScalarIncrement final : public HostKernel {
 public:
  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    ++*args.write<std::int64_t>(ScalarIncrementSlots::counter);
  }
};

}  // namespace

std::unique_ptr<HostKernel> make_lr_from_table_host(const Task& /*task*/,
                                                    const TensorTable& /*tensors*/) {
  return std::make_unique<LrFromTable>();
}

std::unique_ptr<HostKernel> make_scalar_increment_host(const Task& /*task*/,
                                                       const TensorTable& /*tensors*/) {
  return std::make_unique<ScalarIncrement>();
}

}  // namespace quintet
