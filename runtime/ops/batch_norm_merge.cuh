/// How the partial sums of batch normalisation's row blocks become one per channel: neighbouring
/// channels side by side, each by a number of lanes that take every so many-th partial, in double.
#pragma once

#include "runtime/ops/channel_tiles.cuh"

namespace quintet {

inline constexpr int kMergeChannels = 8;
inline constexpr int kMergeLanes = kBlockThreads / kMergeChannels;

/// Which channel and which of its lanes a thread of a merging block is.
struct MergeLane {
  int channel, lane;
};

inline __device__ MergeLane merge_lane_of_thread() {
  const int thread = static_cast<int>(threadIdx.x);
  return {static_cast<int>(blockIdx.x) * kMergeChannels + thread % kMergeChannels,
          thread / kMergeChannels};
}

inline unsigned merge_blocks(int channels) {
  return blocks_for(channels, kMergeChannels);
}

struct DoublePair {
  double first, second;
};

/// The sums over a channel's lanes, by a tree; valid in lane 0. All threads must call it, once.
inline __device__ DoublePair sum_over_merge_lanes(DoublePair own) {
  __shared__ DoublePair shared[kBlockThreads];
  const int thread = static_cast<int>(threadIdx.x);
  shared[thread] = own;
  for (int half = kMergeLanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread >= half * kMergeChannels) continue;
    const DoublePair other = shared[thread + half * kMergeChannels];
    own.first += other.first;
    own.second += other.second;
    shared[thread] = own;
  }
  return own;
}

/// Rows of partials and what each of them stands for.
struct PartialRows {
  int count, channels;
  std::int64_t rows, block_rows, last_block_rows;

  explicit PartialRows(const ChannelTiles& tiles)
      : count(tiles.row_blocks),
        channels(tiles.channels),
        rows(tiles.rows),
        block_rows(tiles.block_rows),
        last_block_rows(tiles.last_block_rows()) {}
};

}  // namespace quintet
