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
        tiles_(channel_tiles_of(shape.rows, shape.channels, vectors_ ? kVectorWidth<T> : 1)) {}

  [[nodiscard]] const ChannelTiles& tiles() const { return tiles_; }
  /// Floats that an array of a partial sum per tile and channel has.
  [[nodiscard]] std::int64_t partials() const {
    return static_cast<std::int64_t>(tiles_.row_blocks) * tiles_.channels;
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
  bool vectors_;
  ChannelTiles tiles_;
};

template <class T, bool centered>
void launch_affine(const Tiling<T>& tiling, const ReluEnd& end, const ChannelAffine& affine,
                   const T* x, T* y, const TaskArgs& args, cudaStream_t stream) {
  const ChannelTiles& tiles = tiling.tiles();
  tiling.visit_width([&](auto width) {
    end.visit([&](auto epilogue) {
      batch_norm_affine_kernel<T, width(), centered, epilogue()>
          <<<tiles.grid(), kBlockThreads, 0, stream>>>(x, y, end.mask(args), affine, tiles);
    });
  });
  check(cudaGetLastError(), "launching batch normalisation's affine pass");
}

/// Workspace: the partial means, the partial squares, the scale of each channel.
template <class T>
class BatchNormForward final : public CudaKernel {
 public:
  BatchNormForward(const RowsShape& shape, const Task& task)
      : tiling_(shape),
        end_(task),
        epsilon_(static_cast<double>(std::get<BatchNormHyper>(task.attributes).epsilon)) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return static_cast<std::uint64_t>(2 * tiling_.partials() + tiling_.tiles().channels) *
           sizeof(float);
  }
  [[nodiscard]] std::string implementation() const override { return end_.implementation(); }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    assert(args.workspace().size() >= workspace_bytes());
    using Slots = BatchNormForwardSlots;
    const ChannelTiles& tiles = tiling_.tiles();
    const T* const x = args.read<T>(Slots::X);
    auto* const means = reinterpret_cast<float*>(args.workspace().data());
    float* const m2s = means + tiling_.partials();
    float* const scale = m2s + tiling_.partials();
    tiling_.visit_width([&](auto width) {
      batch_norm_moments_kernel<T, width()>
          <<<tiles.grid(), kBlockThreads, 0, on.stream>>>(x, means, m2s, tiles);
    });
    check(cudaGetLastError(), "launching batch normalisation's moments");
    auto* const mean = args.write<float>(Slots::mean);
    const ForwardStatistics<T> statistics{x,
                                          means,
                                          m2s,
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

/// Workspace: the partial sums, the partial products, then mean of dY, slope and scale of each
/// channel.
template <class T>
class BatchNormBackward final : public CudaKernel {
 public:
  explicit BatchNormBackward(const RowsShape& shape) : tiling_(shape) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return static_cast<std::uint64_t>(2 * tiling_.partials() + 3 * tiling_.tiles().channels) *
           sizeof(float);
  }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    assert(args.workspace().size() >= workspace_bytes());
    using Slots = BatchNormBackwardSlots;
    const ChannelTiles& tiles = tiling_.tiles();
    const T* const dy = args.read<T>(Slots::dY);
    const T* const x = args.read<T>(Slots::X);
    const float* const mean = args.read<float>(Slots::mean);
    auto* const sums = reinterpret_cast<float*>(args.workspace().data());
    float* const products = sums + tiling_.partials();
    float* const mean_dy = products + tiling_.partials();
    float* const slope = mean_dy + tiles.channels;
    float* const scale = slope + tiles.channels;
    tiling_.visit_width([&](auto width) {
      batch_norm_products_kernel<T, width()>
          <<<tiles.grid(), kBlockThreads, 0, on.stream>>>(dy, x, mean, sums, products, tiles);
    });
    check(cudaGetLastError(), "launching batch normalisation's sums of gradients");
    const BackwardStatistics statistics{sums,
                                        products,
                                        args.read<float>(Slots::gamma),
                                        args.read<float>(Slots::inv_std),
                                        args.write<float>(Slots::dgamma),
                                        args.write<float>(Slots::dbeta),
                                        mean_dy,
                                        slope,
                                        scale};
    batch_norm_gradients_kernel<<<merge_blocks(tiles.channels), kBlockThreads, 0, on.stream>>>(
        statistics, PartialRows(tiles));
    check(cudaGetLastError(), "launching batch normalisation's parameter gradients");
    tiling_.visit_width([&](auto width) {
      batch_norm_input_gradient_kernel<T, width()><<<tiles.grid(), kBlockThreads, 0, on.stream>>>(
          dy, x, args.write<T>(Slots::dX), {mean, mean_dy, slope, scale}, tiles);
    });
    check(cudaGetLastError(), "launching batch normalisation's input gradient");
  }

 private:
  Tiling<T> tiling_;
};

template <class T>
class BatchNormInference final : public CudaKernel {
 public:
  BatchNormInference(const RowsShape& shape, const Task& task) : tiling_(shape), end_(task) {}

  [[nodiscard]] std::string implementation() const override { return end_.implementation(); }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = BatchNormInferenceSlots;
    const float* const eq = args.read<float>(Slots::eq);
    launch_affine<T, false>(tiling_, end_, {nullptr, eq, eq + tiling_.tiles().channels},
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
                                           rows_shape_of(task, tensors, kSlot));
}

std::unique_ptr<CudaKernel> make_batch_norm_inference_cuda(const Task& task,
                                                           const TensorTable& tensors,
                                                           KernelPlanner& /*planner*/) {
  constexpr std::size_t kSlot = BatchNormInferenceSlots::X;
  return make_for_dtype<BatchNormInference>(task, tensors, kSlot,
                                            rows_shape_of(task, tensors, kSlot), task);
}

}  // namespace quintet
