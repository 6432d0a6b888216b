/// The GPU kernels of batch normalisation's backward: sums of each tile, their merger per channel,
/// and the pass that writes dX.
#pragma once

#include "runtime/ops/batch_norm_merge.cuh"
#include "runtime/ops/channel_tiles.cuh"

namespace quintet {

/// A row's vector of both tensors that backward reads.
template <class T, int width>
struct GradientRow {
  Packed<T, width> dy, x;
};

/// Sums of dY and of dY * (X - mean) of each tile, to [row blocks, C] each. Last rows first, as
/// forward does.
template <class T, int width>
__global__ void __launch_bounds__(kBlockThreads)
    batch_norm_products_kernel(const T* __restrict__ dy, const T* __restrict__ x,
                               const float* __restrict__ mean, float* __restrict__ sums,
                               float* __restrict__ products, const ChannelTiles tiles) {
  constexpr int kAhead = 2;
  __shared__ LaneFloats<width> shared;
  const int row_block = static_cast<int>(gridDim.y - 1 - blockIdx.y);
  const TileWalk walk = walk_of_thread<width>(tiles, row_block);
  Floats<width> sum = all_of<width>(0.0F);
  Floats<width> product = all_of<width>(0.0F);
  if (walk.rows > 0) {
    const Floats<width> center = load_floats<width>(mean + walk.channel);
    for_each_row<kAhead>(
        walk,
        [&](std::int64_t at) {
          return GradientRow<T, width>{load_packed<width>(dy + at), load_packed<width>(x + at)};
        },
        [&](std::int64_t, const GradientRow<T, width>& row) {
          const Floats<width> gradient = widened(row.dy);
          const Floats<width> value = widened(row.x);
#pragma unroll
          for (int k = 0; k < width; ++k) {
            sum[k] += gradient[k];
            product[k] += gradient[k] * (value[k] - center[k]);
          }
        });
  }
  sum = sum_over_row_lanes<width>(sum, tiles.lanes, shared);
  product = sum_over_row_lanes<width>(product, tiles.lanes, shared);
  if (walk.row_lane != 0 || !walk.inside) return;
  const std::int64_t to = static_cast<std::int64_t>(row_block) * tiles.channels + walk.channel;
  store_floats(sums + to, sum);
  store_floats(products + to, product);
}

/// What the merger makes of a channel's partial sums. dgamma and dbeta are added to.
struct BackwardStatistics {
  const float* sums;  ///< partials [row blocks, C], and products
  const float* products;
  const float* gamma;
  const float* inv_std;
  float* dgamma;
  float* dbeta;
  float* mean_dy;
  float* slope;  ///< mean(dY * (X - mean)) * inv_std^2
  float* scale;  ///< gamma * inv_std
};

static __global__ void __launch_bounds__(kBlockThreads)
    batch_norm_gradients_kernel(const BackwardStatistics s, const PartialRows partials) {
  const MergeLane at = merge_lane_of_thread();
  const bool inside = at.channel < partials.channels;
  DoublePair sums{0, 0};
#pragma unroll 8
  for (int block = at.lane; inside && block < partials.count; block += kMergeLanes) {
    const std::int64_t from = static_cast<std::int64_t>(block) * partials.channels + at.channel;
    sums.first += static_cast<double>(s.sums[from]);
    sums.second += static_cast<double>(s.products[from]);
  }
  sums = sum_over_merge_lanes(sums);
  if (at.lane != 0 || !inside) return;
  const int c = at.channel;
  const auto rows = static_cast<double>(partials.rows);
  const auto inv_std = static_cast<double>(s.inv_std[c]);
  s.dgamma[c] += static_cast<float>(sums.second * inv_std);
  s.dbeta[c] += static_cast<float>(sums.first);
  s.mean_dy[c] = static_cast<float>(sums.first / rows);
  s.slope[c] = static_cast<float>(sums.second * inv_std * inv_std / rows);
  s.scale[c] = static_cast<float>(inv_std * static_cast<double>(s.gamma[c]));
}

/// dX = ((dY - mean_dy) - (X - mean) * slope) * scale, per channel.
struct ChannelGradient {
  const float* mean;
  const float* mean_dy;
  const float* slope;
  const float* scale;
};

template <class T, int width>
__global__ void __launch_bounds__(kBlockThreads)
    batch_norm_input_gradient_kernel(const T* __restrict__ dy, const T* __restrict__ x,
                                     T* __restrict__ dx, const ChannelGradient of,
                                     const ChannelTiles tiles) {
  constexpr int kAhead = 2;
  const TileWalk walk = walk_of_thread<width>(tiles, static_cast<int>(blockIdx.y));
  if (walk.rows == 0) return;
  const Floats<width> center = load_floats<width>(of.mean + walk.channel);
  const Floats<width> mean_dy = load_floats<width>(of.mean_dy + walk.channel);
  const Floats<width> slope = load_floats<width>(of.slope + walk.channel);
  const Floats<width> scale = load_floats<width>(of.scale + walk.channel);
  for_each_row<kAhead>(
      walk,
      [&](std::int64_t at) {
        return GradientRow<T, width>{load_packed<width>(dy + at), load_packed<width>(x + at)};
      },
      [&](std::int64_t at, const GradientRow<T, width>& row) {
        Floats<width> gradient = widened(row.dy);
        const Floats<width> value = widened(row.x);
#pragma unroll
        for (int k = 0; k < width; ++k) {
          const float rest = (gradient[k] - mean_dy[k]) - (value[k] - center[k]) * slope[k];
          gradient[k] = rest * scale[k];
        }
        store_floats(dx + at, gradient);
      });
}

}  // namespace quintet
