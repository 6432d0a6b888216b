/// Rows x channels as a grid of thread blocks takes it: a tile is a group of neighbouring channels
/// over a range of rows; in its block each thread keeps to one vector of channels and steps through
/// the rows, so that what belongs to a channel stays in registers. All sizes follow from the shape
/// alone, and so do the bits of a sum.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/ops/cuda_vector.cuh"

namespace quintet {

/// How the threads of a block lie over a tile: thread = row lane * channel + channel lane.
struct ChannelLanes {
  int channel, row;  ///< powers of two, their product kBlockThreads
};

/// For rows of `vectors` vectors: at most a warp of them side by side.
constexpr ChannelLanes channel_lanes_of(std::int64_t vectors) {
  int lanes = 1;
  while (lanes < kWarpThreads && lanes < vectors)
    lanes *= 2;
  return {lanes, kBlockThreads / lanes};
}

struct ChannelTiles {
  std::int64_t rows;
  std::int64_t block_rows;  ///< of a tile; the last one may have fewer
  int channels;
  int groups;      ///< tiles side by side
  int row_blocks;  ///< tiles one below the other
  ChannelLanes lanes;

  [[nodiscard]] dim3 grid() const {
    return {static_cast<unsigned>(groups), static_cast<unsigned>(row_blocks), 1};
  }
  [[nodiscard]] std::int64_t last_block_rows() const {
    return rows - (row_blocks - 1) * block_rows;
  }
};

/// `width`: of a vector; must divide the channels.
inline ChannelTiles channel_tiles_of(std::int64_t rows, std::int64_t channels, int width) {
  // Eight blocks for each of 132 multiprocessors, where there is work for so many. A thread takes
  // at least enough rows to have several loads in flight, at most as many as floats add up well.
  constexpr std::int64_t kBlocks = 1056;
  constexpr std::int64_t kLeastRun = 4;
  constexpr std::int64_t kMostRun = 128;
  ChannelTiles tiles{};
  tiles.rows = rows;
  tiles.channels = static_cast<int>(channels);
  tiles.lanes = channel_lanes_of(channels / width);
  tiles.groups = static_cast<int>(blocks_for(channels / width, tiles.lanes.channel));
  const std::int64_t fair = rows * tiles.groups / (kBlocks * tiles.lanes.row) + 1;
  const std::int64_t run = std::clamp(fair, kLeastRun, kMostRun);
  tiles.block_rows = (run + kLeastRun - 1) / kLeastRun * kLeastRun * tiles.lanes.row;
  tiles.row_blocks = static_cast<int>(blocks_for(rows, tiles.block_rows));
  return tiles;
}

/// What one thread goes through of its tile: elements first, first + step, ... below end.
struct TileWalk {
  std::int64_t first, end, step;
  int channel;  ///< of the first element
  int row_lane;
  bool inside;  ///< false where the group has more lanes than the tensor has channels
  int rows;     ///< steps
};

/// `width` elements at a time, of the tile in this block's column and in row `row_block`.
template <int width>
__device__ TileWalk walk_of_thread(const ChannelTiles& tiles, int row_block) {
  const int thread = static_cast<int>(threadIdx.x);
  TileWalk walk;
  walk.row_lane = thread / tiles.lanes.channel;
  const int lane = thread - walk.row_lane * tiles.lanes.channel;
  walk.channel = (static_cast<int>(blockIdx.x) * tiles.lanes.channel + lane) * width;
  walk.inside = walk.channel < tiles.channels;
  const std::int64_t begin = row_block * tiles.block_rows;
  const std::int64_t row = begin + walk.row_lane;
  const std::int64_t end = min(begin + tiles.block_rows, tiles.rows);
  walk.first = row * tiles.channels + walk.channel;
  walk.end = walk.inside ? end * tiles.channels : walk.first;
  walk.step = static_cast<std::int64_t>(tiles.lanes.row) * tiles.channels;
  walk.rows = walk.inside && row < end
                  ? static_cast<int>((end - row + tiles.lanes.row - 1) / tiles.lanes.row)
                  : 0;
  return walk;
}

/// Calls use(element, load(element)) along the walk; `ahead` loads are made before the first is
/// used.
template <int ahead, class Load, class Use>
__device__ void for_each_row(const TileWalk& walk, Load load, Use use) {
  std::int64_t at = walk.first;
  for (; at + (ahead - 1) * walk.step < walk.end; at += ahead * walk.step) {
    decltype(load(at)) loaded[ahead];
#pragma unroll
    for (int i = 0; i < ahead; ++i)
      loaded[i] = load(at + i * walk.step);
#pragma unroll
    for (int i = 0; i < ahead; ++i)
      use(at + i * walk.step, loaded[i]);
  }
  for (; at < walk.end; at += walk.step)
    use(at, load(at));
}

/// A block's room for one vector of floats of each thread.
template <int width>
using LaneFloats = float[width][kBlockThreads];

/// The sum of a vector over the row lanes of a block, by a tree; valid in row lane 0. All threads
/// must call it.
template <int width>
__device__ Floats<width> sum_over_row_lanes(Floats<width> own, const ChannelLanes& lanes,
                                            LaneFloats<width>& shared) {
  const int thread = static_cast<int>(threadIdx.x);
  __syncthreads();  // the room may still be read by those before
#pragma unroll
  for (int k = 0; k < width; ++k)
    shared[k][thread] = own[k];
  for (int half = lanes.row / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread >= half * lanes.channel) continue;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      own[k] += shared[k][thread + half * lanes.channel];
      shared[k][thread] = own[k];
    }
  }
  return own;
}

}  // namespace quintet
