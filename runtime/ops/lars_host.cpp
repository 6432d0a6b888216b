#include <cassert>
#include <cmath>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/lars.h"
#include "runtime/ops/overflow_flag.h"

namespace quintet {

namespace {

double norm_of(const float* values, std::int64_t count) {
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i)
    sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return std::sqrt(sum);
}

class Lars final : public HostKernel {
 public:
  explicit Lars(const LarsHyper& hyper) : hyper_(hyper) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    const LarsSlots slots = LarsSlots::of(args.size());
    if (overflowed(args, slots.found_inf())) return;
    const auto lr = static_cast<double>(*args.read<float>(LarsSlots::lr));
    for (std::size_t i = 0; i < slots.tensors; ++i) {
      const auto count = static_cast<std::int64_t>(args.bytes(slots.gradient(i)) / sizeof(float));
      assert(args.bytes(slots.weight(i)) == args.bytes(slots.gradient(i)));
      assert(args.bytes(slots.momentum(i)) == args.bytes(slots.gradient(i)));
      const float* const g = args.read<float>(slots.gradient(i));
      float* const w = args.write<float>(slots.weight(i));
      const double rate = lr * trust_ratio(norm_of(w, count), norm_of(g, count));
      step(static_cast<float>(rate), count, g, w, args.write<float>(slots.momentum(i)));
    }
  }

 private:
  [[nodiscard]] double trust_ratio(double weight_norm, double gradient_norm) const {
    if (weight_norm == 0 || gradient_norm == 0) return 1;
    return static_cast<double>(hyper_.trust) * weight_norm /
           (gradient_norm + static_cast<double>(hyper_.weight_decay) * weight_norm +
            static_cast<double>(hyper_.epsilon));
  }

  void step(float rate, std::int64_t count, const float* __restrict g, float* __restrict w,
            float* __restrict m) const {
    const float decay = hyper_.weight_decay;
    const float momentum = hyper_.momentum;
    for (std::int64_t i = 0; i < count; ++i) {
      m[i] = momentum * m[i] + (g[i] + decay * w[i]);
      w[i] -= rate * m[i];
    }
  }

  LarsHyper hyper_;
};

}  // namespace

std::unique_ptr<HostKernel> make_lars_host(const Task& task, const TensorTable& /*tensors*/) {
  return std::make_unique<Lars>(std::get<LarsHyper>(task.attributes));
}

}  // namespace quintet
