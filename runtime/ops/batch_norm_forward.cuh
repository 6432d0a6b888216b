/// The GPU kernels of batch normalisation's forward: moments of each tile, their merger per
/// channel, and the pass that normalises. Inference is that last pass alone.
#pragma once

#include "runtime/ops/batch_norm_merge.cuh"
#include "runtime/ops/channel_tiles.cuh"
#include "runtime/ops/cuda_relu.cuh"

namespace quintet {

/// Mean and sum of squared deviations of a vector of channels. The mean is told as what it has
/// beyond X's first row: a small number, which a float holds well.
template <int width>
struct LaneMoments {
  Floats<width> mean, m2;
};

/// Of the rows of one thread. Deviations are taken from its first row, which makes the sums small:
/// neither mean nor variance suffers when the values are far from zero.
template <class T, int width>
__device__ LaneMoments<width> moments_of_walk(const T* __restrict__ x, const TileWalk& walk) {
  constexpr int kAhead = 4;
  LaneMoments<width> moments{all_of<width>(0.0F), all_of<width>(0.0F)};
  if (walk.rows == 0) return moments;
  const Packed<T, width> first_row = load_packed<width>(x + walk.channel);
  const Floats<width> pivot = load_floats<width>(x + walk.first);
  Floats<width> sum = all_of<width>(0.0F);
  Floats<width> squares = all_of<width>(0.0F);
  for_each_row<kAhead>(
      walk, [&](std::int64_t at) { return load_packed<width>(x + at); },
      [&](std::int64_t, const Packed<T, width>& row) {
        const Floats<width> values = widened(row);
#pragma unroll
        for (int k = 0; k < width; ++k) {
          const float deviation = values[k] - pivot[k];
          sum[k] += deviation;
          squares[k] += deviation * deviation;
        }
      });
  const float share = 1.0F / static_cast<float>(walk.rows);
#pragma unroll
  for (int k = 0; k < width; ++k) {
    const float mean = sum[k] * share;
    moments.mean[k] = (pivot[k] - widened(first_row.values[k])) + mean;
    moments.m2[k] = squares[k] - sum[k] * mean;
  }
  return moments;
}

/// The union over a tile's row lanes: mean and squared deviations of the tile's channel threadIdx.x.
/// All lanes measure from the mean of row lane 0, so plain sums do, of numbers that stay small. All
/// threads must call it.
template <int width>
__device__ Floats<2> merged_over_row_lanes(const LaneMoments<width>& own, int tile_rows,
                                           const ChannelLanes& lanes) {
  __shared__ LaneFloats<width> means;
  __shared__ LaneFloats<width> m2s;
  publish(own.mean, means);
  publish(own.m2, m2s);
  __syncthreads();
  const RowLaneShare<width> share(lanes);
  const int whole = tile_rows / lanes.row;  // rows of every lane; the first `more` have one more
  const int more = tile_rows - whole * lanes.row;
  const float pivot = share.of(means, lanes, 0);
  Floats<2> sums{0.0F, 0.0F};
#pragma unroll
  for (int i = 0; i < width; ++i) {
    const int lane = share.first_lane + i;
    const auto count = static_cast<float>(whole + (lane < more ? 1 : 0));
    const float delta = share.of(means, lanes, lane) - pivot;
    sums[0] += count * delta;
    sums[1] += share.of(m2s, lanes, lane) + count * delta * delta;
  }
  sums = sums_over_threads_apart(sums, share.tile_channels);
  const float beyond = sums[0] / static_cast<float>(tile_rows);
  return {pivot + beyond, sums[1] - sums[0] * beyond};
}

/// What the merger makes of a channel's partial moments.
template <class T>
struct ForwardStatistics {
  const T* first_row;  ///< of X: what the partial means are told from
  const float* partials;
  const float* gamma;
  float* mean;
  float* inv_std;
  float* batch_stats;
  float* scale;  ///< gamma * inv_std
  double epsilon;
};

/// Partials: mean and sum of squared deviations of each tile.
template <class T, int width>
__global__ void __launch_bounds__(kBlockThreads)
    batch_norm_moments_kernel(const T* __restrict__ x, float* __restrict__ partials,
                              const ChannelTiles tiles) {
  // Last rows first: whoever wrote X just now wrote those last, and the pass that normalises begins
  // with what is read last here, so both find them in the cache.
  const int row_block = static_cast<int>(gridDim.y - 1 - blockIdx.y);
  const TileWalk walk = walk_of_thread<width>(tiles, row_block);
  const std::int64_t tile_rows = min(tiles.block_rows, tiles.rows - row_block * tiles.block_rows);
  const Floats<2> moments = merged_over_row_lanes(moments_of_walk<T, width>(x, walk),
                                                  static_cast<int>(tile_rows), tiles.lanes);
  store_partial(partials, tiles, row_block, moments, tiles.lanes.channel * width);
}

template <class T>
__global__ void __launch_bounds__(kBlockThreads)
    batch_norm_statistics_kernel(const ForwardStatistics<T> s, const PartialRows rows) {
  const MergeLane at = merge_lane_of_thread(rows.channels);
  const int c = at.channel;
  // Under way together with the partials, not after them.
  const float gamma = s.gamma[c];
  const T first_row = s.first_row[c];
  DoublePair sums{0, 0};
  for_each_partial(s.partials, rows, at, [&](int block, const Partial& partial) {
    const double count = block + 1 < rows.count ? rows.block_rows : rows.last_block_rows;
    const auto mean = static_cast<double>(partial.values[0]);
    sums.first += count * mean;
    sums.second += static_cast<double>(partial.values[1]) + count * mean * mean;
  });
  sums = sum_over_merge_lanes(sums);
  if (!at.writes) return;
  const double beyond = sums.first * rows.mean_share;
  const double m2 = sums.second - sums.first * beyond;
  const double inv_std = rsqrt(m2 * rows.mean_share + s.epsilon);
  const auto mean = static_cast<float>(static_cast<double>(widened(first_row)) + beyond);
  s.mean[c] = mean;
  s.inv_std[c] = static_cast<float>(inv_std);
  s.batch_stats[c] = mean;
  s.batch_stats[rows.channels + c] =
      rows.unbiased_share > 0.0 ? static_cast<float>(m2 * rows.unbiased_share) : 0.0F;
  s.scale[c] = static_cast<float>(inv_std * static_cast<double>(gamma));
}

/// y = (x - center) * scale + shift, per channel; without a center (null) x * scale + shift.
struct ChannelAffine {
  const float* center;
  const float* scale;
  const float* shift;
};

template <class T, int width, bool centered, Epilogue epilogue>
__global__ void __launch_bounds__(kBlockThreads)
    batch_norm_affine_kernel(const T* __restrict__ x, T* __restrict__ y,
                             std::uint8_t* __restrict__ mask, const ChannelAffine affine,
                             const ChannelTiles tiles) {
  constexpr int kAhead = 4;
  const TileWalk walk = walk_of_thread<width>(tiles, static_cast<int>(blockIdx.y));
  if (walk.rows == 0) return;
  const Floats<width> scale = load_floats<width>(affine.scale + walk.channel);
  const Floats<width> shift = load_floats<width>(affine.shift + walk.channel);
  Floats<width> center = all_of<width>(0.0F);
  if constexpr (centered) center = load_floats<width>(affine.center + walk.channel);
  for_each_row<kAhead>(
      walk, [&](std::int64_t at) { return load_packed<width>(x + at); },
      [&](std::int64_t at, const Packed<T, width>& row) {
        Floats<width> values = widened(row);
#pragma unroll
        for (int k = 0; k < width; ++k) {
          const float from_center = centered ? values[k] - center[k] : values[k];
          values[k] = from_center * scale[k] + shift[k];
        }
        store_result<epilogue>(values, y + at, mask + at);
      });
}

}  // namespace quintet
