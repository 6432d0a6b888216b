/// What the GPU kernels of all poolings share: one thread per vector of channels of a pixel, the
/// images one after the other along the grid's second axis; and which cells and windows meet.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/ops/cuda_vector.cuh"
#include "runtime/ops/pool_shape.h"

namespace quintet {

/// The sizes of a pooling in 32 bits: only offsets into whole batches need more.
struct PoolSizes {
  int n, h, w, c, out_h, out_w;
  int kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w;

  explicit PoolSizes(const PoolShape& s)
      : n(static_cast<int>(s.n)),
        h(static_cast<int>(s.h)),
        w(static_cast<int>(s.w)),
        c(static_cast<int>(s.c)),
        out_h(static_cast<int>(s.out_h)),
        out_w(static_cast<int>(s.out_w)),
        kernel_h(static_cast<int>(s.window.kernel_h)),
        kernel_w(static_cast<int>(s.window.kernel_w)),
        stride_h(static_cast<int>(s.window.stride_h)),
        stride_w(static_cast<int>(s.window.stride_w)),
        pad_h(static_cast<int>(s.window.pad_h)),
        pad_w(static_cast<int>(s.window.pad_w)) {}
};

/// Blocks over the `vectors` of one image, times the images as far as the grid's second axis goes:
/// a kernel strides over the rest.
inline dim3 image_grid(std::int64_t vectors, std::int64_t images) {
  constexpr std::int64_t kMaxGridY = 65535;
  return {blocks_for(vectors, kBlockThreads), static_cast<unsigned>(std::min(images, kMaxGridY)),
          1};
}

/// A vector of channels of one pixel.
struct PixelVector {
  int row, column, channel;
};

/// This thread's, of images of `pixels_w` columns and `channels` channels. Threads beyond the last
/// vector get a row below the image.
template <int width>
__device__ PixelVector pixel_vector(int pixels_w, int channels) {
  const unsigned index = blockIdx.x * kBlockThreads + threadIdx.x;
  const unsigned vectors = static_cast<unsigned>(channels / width);
  const unsigned pixel = index / vectors;
  const unsigned row = pixel / static_cast<unsigned>(pixels_w);
  return {static_cast<int>(row), static_cast<int>(pixel - row * static_cast<unsigned>(pixels_w)),
          static_cast<int>(index - pixel * vectors) * width};
}

/// The element where that vector begins, in image n of `h` rows and `w` columns.
inline __device__ std::int64_t offset_of(int n, int row, int column, int channel, int h, int w,
                                         int c) {
  return ((static_cast<std::int64_t>(n) * h + row) * w + column) * c + channel;
}

/// The half-open range [begin, end).
struct IndexRange {
  int begin, end;
  __device__ int size() const { return end - begin; }
};

/// The cells of a window that lie inside the input, along one axis, as positions in the input.
inline __device__ IndexRange cells_of_window(int window, int stride, int pad, int kernel,
                                             int extent) {
  const int origin = window * stride - pad;
  return {max(0, origin), min(extent, origin + kernel)};
}

/// The windows that a cell of the input lies in, along one axis.
inline __device__ IndexRange windows_of_cell(int cell, int stride, int pad, int kernel,
                                             int windows) {
  const int padded = cell + pad;
  const int begin = padded < kernel ? 0 : (padded - kernel) / stride + 1;
  return {begin, min(windows, padded / stride + 1)};
}

}  // namespace quintet
