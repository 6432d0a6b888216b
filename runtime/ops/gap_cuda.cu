#include "runtime/cuda/cuda_error.h"
#include "runtime/ops/channel_tiles.cuh"
#include "runtime/ops/cuda_element_type.h"
#include "runtime/ops/gap.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

constexpr std::int64_t kMaxGridY = 65535;

struct GapShape {
  std::int64_t images, pixels, channels;
};

GapShape gap_shape_of(const Shape& x) {
  return {x.dim(0), x.dim(1) * x.dim(2), x.dim(3)};
}

/// The whole image is one tile.
template <int width>
ChannelTiles image_tiles(const GapShape& shape) {
  ChannelTiles tiles = channel_tiles_of(shape.pixels, shape.channels, width, kPassTiles);
  tiles.block_rows = shape.pixels;
  tiles.row_blocks = 1;
  return tiles;
}

/// Images along the grid's second axis.
template <class T, int width>
__global__ void __launch_bounds__(kBlockThreads)
    gap_forward_kernel(const T* __restrict__ x, T* __restrict__ y, const ChannelTiles tiles,
                       const std::int64_t images) {
  constexpr int kAhead = 4;
  __shared__ LaneFloats<width> room;
  const TileWalk walk = walk_of_thread<width>(tiles, 0);
  const RowLaneShare<width> share(tiles.lanes);
  const int thread = static_cast<int>(threadIdx.x);
  const int channel = static_cast<int>(blockIdx.x) * share.tile_channels + thread;
  const auto pixels = static_cast<float>(tiles.rows);
  for (std::int64_t n = blockIdx.y; n < images; n += gridDim.y) {
    const T* const image = x + n * tiles.rows * tiles.channels;
    Floats<width> sum = all_of<width>(0.0F);
    for_each_row<kAhead>(
        walk, [&](std::int64_t at) { return load_packed<width>(image + at); },
        [&](std::int64_t, const Packed<T, width>& pixel) {
          const Floats<width> values = widened(pixel);
#pragma unroll
          for (int k = 0; k < width; ++k)
            sum[k] += values[k];
        });
    __syncthreads();  // the room may still be read for the image before
    publish(sum, room);
    __syncthreads();
    const Floats<1> total =
        sums_over_threads_apart(Floats<1>{share.sum_of(room, tiles.lanes)}, share.tile_channels);
    if (thread < share.tile_channels && channel < tiles.channels)
      store_floats(y + n * tiles.channels + channel, Floats<1>{total[0] / pixels});
  }
}

template <class T, int width>
__global__ void __launch_bounds__(kBlockThreads)
    gap_backward_kernel(const T* __restrict__ dy, T* __restrict__ dx, const int pixels,
                        const int channels, const std::int64_t images) {
  const unsigned vectors = static_cast<unsigned>(channels / width);
  const unsigned index = blockIdx.x * kBlockThreads + threadIdx.x;
  const unsigned channel = index % vectors * width;
  if (index / vectors >= static_cast<unsigned>(pixels)) return;
  const float share = 1.0F / static_cast<float>(pixels);
  for (std::int64_t n = blockIdx.y; n < images; n += gridDim.y) {
    Floats<width> gradient = load_floats<width>(dy + n * channels + channel);
#pragma unroll
    for (int k = 0; k < width; ++k)
      gradient[k] *= share;
    store_floats(dx + n * pixels * channels + static_cast<std::int64_t>(index) * width, gradient);
  }
}

template <class T>
class GapForward final : public CudaKernel {
 public:
  explicit GapForward(const GapShape& shape) : shape_(shape) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    if (shape_.channels % kVectorWidth<T> == 0) {
      launch_images<kVectorWidth<T>>(args, on);
    } else {
      launch_images<1>(args, on);
    }
  }

 private:
  template <int width>
  void launch_images(const TaskArgs& args, const StreamResources& on) const {
    const ChannelTiles tiles = image_tiles<width>(shape_);
    dim3 grid = tiles.grid();
    grid.y = static_cast<unsigned>(std::min(shape_.images, kMaxGridY));
    gap_forward_kernel<T, width><<<grid, kBlockThreads, 0, on.stream>>>(
        args.read<T>(GapForwardSlots::X), args.write<T>(GapForwardSlots::Y), tiles, shape_.images);
    check(cudaGetLastError(), "launching global average-pooling forward");
  }

  GapShape shape_;
};

template <class T>
class GapBackward final : public CudaKernel {
 public:
  explicit GapBackward(const GapShape& shape) : shape_(shape) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    if (shape_.channels % kVectorWidth<T> == 0) {
      launch_images<kVectorWidth<T>>(args, on);
    } else {
      launch_images<1>(args, on);
    }
  }

 private:
  template <int width>
  void launch_images(const TaskArgs& args, const StreamResources& on) const {
    const dim3 grid(blocks_for(shape_.pixels * (shape_.channels / width), kBlockThreads),
                    static_cast<unsigned>(std::min(shape_.images, kMaxGridY)));
    gap_backward_kernel<T, width><<<grid, kBlockThreads, 0, on.stream>>>(
        args.read<T>(GapBackwardSlots::dY), args.write<T>(GapBackwardSlots::dX),
        static_cast<int>(shape_.pixels), static_cast<int>(shape_.channels), shape_.images);
    check(cudaGetLastError(), "launching global average-pooling backward");
  }

  GapShape shape_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_gap_forward_cuda(const Task& task, const TensorTable& tensors,
                                                  KernelPlanner& /*planner*/) {
  using Slots = GapForwardSlots;
  return make_for_dtype<GapForward>(task, tensors, Slots::X,
                                    gap_shape_of(operand_shape(task, tensors, Slots::X)));
}

std::unique_ptr<CudaKernel> make_gap_backward_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& /*planner*/) {
  using Slots = GapBackwardSlots;
  return make_for_dtype<GapBackward>(task, tensors, Slots::dY,
                                     gap_shape_of(operand_shape(task, tensors, Slots::dX)));
}

}  // namespace quintet
