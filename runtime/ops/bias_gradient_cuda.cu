#include <algorithm>
#include <bit>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/conv.h"
#include "runtime/ops/cuda_element_type.h"
#include "runtime/ops/cuda_vector.cuh"
#include "runtime/ops/fc.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

constexpr unsigned kThreads = 256;
/// Rows that a thread loads at once and sums in float before double takes over.
constexpr unsigned kRun = 8;
/// Enough to fill a device, and a constant: the bits must not depend on the device.
constexpr unsigned kMostBlocks = 512;
/// Of a block that sums the partial sums: side by side, and one below the other.
constexpr unsigned kFinishColumns = 32;
constexpr unsigned kFinishRows = 32;

/// How the blocks lie over dY[rows, columns]: `lanes` threads side by side on a row, each with a
/// vector of columns, the others below them.
struct SumGrid {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t rows_per_block = 0;
  unsigned vectors = 0;  ///< of a row
  unsigned lanes = 0;    ///< a power of two
  unsigned column_blocks = 0;
  unsigned row_blocks = 0;

  SumGrid(std::int64_t all_rows, std::int64_t all_columns, int width)
      : rows(all_rows),
        columns(all_columns),
        vectors(static_cast<unsigned>(all_columns / width)),
        lanes(std::bit_ceil(std::min<unsigned>(vectors, kWarpThreads))),
        column_blocks(blocks_for(vectors, lanes)) {
    const std::int64_t rows_per_pass = kThreads / lanes * kRun;
    const std::int64_t passes = (rows + rows_per_pass - 1) / rows_per_pass;
    const std::int64_t most = std::max(1U, kMostBlocks / column_blocks);
    const std::int64_t passes_per_block = (passes + most - 1) / most;
    rows_per_block = passes_per_block * rows_per_pass;
    row_blocks = blocks_for(rows, rows_per_block);
  }
};

/// Where the sum of a column goes: added to what is there, or in its place; rounded once.
template <class T>
struct BiasTarget {
  T* db;
  bool adds;

  __device__ void put(std::int64_t column, double sum) const {
    Floats<1> value;
    value[0] = (adds ? widened(db[column]) : 0.0F) + static_cast<float>(sum);
    store_floats(db + column, value);
  }
};

/// The sum of the thread's rows, from the first on.
template <int width, class T>
__device__ void sum_rows(const T* first, std::int64_t rows, std::int64_t step, std::int64_t columns,
                         double (&sums)[width]) {
  for (std::int64_t row = 0; row < rows; row += step * kRun) {
    Packed<T, width> loaded[kRun] = {};
#pragma unroll
    for (unsigned i = 0; i < kRun; ++i) {
      const std::int64_t at = row + i * step;
      if (at < rows) loaded[i] = load_packed<width>(first + at * columns);
    }
#pragma unroll
    for (int lane = 0; lane < width; ++lane) {
      float run = 0;
#pragma unroll
      for (unsigned i = 0; i < kRun; ++i)
        run += widened(loaded[i].values[lane]);
      sums[lane] += static_cast<double>(run);
    }
  }
}

/// Sums of a block's rows, by row block and column; of the only row block there is, added to dB.
template <class T, int width>
__global__ void __launch_bounds__(kThreads)
    bias_gradient_sums(const T* __restrict__ dy, SumGrid grid, double* __restrict__ partial_sums,
                       BiasTarget<T> target) {
  __shared__ double shared[width][kThreads];
  const unsigned lane = threadIdx.x % grid.lanes;
  const unsigned row_lane = threadIdx.x / grid.lanes;
  const unsigned row_lanes = kThreads / grid.lanes;
  const unsigned vector = blockIdx.x * grid.lanes + lane;
  const std::int64_t begin = blockIdx.y * grid.rows_per_block + row_lane;
  const std::int64_t end =
      min(grid.rows, static_cast<std::int64_t>(blockIdx.y + 1) * grid.rows_per_block);
  double sums[width] = {};
  if (vector < grid.vectors && begin < end) {
    sum_rows<width>(dy + begin * grid.columns + vector * width, end - begin, row_lanes,
                    grid.columns, sums);
  }
#pragma unroll
  for (int i = 0; i < width; ++i)
    shared[i][threadIdx.x] = sums[i];
  for (unsigned half = row_lanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (row_lane >= half) continue;
#pragma unroll
    for (int i = 0; i < width; ++i)
      shared[i][threadIdx.x] += shared[i][threadIdx.x + half * grid.lanes];
  }
  if (row_lane != 0 || vector >= grid.vectors) return;
  const std::int64_t column = static_cast<std::int64_t>(vector) * width;
#pragma unroll
  for (int i = 0; i < width; ++i) {
    if (gridDim.y == 1) {
      target.put(column + i, shared[i][threadIdx.x]);
    } else {
      partial_sums[blockIdx.y * grid.columns + column + i] = shared[i][threadIdx.x];
    }
  }
}

template <class T>
__global__ void __launch_bounds__(kFinishColumns* kFinishRows)
    bias_gradient_finish(const double* __restrict__ partial_sums, unsigned row_blocks,
                         unsigned columns, BiasTarget<T> target) {
  __shared__ double sums[kFinishRows][kFinishColumns];
  const unsigned column = blockIdx.x * kFinishColumns + threadIdx.x;
  double sum = 0;
  if (column < columns) {
    for (unsigned block = threadIdx.y; block < row_blocks; block += kFinishRows)
      sum += partial_sums[static_cast<std::int64_t>(block) * columns + column];
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  for (unsigned half = kFinishRows / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y < half) sums[threadIdx.y][threadIdx.x] += sums[threadIdx.y + half][threadIdx.x];
  }
  if (threadIdx.y == 0 && column < columns) target.put(column, sums[0][threadIdx.x]);
}

/// Slots {dY, dB}. Vectors of columns where they fill rows, else single columns.
template <class T>
class BiasGradient final : public CudaKernel {
 public:
  BiasGradient(std::int64_t rows, std::int64_t columns)
      : vectors_(columns % kVectorWidth<T> == 0),
        grid_(rows, columns, vectors_ ? kVectorWidth<T> : 1) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    if (grid_.row_blocks == 1) return 0;
    return grid_.row_blocks * static_cast<std::uint64_t>(grid_.columns) * sizeof(double);
  }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    assert(args.workspace().size() >= workspace_bytes());
    const T* const dy = args.read<T>(ConvBiasGradientSlots::dY);
    const BiasTarget<T> target{args.write<T>(ConvBiasGradientSlots::dB),
                               args.adds(ConvBiasGradientSlots::dB)};
    auto* const partial_sums = reinterpret_cast<double*>(args.workspace().data());
    const dim3 blocks(grid_.column_blocks, grid_.row_blocks);
    if (vectors_) {
      bias_gradient_sums<T, kVectorWidth<T>>
          <<<blocks, kThreads, 0, on.stream>>>(dy, grid_, partial_sums, target);
    } else {
      bias_gradient_sums<T, 1><<<blocks, kThreads, 0, on.stream>>>(dy, grid_, partial_sums, target);
    }
    check(cudaGetLastError(), "launching bias_gradient_sums");
    if (grid_.row_blocks == 1) return;
    const auto columns = static_cast<unsigned>(grid_.columns);
    bias_gradient_finish<<<blocks_for(columns, kFinishColumns), dim3(kFinishColumns, kFinishRows),
                           0, on.stream>>>(partial_sums, grid_.row_blocks, columns, target);
    check(cudaGetLastError(), "launching bias_gradient_finish");
  }

 private:
  bool vectors_;
  SumGrid grid_;
};

}  // namespace

static_assert(ConvBiasGradientSlots::dY == std::size_t{FcBiasGradientSlots::dY} &&
              ConvBiasGradientSlots::dB == std::size_t{FcBiasGradientSlots::dB});

std::unique_ptr<CudaKernel> make_conv_bias_gradient_cuda(const Task& task,
                                                         const TensorTable& tensors,
                                                         KernelPlanner& /*planner*/) {
  const Shape& dy = operand_shape(task, tensors, ConvBiasGradientSlots::dY);
  return make_for_dtype<BiasGradient>(task, tensors, ConvBiasGradientSlots::dY,
                                      dy.elements() / dy.dim(-1), dy.dim(-1));
}

std::unique_ptr<CudaKernel> make_fc_bias_gradient_cuda(const Task& task, const TensorTable& tensors,
                                                       KernelPlanner& planner) {
  return make_conv_bias_gradient_cuda(task, tensors, planner);
}

}  // namespace quintet
