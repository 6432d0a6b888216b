#include "runtime/cuda/cuda_error.h"
#include "runtime/ops/avgpool.h"
#include "runtime/ops/cuda_element_type.h"
#include "runtime/ops/pool_tiles.cuh"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

template <class T, int width>
__global__ void __launch_bounds__(kBlockThreads)
    avgpool_forward_kernel(const T* __restrict__ x, T* __restrict__ y, const PoolSizes s) {
  const PixelVector at = pixel_vector<width>(s.out_w, s.c);
  if (at.row >= s.out_h) return;
  const IndexRange rows = cells_of_window(at.row, s.stride_h, s.pad_h, s.kernel_h, s.h);
  const IndexRange columns = cells_of_window(at.column, s.stride_w, s.pad_w, s.kernel_w, s.w);
  const float share = 1.0F / static_cast<float>(rows.size() * columns.size());
  for (int n = static_cast<int>(blockIdx.y); n < s.n; n += static_cast<int>(gridDim.y)) {
    Floats<width> mean = all_of<width>(0.0F);
    for (int row = rows.begin; row < rows.end; ++row) {
      for (int column = columns.begin; column < columns.end; ++column) {
        const Floats<width> cell =
            load_floats<width>(x + offset_of(n, row, column, at.channel, s.h, s.w, s.c));
#pragma unroll
        for (int k = 0; k < width; ++k)
          mean[k] += cell[k];
      }
    }
#pragma unroll
    for (int k = 0; k < width; ++k)
      mean[k] *= share;
    store_floats(y + offset_of(n, at.row, at.column, at.channel, s.out_h, s.out_w, s.c), mean);
  }
}

/// Each cell of dX gathers its share of the windows that it lies in, in their order.
template <class T, int width>
__global__ void __launch_bounds__(kBlockThreads)
    avgpool_backward_kernel(const T* __restrict__ dy, T* __restrict__ dx, const PoolSizes s) {
  const PixelVector at = pixel_vector<width>(s.w, s.c);
  if (at.row >= s.h) return;
  const IndexRange rows = windows_of_cell(at.row, s.stride_h, s.pad_h, s.kernel_h, s.out_h);
  const IndexRange columns = windows_of_cell(at.column, s.stride_w, s.pad_w, s.kernel_w, s.out_w);
  for (int n = static_cast<int>(blockIdx.y); n < s.n; n += static_cast<int>(gridDim.y)) {
    Floats<width> sum = all_of<width>(0.0F);
    for (int i = rows.begin; i < rows.end; ++i) {
      const int height = cells_of_window(i, s.stride_h, s.pad_h, s.kernel_h, s.h).size();
      for (int j = columns.begin; j < columns.end; ++j) {
        const int cells = height * cells_of_window(j, s.stride_w, s.pad_w, s.kernel_w, s.w).size();
        const float share = 1.0F / static_cast<float>(cells);
        const Floats<width> gradient =
            load_floats<width>(dy + offset_of(n, i, j, at.channel, s.out_h, s.out_w, s.c));
#pragma unroll
        for (int k = 0; k < width; ++k)
          sum[k] += gradient[k] * share;
      }
    }
    store_floats(dx + offset_of(n, at.row, at.column, at.channel, s.h, s.w, s.c), sum);
  }
}

template <class T>
class AvgpoolForward final : public CudaKernel {
 public:
  explicit AvgpoolForward(const PoolSizes& sizes) : sizes_(sizes) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    if (sizes_.c % kVectorWidth<T> == 0) {
      launch_windows<kVectorWidth<T>>(args, on);
    } else {
      launch_windows<1>(args, on);
    }
  }

 private:
  template <int width>
  void launch_windows(const TaskArgs& args, const StreamResources& on) const {
    using Slots = AvgpoolForwardSlots;
    const PoolSizes& s = sizes_;
    const dim3 grid = image_grid(static_cast<std::int64_t>(s.out_h) * s.out_w * (s.c / width), s.n);
    avgpool_forward_kernel<T, width>
        <<<grid, kBlockThreads, 0, on.stream>>>(args.read<T>(Slots::X), args.write<T>(Slots::Y), s);
    check(cudaGetLastError(), "launching average-pooling forward");
  }

  PoolSizes sizes_;
};

template <class T>
class AvgpoolBackward final : public CudaKernel {
 public:
  explicit AvgpoolBackward(const PoolSizes& sizes) : sizes_(sizes) {}

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
    using Slots = AvgpoolBackwardSlots;
    const PoolSizes& s = sizes_;
    const dim3 grid = image_grid(static_cast<std::int64_t>(s.h) * s.w * (s.c / width), s.n);
    avgpool_backward_kernel<T, width><<<grid, kBlockThreads, 0, on.stream>>>(
        args.read<T>(Slots::dY), args.write<T>(Slots::dX), s);
    check(cudaGetLastError(), "launching average-pooling backward");
  }

  PoolSizes sizes_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_avgpool_forward_cuda(const Task& task, const TensorTable& tensors,
                                                      KernelPlanner& /*planner*/) {
  using Slots = AvgpoolForwardSlots;
  const PoolSizes sizes(pool_shape_of(task, operand_shape(task, tensors, Slots::X),
                                      operand_shape(task, tensors, Slots::Y)));
  return make_for_dtype<AvgpoolForward>(task, tensors, Slots::X, sizes);
}

std::unique_ptr<CudaKernel> make_avgpool_backward_cuda(const Task& task, const TensorTable& tensors,
                                                       KernelPlanner& /*planner*/) {
  using Slots = AvgpoolBackwardSlots;
  const PoolSizes sizes(pool_shape_of(task, operand_shape(task, tensors, Slots::dX),
                                      operand_shape(task, tensors, Slots::dY)));
  return make_for_dtype<AvgpoolBackward>(task, tensors, Slots::dY, sizes);
}

}  // namespace quintet
