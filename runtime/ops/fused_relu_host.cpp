#include "runtime/ops/fused_relu_host.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "runtime/host/half.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

constexpr std::int64_t kBlock = 2048;  ///< elements that stay in the first cache between two loops

/// As in relu_host.cpp: NaN is not blocked.
inline bool blocks(float value) {
  return value <= 0.0F;
}
/// The same of a half: +0, and everything from -0 to -infinity.
inline bool blocks(Half value) {
  const std::uint16_t bits = value.bits;
  const bool negative = static_cast<std::uint16_t>(bits - 0x8000U) <= 0x7C00U;
  return (static_cast<int>(bits == 0) | static_cast<int>(negative)) != 0;  // no branch
}

template <class T>
void relu_in_place(T* __restrict all_y, std::uint8_t* __restrict all_mask, std::int64_t count) {
  for (std::int64_t begin = 0; begin < count; begin += kBlock) {
    const std::int64_t size = std::min(kBlock, count - begin);
    T* __restrict y = all_y + begin;
    if (all_mask != nullptr) {
      std::uint8_t* __restrict mask = all_mask + begin;
      for (std::int64_t i = 0; i < size; ++i)
        mask[i] = blocks(y[i]) ? 0 : 1;
    }
    for (std::int64_t i = 0; i < size; ++i)
      y[i] = blocks(y[i]) ? T{} : y[i];
  }
}

class FusedRelu final : public HostKernel {
 public:
  FusedRelu(std::unique_ptr<HostKernel> inner, std::size_t inner_operands, std::size_t y_slot,
            DType dtype)
      : inner_(std::move(inner)), inner_operands_(inner_operands), y_slot_(y_slot), dtype_(dtype) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override { return inner_->workspace_bytes(); }
  [[nodiscard]] std::string implementation() const override {
    return inner_->implementation() + "+relu";
  }

  void run(const TaskArgs& args, const RunContext& context) override {
    inner_->run(args.first(inner_operands_), context);
    std::uint8_t* const mask =
        args.size() > inner_operands_ ? args.write<std::uint8_t>(inner_operands_) : nullptr;
    const auto count = static_cast<std::int64_t>(args.bytes(y_slot_) / bytes_of(dtype_));
    if (dtype_ == DType::F16) {
      relu_in_place(args.write<Half>(y_slot_), mask, count);
    } else {
      relu_in_place(args.write<float>(y_slot_), mask, count);
    }
  }

 private:
  std::unique_ptr<HostKernel> inner_;
  std::size_t inner_operands_;
  std::size_t y_slot_;
  DType dtype_;
};

}  // namespace

std::unique_ptr<HostKernel> make_fused_relu_host(const Task& task, const TensorTable& tensors,
                                                 HostKernelFactory make, std::size_t y_slot) {
  assert(task.fused_with);
  Task inner = task;
  inner.operands.resize(task.fused_with->first_operand);
  inner.fused_with.reset();
  const DType dtype = tensors[std::get<TensorId>(task.operands[y_slot].target)].dtype;
  assert(dtype == DType::F32 || dtype == DType::F16);
  return std::make_unique<FusedRelu>(make(inner, tensors), inner.operands.size(), y_slot, dtype);
}

}  // namespace quintet
