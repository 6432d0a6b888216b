#include <cassert>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/overflow_flag.h"
#include "runtime/ops/range_sgd.h"

namespace quintet {

namespace {

class RangeSgd final : public HostKernel {
 public:
  explicit RangeSgd(const SgdHyper& hyper) : hyper_(hyper) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    assert(args.bytes(RangeSgdSlots::weights) == args.bytes(RangeSgdSlots::gradients));
    assert(args.bytes(RangeSgdSlots::weights) == args.bytes(RangeSgdSlots::momentum));
    if (overflowed(args, RangeSgdSlots::found_inf)) return;
    if (hyper_.nesterov) {
      update<true>(args);
    } else {
      update<false>(args);
    }
  }

 private:
  template <bool nesterov>
  void update(const TaskArgs& args) const {
    using Slots = RangeSgdSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::weights) / sizeof(float));
    const float lr = *args.read<float>(Slots::lr);
    const float decay = hyper_.weight_decay;
    const float momentum = hyper_.momentum;
    float* __restrict w = args.write<float>(Slots::weights);
    const float* __restrict g = args.read<float>(Slots::gradients);
    float* __restrict m = args.write<float>(Slots::momentum);
    for (std::int64_t i = 0; i < count; ++i) {
      const float decayed = g[i] + decay * w[i];
      m[i] = momentum * m[i] + decayed;
      w[i] -= lr * (nesterov ? decayed + momentum * m[i] : m[i]);
    }
  }

  SgdHyper hyper_;
};

}  // namespace

std::unique_ptr<HostKernel> make_range_sgd_host(const Task& task, const TensorTable& /*tensors*/) {
  return std::make_unique<RangeSgd>(std::get<SgdHyper>(task.attributes));
}

}  // namespace quintet
