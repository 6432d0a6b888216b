/// How the partial sums that batch normalisation's tiles leave become one per channel. A partial is
/// a pair of floats; [row blocks, C] of them. Many lanes share a channel, each with all its loads in
/// flight at once, and sums are doubles: the time is that of one access to memory.
#pragma once

#include "runtime/ops/channel_tiles.cuh"

namespace quintet {

/// Neighbouring channels of a block: their partials fill a 32-byte sector.
inline constexpr int kMergeChannels = 4;
inline constexpr int kMergeLanes = kBlockThreads / kMergeChannels;
/// Loads in flight per lane; with them all partials of kSumTiles tiles are under way at once.
inline constexpr int kMergeAhead = 8;
static_assert(kMergeLanes * kMergeAhead >= kSumTiles);

/// Which channel and which of its lanes a thread of a merging block is. Past the last channel
/// threads do that one once more, and write nothing.
struct MergeLane {
  int channel, lane;
  bool writes;
};

inline __device__ MergeLane merge_lane_of_thread(int channels) {
  const int thread = static_cast<int>(threadIdx.x);
  const int channel = static_cast<int>(blockIdx.x) * kMergeChannels + thread % kMergeChannels;
  return {min(channel, channels - 1), thread / kMergeChannels,
          thread < kMergeChannels && channel < channels};
}

inline unsigned merge_blocks(int channels) {
  return blocks_for(channels, kMergeChannels);
}

/// Rows of partials and what each of them stands for; the reciprocals spare the device divisions of
/// doubles, which are long chains.
struct PartialRows {
  int count, channels;
  double block_rows, last_block_rows;
  double mean_share;      ///< 1 / rows
  double unbiased_share;  ///< 1 / (rows - 1), of a single row 0

  explicit PartialRows(const ChannelTiles& tiles)
      : count(tiles.row_blocks),
        channels(tiles.channels),
        block_rows(static_cast<double>(tiles.block_rows)),
        last_block_rows(static_cast<double>(tiles.last_block_rows())),
        mean_share(1.0 / static_cast<double>(tiles.rows)),
        unbiased_share(tiles.rows > 1 ? 1.0 / static_cast<double>(tiles.rows - 1) : 0.0) {}
};

using Partial = Packed<float, 2>;

/// Of the tile in row `row_block`, by the thread for each of its `tile_channels`.
inline __device__ void store_partial(float* __restrict__ partials, const ChannelTiles& tiles,
                                     int row_block, const Floats<2>& partial, int tile_channels) {
  const int thread = static_cast<int>(threadIdx.x);
  const int channel = static_cast<int>(blockIdx.x) * tile_channels + thread;
  if (thread >= tile_channels || channel >= tiles.channels) return;
  const std::int64_t to = static_cast<std::int64_t>(row_block) * tiles.channels + channel;
  store_floats(partials + to * 2, partial);
}

/// Calls add(block, partial) for the partials of a lane, and with zeros beyond the last one. There
/// the last one is loaded again: with nothing to branch on, a lane has all its loads under way at
/// once and waits for memory once.
template <class Add>
__device__ void for_each_partial(const float* __restrict__ partials, const PartialRows& rows,
                                 const MergeLane& at, Add add) {
  for (int first = at.lane; first < rows.count; first += kMergeLanes * kMergeAhead) {
    Partial loaded[kMergeAhead];
#pragma unroll
    for (int i = 0; i < kMergeAhead; ++i) {
      const std::int64_t block = min(first + i * kMergeLanes, rows.count - 1);
      loaded[i] = load_packed<2>(partials + (block * rows.channels + at.channel) * 2);
    }
#pragma unroll
    for (int i = 0; i < kMergeAhead; ++i) {
      const int block = first + i * kMergeLanes;
      add(block, block < rows.count ? loaded[i] : Partial{});
    }
  }
}

struct DoublePair {
  double first, second;
};

/// The sums over the lanes of a channel that a warp has, by a tree; valid in all of them.
inline __device__ DoublePair sum_over_warp_lanes(DoublePair own) {
  constexpr unsigned kAll = 0xFFFFFFFFU;
#pragma unroll
  for (int offset = kMergeChannels; offset < kWarpThreads; offset *= 2) {
    own.first += __shfl_xor_sync(kAll, own.first, offset);
    own.second += __shfl_xor_sync(kAll, own.second, offset);
  }
  return own;
}

/// The sums over a channel's lanes; valid in lane 0. All threads must call it, once.
inline __device__ DoublePair sum_over_merge_lanes(DoublePair own) {
  static_assert(kBlockThreads / kWarpThreads * kMergeChannels == kWarpThreads,
                "one warp takes what all warps found");
  __shared__ DoublePair shared[kWarpThreads];
  const int thread = static_cast<int>(threadIdx.x);
  own = sum_over_warp_lanes(own);
  if (thread % kWarpThreads < kMergeChannels)
    shared[thread / kWarpThreads * kMergeChannels + thread % kWarpThreads] = own;
  __syncthreads();
  if (thread < kWarpThreads) own = sum_over_warp_lanes(shared[thread]);
  return own;
}

}  // namespace quintet
