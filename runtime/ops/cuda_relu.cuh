/// ReLU as the end of another op's GPU kernel: Y is clamped before it is stored, and the mask
/// noted, in the same pass. Bit for bit what the two tasks give.
#pragma once

#include <cassert>
#include <string>
#include <type_traits>

#include "runtime/model/task.h"
#include "runtime/model/task_args.h"
#include "runtime/ops/cuda_vector.cuh"

namespace quintet {

/// What is stored of a result.
enum class Epilogue : std::uint8_t { plain, relu, relu_with_mask };

/// What a task's kernel ends with, and where its mask is.
class ReluEnd {
 public:
  explicit ReluEnd(const Task& task) {
    if (!task.fused_with) return;
    assert(task.fused_with->kind == OpKind(ComputeOp::RELU_FP32_FWD) ||
           task.fused_with->kind == OpKind(ComputeOp::RELU_AMP_FWD));
    mask_slot_ = task.fused_with->first_operand;
    epilogue_ = task.operands.size() > mask_slot_ ? Epilogue::relu_with_mask : Epilogue::relu;
  }

  [[nodiscard]] std::uint8_t* mask(const TaskArgs& args) const {
    return epilogue_ == Epilogue::relu_with_mask ? args.write<std::uint8_t>(mask_slot_) : nullptr;
  }
  [[nodiscard]] std::string implementation() const {
    return epilogue_ == Epilogue::plain ? "own" : "own+relu";
  }

  /// Calls visit(std::integral_constant<Epilogue, ...>) for the epilogue.
  template <class Visit>
  void visit(Visit visit) const {
    switch (epilogue_) {
      case Epilogue::plain:
        return visit(std::integral_constant<Epilogue, Epilogue::plain>{});
      case Epilogue::relu:
        return visit(std::integral_constant<Epilogue, Epilogue::relu>{});
      case Epilogue::relu_with_mask:
        return visit(std::integral_constant<Epilogue, Epilogue::relu_with_mask>{});
    }
  }

 private:
  Epilogue epilogue_ = Epilogue::plain;
  std::size_t mask_slot_ = 0;
};

/// The largest value that ReLU blocks. It judges Y as it is stored, so of halves also what rounds
/// to 0: the least half is 2^-24, and half of that rounds to even.
template <class T>
inline constexpr float kBlockedUpTo = 0.0F;
template <>
inline constexpr float kBlockedUpTo<__half> = 0x1p-25F;

/// Stores `values` as Y, clamped and with the mask where the epilogue says so. NaN passes.
template <Epilogue epilogue, class T, int width>
__device__ void store_result(Floats<width> values, T* y, std::uint8_t* mask) {
  if constexpr (epilogue != Epilogue::plain) {
    Packed<std::uint8_t, width> passed;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      const bool blocked = values[i] <= kBlockedUpTo<T>;
      values[i] = blocked ? 0.0F : values[i];
      passed.values[i] = blocked ? 0 : 1;
    }
    if constexpr (epilogue == Epilogue::relu_with_mask) store_packed(mask, passed);
  }
  store_floats(y, values);
}

}  // namespace quintet
