#include <cassert>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/overflow_flag.h"
#include "runtime/ops/range_ema.h"

namespace quintet {

namespace {

class RangeEma final : public HostKernel {
 public:
  explicit RangeEma(const EmaHyper& hyper) : hyper_(hyper) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = RangeEmaSlots;
    assert(args.bytes(Slots::average) == args.bytes(Slots::weights));
    if (overflowed(args, Slots::found_inf)) return;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::average) / sizeof(float));
    const float decay = hyper_.decay;
    const float rest = 1.0F - decay;  // exact for decays of 0.5 and more
    float* __restrict average = args.write<float>(Slots::average);
    const float* __restrict w = args.read<float>(Slots::weights);
    for (std::int64_t i = 0; i < count; ++i)
      average[i] = decay * average[i] + rest * w[i];
  }

 private:
  EmaHyper hyper_;
};

}  // namespace

std::unique_ptr<HostKernel> make_range_ema_host(const Task& task, const TensorTable& /*tensors*/) {
  return std::make_unique<RangeEma>(std::get<EmaHyper>(task.attributes));
}

}  // namespace quintet
