#include "runtime/host/host_kernel.h"
#include "runtime/ops/add.h"

namespace quintet {

namespace {

class Add final : public HostKernel {
 public:
  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    const auto count = static_cast<std::int64_t>(args.bytes(AddSlots::sum) / sizeof(float));
    const float* __restrict a = args.read<float>(AddSlots::first);
    const float* __restrict b = args.read<float>(AddSlots::second);
    float* __restrict sum = args.write<float>(AddSlots::sum);
    for (std::int64_t i = 0; i < count; ++i)
      sum[i] = a[i] + b[i];
  }
};

}  // namespace

std::unique_ptr<HostKernel> make_add_host(const Task& /*task*/, const TensorTable& /*tensors*/) {
  return std::make_unique<Add>();
}

}  // namespace quintet
