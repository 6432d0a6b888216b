#include <cassert>
#include <type_traits>

#include "runtime/cuda/cuda_error.h"
#include "runtime/ops/batch_norm.h"
#include "runtime/ops/batch_norm_backward.cuh"
#include "runtime/ops/batch_norm_forward.cuh"
#include "runtime/ops/cuda_element_type.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

struct RowsShape {
  std::int64_t rows, channels;
};

RowsShape rows_shape_of(const Task& task, const TensorTable& tensors, std::size_t slot) {
  const Shape& x = operand_shape(task, tensors, slot);
  return {x.elements() / x.dim(-1), x.dim(-1)};
}

/// The tiles of a tensor of T, by whole vectors where its channels fill such, else by elements.
template <class T>
class Tiling {
 public:
  explicit Tiling(const RowsShape& shape)
      : vectors_(shape.channels % kVectorWidth<T> == 0),
        sums_(tiles_of(shape, kSumTiles)),
        pass_(tiles_of(shape, kPassTiles)) {}

  /// Of the kernels that leave a partial per tile and channel.
  [[nodiscard]] const ChannelTiles& sums() const { return sums_; }
  /// Of the kernels that write a tensor.
  [[nodiscard]] const ChannelTiles& pass() const { return pass_; }
  [[nodiscard]] int channels() const { return pass_.channels; }
  /// Floats of all partials, which are pairs.
  [[nodiscard]] std::int64_t partial_floats() const {
    return static_cast<std::int64_t>(sums_.row_blocks) * sums_.channels * 2;
  }

  /// Calls visit(std::integral_constant<int, width>) for the width of the vectors.
  template <class Visit>
  void visit_width(Visit visit) const {
    if (vectors_) {
      visit(std::integral_constant<int, kVectorWidth<T>>{});
    } else {
      visit(std::integral_constant<int, 1>{});
    }
  }

 private:
  [[nodiscard]] ChannelTiles tiles_of(const RowsShape& shape, std::int64_t most) const {
    return channel_tiles_of(shape.rows, shape.channels, vectors_ ? kVectorWidth<T> : 1, most);
  }

  bool vectors_;
  ChannelTiles sums_, pass_;
};

template <class T, bool centered>
void launch_affine(const Tiling<T>& tiling, const ReluEnd& end, const ChannelAffine& affine,
                   const T* x, T* y, const TaskArgs& args, cudaStream_t stream) {
  const ChannelTiles& tiles = tiling.pass();
  tiling.visit_width([&](auto width) {
    end.visit([&](auto epilogue) {
      batch_norm_affine_kernel<T, width(), centered, epilogue()>
          <<<tiles.grid(), kBlockThreads, 0, stream>>>(x, y, end.mask(args), affine, tiles);
    });
  });
  check(cudaGetLastError(), "launching batch normalisation's affine pass");
}

/// Workspace: the partials, the scale of each channel.
template <class T>
class BatchNormForward final : public CudaKernel {
 public:
  BatchNormForward(const RowsShape& shape, const Task& task)
      : tiling_(shape),
        end_(task),
        epsilon_(static_cast<double>(std::get<BatchNormHyper>(task.attributes).epsilon)) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return static_cast<std::uint64_t>(tiling_.partial_floats() + tiling_.channels()) *
           sizeof(float);
  }
  [[nodiscard]] std::string implementation() const override { return end_.implementation(); }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    assert(args.workspace().size() >= workspace_bytes());
    using Slots = BatchNormForwardSlots;
    const ChannelTiles& tiles = tiling_.sums();
    const T* const x = args.read<T>(Slots::X);
    auto* const partials = reinterpret_cast<float*>(args.workspace().data());
    float* const scale = partials + tiling_.partial_floats();
    tiling_.visit_width([&](auto width) {
      batch_norm_moments_kernel<T, width()>
          <<<tiles.grid(), kBlockThreads, 0, on.stream>>>(x, partials, tiles);
    });
    check(cudaGetLastError(), "launching batch normalisation's moments");
    auto* const mean = args.write<float>(Slots::mean);
    const ForwardStatistics<T> statistics{x,
                                          partials,
                                          args.read<float>(Slots::gamma),
                                          mean,
                                          args.write<float>(Slots::inv_std),
                                          args.write<float>(Slots::batch_stats),
                                          scale,
                                          epsilon_};
    batch_norm_statistics_kernel<<<merge_blocks(tiles.channels), kBlockThreads, 0, on.stream>>>(
        statistics, PartialRows(tiles));
    check(cudaGetLastError(), "launching batch normalisation's statistics");
    launch_affine<T, true>(tiling_, end_, {mean, scale, args.read<float>(Slots::beta)}, x,
                           args.write<T>(Slots::Y), args, on.stream);
  }

 private:
  Tiling<T> tiling_;
  ReluEnd end_;
  double epsilon_;
};

/// Workspace: the partials, then mean of dY, slope and scale of each channel.
template <class T>
class BatchNormBackward final : public CudaKernel {
 public:
  BatchNormBackward(const RowsShape& shape, const Task& task)
      : tiling_(shape),
        adds_to_dgamma_(adds(task.operands[BatchNormBackwardSlots::dgamma])),
        adds_to_dbeta_(adds(task.operands[BatchNormBackwardSlots::dbeta])) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return static_cast<std::uint64_t>(tiling_.partial_floats() + 3 * tiling_.channels()) *
           sizeof(float);
  }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    assert(args.workspace().size() >= workspace_bytes());
    using Slots = BatchNormBackwardSlots;
    const ChannelTiles& tiles = tiling_.sums();
    const T* const dy = args.read<T>(Slots::dY);
    const T* const x = args.read<T>(Slots::X);
    const float* const mean = args.read<float>(Slots::mean);
    auto* const partials = reinterpret_cast<float*>(args.workspace().data());
    float* const mean_dy = partials + tiling_.partial_floats();
    float* const slope = mean_dy + tiles.channels;
    float* const scale = slope + tiles.channels;
    tiling_.visit_width([&](auto width) {
      batch_norm_products_kernel<T, width()>
          <<<tiles.grid(), kBlockThreads, 0, on.stream>>>(dy, x, mean, partials, tiles);
    });
    check(cudaGetLastError(), "launching batch normalisation's sums of gradients");
    const BackwardStatistics statistics{partials,
                                        args.read<float>(Slots::gamma),
                                        args.read<float>(Slots::inv_std),
                                        args.write<float>(Slots::dgamma),
                                        args.write<float>(Slots::dbeta),
                                        adds_to_dgamma_,
                                        adds_to_dbeta_,
                                        mean_dy,
                                        slope,
                                        scale};
    batch_norm_gradients_kernel<<<merge_blocks(tiles.channels), kBlockThreads, 0, on.stream>>>(
        statistics, PartialRows(tiles));
    check(cudaGetLastError(), "launching batch normalisation's parameter gradients");
    tiling_.visit_width([&](auto width) {
      batch_norm_input_gradient_kernel<T, width()>
          <<<tiling_.pass().grid(), kBlockThreads, 0, on.stream>>>(
              dy, x, args.write<T>(Slots::dX), {mean, mean_dy, slope, scale}, tiling_.pass());
    });
    check(cudaGetLastError(), "launching batch normalisation's input gradient");
  }

 private:
  static bool adds(const Operand& operand) { return operand.mode == AccessMode::update; }

  Tiling<T> tiling_;
  bool adds_to_dgamma_, adds_to_dbeta_;
};

template <class T>
class BatchNormInference final : public CudaKernel {
 public:
  BatchNormInference(const RowsShape& shape, const Task& task) : tiling_(shape), end_(task) {}

  [[nodiscard]] std::string implementation() const override { return end_.implementation(); }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = BatchNormInferenceSlots;
    const float* const eq = args.read<float>(Slots::eq);
    launch_affine<T, false>(tiling_, end_, {nullptr, eq, eq + tiling_.channels()},
                            args.read<T>(Slots::X), args.write<T>(Slots::Y), args, on.stream);
  }

 private:
  Tiling<T> tiling_;
  ReluEnd end_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_batch_norm_forward_cuda(const Task& task,
                                                         const TensorTable& tensors,
                                                         KernelPlanner& /*planner*/) {
  constexpr std::size_t kSlot = BatchNormForwardSlots::X;
  return make_for_dtype<BatchNormForward>(task, tensors, kSlot, rows_shape_of(task, tensors, kSlot),
                                          task);
}

std::unique_ptr<CudaKernel> make_batch_norm_backward_cuda(const Task& task,
                                                          const TensorTable& tensors,
                                                          KernelPlanner& /*planner*/) {
  constexpr std::size_t kSlot = BatchNormBackwardSlots::X;
  return make_for_dtype<BatchNormBackward>(task, tensors, kSlot,
                                           rows_shape_of(task, tensors, kSlot), task);
}

std::unique_ptr<CudaKernel> make_batch_norm_inference_cuda(const Task& task,
                                                           const TensorTable& tensors,
                                                           KernelPlanner& /*planner*/) {
  constexpr std::size_t kSlot = BatchNormInferenceSlots::X;
  return make_for_dtype<BatchNormInference>(task, tensors, kSlot,
                                            rows_shape_of(task, tensors, kSlot), task);
}

}  // namespace quintet
