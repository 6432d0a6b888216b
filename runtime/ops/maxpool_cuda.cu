#include <cmath>

#include "runtime/cuda/cuda_error.h"
#include "runtime/ops/cuda_element_type.h"
#include "runtime/ops/maxpool.h"
#include "runtime/ops/pool_tiles.cuh"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// The largest cell so far and its index in the window. Of equal cells the first stays; NaN wins.
template <int width>
struct Best {
  Floats<width> value;
  int index[width];

  __device__ explicit Best(int first_index) : value(all_of<width>(-INFINITY)) {
#pragma unroll
    for (int i = 0; i < width; ++i)
      index[i] = first_index;
  }
  __device__ void take(const Floats<width>& cell, int cell_index) {
#pragma unroll
    for (int i = 0; i < width; ++i) {
      const bool better = cell[i] > value[i] || cell[i] != cell[i];
      value[i] = better ? cell[i] : value[i];
      index[i] = better ? cell_index : index[i];
    }
  }
};

/// One window of all its channels' vector. `kernel_w`: the width of the window where it is known,
/// so that a row of it is loaded at once, else 0. Cells in the padding are -infinity, which never
/// wins: where all cells are, the first of the input stays.
template <class T, int width, int kernel_w>
__device__ Best<width> best_of_window(const T* __restrict__ x, int n, const PixelVector& at,
                                      const PoolSizes& s) {
  constexpr int kAhead = kernel_w > 0 ? kernel_w : 1;
  const int columns = kernel_w > 0 ? kernel_w : s.kernel_w;
  const int row = at.row * s.stride_h - s.pad_h;
  const int column = at.column * s.stride_w - s.pad_w;
  Best<width> best(max(0, -row) * columns + max(0, -column));
  for (int r = max(0, -row); r < min(s.kernel_h, s.h - row); ++r) {
    for (int q = 0; q < columns; q += kAhead) {
      Packed<T, width> cells[kAhead];
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        const int here = column + q + i;
        if (here >= 0 && here < s.w) {
          cells[i] = load_packed<width>(x + offset_of(n, row + r, here, at.channel, s.h, s.w, s.c));
        } else {
          cells[i] = rounded<T>(all_of<width>(-INFINITY));
        }
      }
#pragma unroll
      for (int i = 0; i < kAhead; ++i)
        best.take(widened(cells[i]), r * columns + q + i);
    }
  }
  return best;
}

/// `argmax` may be null.
template <class T, int width, int kernel_w>
__global__ void __launch_bounds__(kBlockThreads)
    maxpool_forward_kernel(const T* __restrict__ x, T* __restrict__ y,
                           std::uint8_t* __restrict__ argmax, const PoolSizes s) {
  const PixelVector at = pixel_vector<width>(s.out_w, s.c);
  if (at.row >= s.out_h) return;
  for (int n = static_cast<int>(blockIdx.y); n < s.n; n += static_cast<int>(gridDim.y)) {
    const Best<width> best = best_of_window<T, width, kernel_w>(x, n, at, s);
    const std::int64_t to = offset_of(n, at.row, at.column, at.channel, s.out_h, s.out_w, s.c);
    store_floats(y + to, best.value);
    if (argmax == nullptr) continue;
    Packed<std::uint8_t, width> indices;
#pragma unroll
    for (int i = 0; i < width; ++i)
      indices.values[i] = static_cast<std::uint8_t>(best.index[i]);
    store_packed(argmax + to, indices);
  }
}

/// Each cell of dX gathers from the windows that chose it, in their order.
template <class T, int width>
__global__ void __launch_bounds__(kBlockThreads)
    maxpool_backward_kernel(const T* __restrict__ dy, const std::uint8_t* __restrict__ argmax,
                            T* __restrict__ dx, const PoolSizes s) {
  const PixelVector at = pixel_vector<width>(s.w, s.c);
  if (at.row >= s.h) return;
  const IndexRange rows = windows_of_cell(at.row, s.stride_h, s.pad_h, s.kernel_h, s.out_h);
  const IndexRange columns = windows_of_cell(at.column, s.stride_w, s.pad_w, s.kernel_w, s.out_w);
  for (int n = static_cast<int>(blockIdx.y); n < s.n; n += static_cast<int>(gridDim.y)) {
    Floats<width> sum = all_of<width>(0.0F);
    for (int i = rows.begin; i < rows.end; ++i) {
      const int row_cells = (at.row + s.pad_h - i * s.stride_h) * s.kernel_w;
      for (int j = columns.begin; j < columns.end; ++j) {
        const int cell = row_cells + at.column + s.pad_w - j * s.stride_w;
        const std::int64_t from = offset_of(n, i, j, at.channel, s.out_h, s.out_w, s.c);
        const Packed<std::uint8_t, width> chosen = load_packed<width>(argmax + from);
        const Floats<width> gradient = load_floats<width>(dy + from);
#pragma unroll
        for (int k = 0; k < width; ++k)
          sum[k] += chosen.values[k] == cell ? gradient[k] : 0.0F;
      }
    }
    store_floats(dx + offset_of(n, at.row, at.column, at.channel, s.h, s.w, s.c), sum);
  }
}

template <class T>
class MaxpoolForward final : public CudaKernel {
 public:
  explicit MaxpoolForward(const PoolSizes& sizes) : sizes_(sizes) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    if (sizes_.c % kVectorWidth<T> != 0) return launch_windows<1, 0>(args, on);
    constexpr int kWidth = kVectorWidth<T>;
    if (sizes_.kernel_w == 2) return launch_windows<kWidth, 2>(args, on);
    if (sizes_.kernel_w == 3) return launch_windows<kWidth, 3>(args, on);
    launch_windows<kWidth, 0>(args, on);
  }

 private:
  template <int width, int kernel_w>
  void launch_windows(const TaskArgs& args, const StreamResources& on) const {
    using Slots = MaxpoolForwardSlots;
    const PoolSizes& s = sizes_;
    auto* const argmax =
        args.size() > Slots::argmax ? args.write<std::uint8_t>(Slots::argmax) : nullptr;
    const dim3 grid = image_grid(static_cast<std::int64_t>(s.out_h) * s.out_w * (s.c / width), s.n);
    maxpool_forward_kernel<T, width, kernel_w><<<grid, kBlockThreads, 0, on.stream>>>(
        args.read<T>(Slots::X), args.write<T>(Slots::Y), argmax, s);
    check(cudaGetLastError(), "launching max-pooling forward");
  }

  PoolSizes sizes_;
};

template <class T>
class MaxpoolBackward final : public CudaKernel {
 public:
  explicit MaxpoolBackward(const PoolSizes& sizes) : sizes_(sizes) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    if (sizes_.c % kVectorWidth<T> == 0) {
      launch_cells<kVectorWidth<T>>(args, on);
    } else {
      launch_cells<1>(args, on);
    }
  }

 private:
  template <int width>
  void launch_cells(const TaskArgs& args, const StreamResources& on) const {
    using Slots = MaxpoolBackwardSlots;
    const PoolSizes& s = sizes_;
    const dim3 grid = image_grid(static_cast<std::int64_t>(s.h) * s.w * (s.c / width), s.n);
    maxpool_backward_kernel<T, width><<<grid, kBlockThreads, 0, on.stream>>>(
        args.read<T>(Slots::dY), args.read<std::uint8_t>(Slots::argmax), args.write<T>(Slots::dX),
        s);
    check(cudaGetLastError(), "launching max-pooling backward");
  }

  PoolSizes sizes_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_maxpool_forward_cuda(const Task& task, const TensorTable& tensors,
                                                      KernelPlanner& /*planner*/) {
  using Slots = MaxpoolForwardSlots;
  const PoolSizes sizes(pool_shape_of(task, operand_shape(task, tensors, Slots::X),
                                      operand_shape(task, tensors, Slots::Y)));
  return make_for_dtype<MaxpoolForward>(task, tensors, Slots::X, sizes);
}

std::unique_ptr<CudaKernel> make_maxpool_backward_cuda(const Task& task, const TensorTable& tensors,
                                                       KernelPlanner& /*planner*/) {
  using Slots = MaxpoolBackwardSlots;
  const PoolSizes sizes(pool_shape_of(task, operand_shape(task, tensors, Slots::dX),
                                      operand_shape(task, tensors, Slots::dY)));
  return make_for_dtype<MaxpoolBackward>(task, tensors, Slots::dY, sizes);
}

}  // namespace quintet
