#include <algorithm>
#include <array>
#include <cassert>

#include "runtime/host/half.h"
#include "runtime/host/host_kernel.h"
#include "runtime/ops/range_cast.h"

namespace quintet {

namespace {

class CastToFp16 final : public HostKernel {
 public:
  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    const RangeCastSlots slots{args.size() / 2};
    for (std::size_t i = 0; i < slots.tensors; ++i) {
      const std::uint64_t count = args.bytes(slots.source(i)) / sizeof(float);
      assert(args.bytes(slots.target(i)) == count * sizeof(Half));
      half_from_float({args.read<float>(slots.source(i)), count},
                      {args.write<Half>(slots.target(i)), count});
    }
  }
};

class CastToFp32 final : public HostKernel {
 public:
  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    const RangeCastSlots slots{args.size() / 2};
    for (std::size_t i = 0; i < slots.tensors; ++i) {
      const std::uint64_t count = args.bytes(slots.source(i)) / sizeof(Half);
      assert(args.bytes(slots.target(i)) == count * sizeof(float));
      const std::span from(args.read<Half>(slots.source(i)), count);
      float* const to = args.write<float>(slots.target(i));
      if (args.adds(slots.target(i))) {
        add(from, to);
      } else {
        float_from_half(from, {to, count});
      }
    }
  }

 private:
  /// Widened in blocks that stay in the first cache.
  static void add(std::span<const Half> from, float* to) {
    std::array<float, 1024> block;
    for (std::size_t at = 0; at < from.size(); at += block.size()) {
      const std::size_t count = std::min(block.size(), from.size() - at);
      float_from_half(from.subspan(at, count), std::span(block).first(count));
      for (std::size_t i = 0; i < count; ++i)
        to[at + i] += block[i];
    }
  }
};

}  // namespace

std::unique_ptr<HostKernel> make_cast_to_fp16_host(const Task& /*task*/,
                                                   const TensorTable& /*tensors*/) {
  return std::make_unique<CastToFp16>();
}

std::unique_ptr<HostKernel> make_cast_to_fp32_host(const Task& /*task*/,
                                                   const TensorTable& /*tensors*/) {
  return std::make_unique<CastToFp32>();
}

}  // namespace quintet
