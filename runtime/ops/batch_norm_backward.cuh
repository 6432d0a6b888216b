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

/// Partials: the sums of dY and of dY * (X - mean) of each tile. Last rows first, as forward does.
template <class T, int width>
__global__ void __launch_bounds__(kBlockThreads)
    batch_norm_products_kernel(const T* __restrict__ dy, const T* __restrict__ x,
                               const float* __restrict__ mean, float* __restrict__ partials,
                               const ChannelTiles tiles) {
  constexpr int kAhead = 4;
  __shared__ LaneFloats<width> sums;
  __shared__ LaneFloats<width> products;
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
  publish(sum, sums);
  publish(product, products);
  __syncthreads();
  const RowLaneShare<width> share(tiles.lanes);
  const Floats<2> own{share.sum_of(sums, tiles.lanes), share.sum_of(products, tiles.lanes)};
  store_partial(partials, tiles, row_block, sums_over_threads_apart(own, share.tile_channels),
                share.tile_channels);
}

/// What the merger makes of a channel's partial sums.
struct BackwardStatistics {
  const float* partials;
  const float* gamma;
  const float* inv_std;
  float* dgamma;
  float* dbeta;
  bool adds_to_dgamma, adds_to_dbeta;  ///< else overwrites
  float* mean_dy;
  float* slope;  ///< mean(dY * (X - mean)) * inv_std^2
  float* scale;  ///< gamma * inv_std
};

static __global__ void __launch_bounds__(kBlockThreads)
    batch_norm_gradients_kernel(const BackwardStatistics s, const PartialRows rows) {
  const MergeLane at = merge_lane_of_thread(rows.channels);
  const int c = at.channel;
  // Under way together with the partials, not after them.
  const float gamma = s.gamma[c];
  const float saved_inv_std = s.inv_std[c];
  const float dgamma = s.adds_to_dgamma ? s.dgamma[c] : 0.0F;
  const float dbeta = s.adds_to_dbeta ? s.dbeta[c] : 0.0F;
  DoublePair sums{0, 0};
  for_each_partial(s.partials, rows, at, [&](int, const Partial& partial) {
    sums.first += static_cast<double>(partial.values[0]);
    sums.second += static_cast<double>(partial.values[1]);
  });
  sums = sum_over_merge_lanes(sums);
  if (!at.writes) return;
  const auto inv_std = static_cast<double>(saved_inv_std);
  const double normalised = sums.second * inv_std;
  s.dgamma[c] = dgamma + static_cast<float>(normalised);
  s.dbeta[c] = dbeta + static_cast<float>(sums.first);
  s.mean_dy[c] = static_cast<float>(sums.first * rows.mean_share);
  s.slope[c] = static_cast<float>(normalised * inv_std * rows.mean_share);
  s.scale[c] = static_cast<float>(inv_std * static_cast<double>(gamma));
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
