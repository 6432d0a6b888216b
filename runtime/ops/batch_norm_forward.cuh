/// The GPU kernels of batch normalisation's forward: moments of each tile, their merger per
/// channel, and the pass that normalises. Inference is that last pass alone.
#pragma once

#include "runtime/ops/batch_norm_merge.cuh"
#include "runtime/ops/channel_tiles.cuh"
#include "runtime/ops/cuda_relu.cuh"

namespace quintet {

/// Number, mean and sum of squared deviations of a vector of channels. The mean is told as what it
/// has beyond X's first row: a small number, which a float holds well.
template <int width>
struct LaneMoments {
  float count;
  Floats<width> mean, m2;
};

/// Of the rows of one thread. Deviations are taken from its first row, which makes the sums small:
/// neither mean nor variance suffers when the values are far from zero.
template <class T, int width>
__device__ LaneMoments<width> moments_of_walk(const T* __restrict__ x, const TileWalk& walk) {
  constexpr int kAhead = 4;
  LaneMoments<width> moments{static_cast<float>(walk.rows), all_of<width>(0.0F),
                             all_of<width>(0.0F)};
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
  const float share = 1.0F / moments.count;
#pragma unroll
  for (int k = 0; k < width; ++k) {
    const float mean = sum[k] * share;
    moments.mean[k] = (pivot[k] - widened(first_row.values[k])) + mean;
    moments.m2[k] = squares[k] - sum[k] * mean;
  }
  return moments;
}

/// The union over the row lanes of a block (Chan, Golub and LeVeque 1979), by a tree; valid in row
/// lane 0.
template <int width>
__device__ LaneMoments<width> merged_over_row_lanes(LaneMoments<width> own,
                                                    const ChannelLanes& lanes) {
  __shared__ float counts[kBlockThreads];
  __shared__ LaneFloats<width> means;
  __shared__ LaneFloats<width> m2s;
  const int thread = static_cast<int>(threadIdx.x);
  const auto publish = [&] {
    counts[thread] = own.count;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      means[k][thread] = own.mean[k];
      m2s[k][thread] = own.m2[k];
    }
  };
  publish();
  for (int half = lanes.row / 2; half > 0; half /= 2) {
    __syncthreads();
    const int other = thread + half * lanes.channel;
    if (thread >= half * lanes.channel || counts[other] == 0.0F) continue;
    const float count = own.count + counts[other];
    const float share = counts[other] / count;
    const float weight = own.count * share;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const float delta = means[k][other] - own.mean[k];
      own.mean[k] += delta * share;
      own.m2[k] += m2s[k][other] + delta * delta * weight;
    }
    own.count = count;
    publish();
  }
  return own;
}

/// What the merger makes of a channel's partial moments.
template <class T>
struct ForwardStatistics {
  const T* first_row;  ///< of X: what the partial means are told from
  const float* means;  ///< partials [row blocks, C], and m2s
  const float* m2s;
  const float* gamma;
  float* mean;
  float* inv_std;
  float* batch_stats;
  float* scale;  ///< gamma * inv_std
  double epsilon;
};

template <class T, int width>
__global__ void __launch_bounds__(kBlockThreads)
    batch_norm_moments_kernel(const T* __restrict__ x, float* __restrict__ means,
                              float* __restrict__ m2s, const ChannelTiles tiles) {
  // Last rows first: whoever wrote X just now wrote those last, and the pass that normalises begins
  // with what is read last here, so both find them in the cache.
  const int row_block = static_cast<int>(gridDim.y - 1 - blockIdx.y);
  const TileWalk walk = walk_of_thread<width>(tiles, row_block);
  const LaneMoments<width> moments =
      merged_over_row_lanes(moments_of_walk<T, width>(x, walk), tiles.lanes);
  if (walk.row_lane != 0 || !walk.inside) return;
  const std::int64_t to = static_cast<std::int64_t>(row_block) * tiles.channels + walk.channel;
  store_floats(means + to, moments.mean);
  store_floats(m2s + to, moments.m2);
}

template <class T>
__global__ void __launch_bounds__(kBlockThreads)
    batch_norm_statistics_kernel(const ForwardStatistics<T> s, const PartialRows partials) {
  const MergeLane at = merge_lane_of_thread();
  const bool inside = at.channel < partials.channels;
  DoublePair sums{0, 0};
#pragma unroll 8
  for (int block = at.lane; inside && block < partials.count; block += kMergeLanes) {
    const std::int64_t from = static_cast<std::int64_t>(block) * partials.channels + at.channel;
    const auto rows = static_cast<double>(block + 1 < partials.count ? partials.block_rows
                                                                     : partials.last_block_rows);
    const auto mean = static_cast<double>(s.means[from]);
    sums.first += rows * mean;
    sums.second += static_cast<double>(s.m2s[from]) + rows * mean * mean;
  }
  sums = sum_over_merge_lanes(sums);
  if (at.lane != 0 || !inside) return;
  const auto rows = static_cast<double>(partials.rows);
  const double beyond = sums.first / rows;
  const double m2 = sums.second - sums.first * beyond;
  const double inv_std = 1.0 / sqrt(m2 / rows + s.epsilon);
  const int c = at.channel;
  const auto mean = static_cast<float>(static_cast<double>(widened(s.first_row[c])) + beyond);
  s.mean[c] = mean;
  s.inv_std[c] = static_cast<float>(inv_std);
  s.batch_stats[c] = mean;
  s.batch_stats[partials.channels + c] =
      static_cast<float>(partials.rows > 1 ? m2 / (rows - 1.0) : 0.0);
  s.scale[c] = static_cast<float>(inv_std * static_cast<double>(s.gamma[c]));
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
