#include "runtime/ops/amp_host.h"

#include <cassert>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/host/half.h"

namespace quintet {

namespace {

constexpr std::uint64_t kScratchAlignment = 64;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
}

/// An operand that holds halves, and where its floats lie in the workspace.
struct WidenedOperand {
  std::size_t slot = 0;
  std::uint64_t elements = 0;
  std::uint64_t offset = 0;
  bool widen = false;  ///< before the run: it is read, or need not be wholly written
  bool round = false;  ///< after the run
};

/// The workspace: the inner kernel's, then the floats of each operand, all aligned.
class AmpKernel final : public HostKernel {
 public:
  AmpKernel(std::unique_ptr<HostKernel> inner, std::vector<WidenedOperand> widened,
            std::size_t operands)
      : inner_(std::move(inner)), widened_(std::move(widened)), bound_(operands) {
    bytes_ = aligned(inner_->workspace_bytes());
    for (WidenedOperand& operand : widened_) {
      operand.offset = bytes_;
      bytes_ += aligned(operand.elements * sizeof(float));
    }
  }

  [[nodiscard]] std::uint64_t workspace_bytes() const override { return bytes_; }
  [[nodiscard]] std::string implementation() const override { return inner_->implementation(); }

  void run(const TaskArgs& args, const RunContext& context) override {
    assert(args.workspace().size() >= bytes_ && args.size() == bound_.size());
    for (std::size_t slot = 0; slot < bound_.size(); ++slot)
      bound_[slot] = args.bound(slot);
    for (const WidenedOperand& operand : widened_) {
      const std::span<float> floats = floats_of(operand, args);
      if (operand.widen) float_from_half(halves_of(operand, args), floats);
      bound_[operand.slot].data = reinterpret_cast<std::byte*>(floats.data());
      bound_[operand.slot].bytes = floats.size_bytes();
    }
    inner_->run(TaskArgs(bound_, args.workspace().first(inner_->workspace_bytes())), context);
    for (const WidenedOperand& operand : widened_) {
      if (operand.round) half_from_float(floats_of(operand, args), halves_of(operand, args));
    }
  }

 private:
  static std::span<float> floats_of(const WidenedOperand& operand, const TaskArgs& args) {
    return {reinterpret_cast<float*>(args.workspace().data() + operand.offset), operand.elements};
  }
  static std::span<Half> halves_of(const WidenedOperand& operand, const TaskArgs& args) {
    assert(args.bytes(operand.slot) == operand.elements * sizeof(Half));
    return {reinterpret_cast<Half*>(args.bound(operand.slot).data), operand.elements};
  }

  std::unique_ptr<HostKernel> inner_;
  std::vector<WidenedOperand> widened_;
  std::vector<BoundOperand> bound_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<HostKernel> make_amp_host(const Task& task, const TensorTable& tensors,
                                          HostKernelFactory make) {
  // The inner kernel sees a table of its own: the task's tensors alone, halves as floats.
  Task wide_task = task;
  TensorTable wide_tensors;
  std::vector<WidenedOperand> widened;
  for (std::size_t slot = 0; slot < task.operands.size(); ++slot) {
    Operand& operand = wide_task.operands[slot];
    const auto* const id = std::get_if<TensorId>(&operand.target);
    if (id == nullptr) continue;
    Tensor tensor = tensors[*id];
    tensor.view_of.reset();
    tensor.gradient_of.reset();
    if (tensor.dtype == DType::F16) {
      tensor.dtype = DType::F32;
      WidenedOperand& wide = widened.emplace_back();
      wide.slot = slot;
      wide.elements = static_cast<std::uint64_t>(tensor.shape.extent());
      wide.widen = reads(operand.mode) || operand.bound == AccessBound::upper;
      wide.round = writes(operand.mode);
    }
    operand.target = wide_tensors.add(std::move(tensor));
  }
  return std::make_unique<AmpKernel>(make(wide_task, wide_tensors), std::move(widened),
                                     task.operands.size());
}

}  // namespace quintet
