/// Weights that a task of AMP is given as floats (moving averages, in evaluation) and its library
/// wants as halves: rounded into the workspace before the call.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/model/task.h"
#include "runtime/model/task_args.h"
#include "runtime/model/tensor.h"
#include "runtime/ops/elementwise_pass.h"

namespace quintet {

/// Of one task: which operands are rounded, and where. They take the first bytes() of the
/// workspace.
class HalfWeights {
 public:
  /// None.
  HalfWeights() = default;
  /// The operands of `slots` that are F32 in a task that computes on `dtype` F16.
  HalfWeights(const Task& task, const TensorTable& tensors, const std::vector<std::size_t>& slots,
              DType dtype) {
    if (dtype != DType::F16) return;
    for (const std::size_t slot : slots) {
      const Tensor& tensor = tensors[std::get<TensorId>(task.operands[slot].target)];
      if (tensor.dtype != DType::F32) continue;
      const std::int64_t elements = tensor.shape.elements();
      rounded_.push_back({slot, elements, bytes_});
      constexpr std::uint64_t kAlignment = 256;
      bytes_ += (static_cast<std::uint64_t>(elements) * sizeof(std::uint16_t) + kAlignment - 1) /
                kAlignment * kAlignment;
    }
  }

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  void launch(const TaskArgs& args, cudaStream_t stream) const {
    for (const Rounded& weight : rounded_) {
      launch_round_to_half(args.workspace().data() + weight.offset, args.bound(weight.slot).data,
                           weight.elements, stream);
    }
  }
  /// Where the library finds the operand.
  [[nodiscard]] void* at(const TaskArgs& args, std::size_t slot) const {
    for (const Rounded& weight : rounded_) {
      if (weight.slot == slot) return args.workspace().data() + weight.offset;
    }
    return args.bound(slot).data;
  }

 private:
  struct Rounded {
    std::size_t slot;
    std::int64_t elements;
    std::uint64_t offset;
  };
  std::vector<Rounded> rounded_;
  std::uint64_t bytes_ = 0;
};

}  // namespace quintet
