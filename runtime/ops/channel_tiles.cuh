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

/// Tiles of a pass that writes a tensor, where there is work for so many: eight blocks for each of
/// 132 multiprocessors, so that those which are done early take over work from the others.
inline constexpr std::int64_t kPassTiles = 1056;
/// Tiles where each leaves a partial sum to be merged: few, yet four for most multiprocessors.
inline constexpr std::int64_t kSumTiles = 512;

/// `width`: of a vector; must divide the channels.
inline ChannelTiles channel_tiles_of(std::int64_t rows, std::int64_t channels, int width,
                                     std::int64_t most_tiles) {
  // A thread takes at least enough rows to have several loads in flight, at most as many as floats
  // add up well: only for the latter may there be more tiles than wanted.
  constexpr std::int64_t kLeastRun = 4;
  constexpr std::int64_t kMostRun = 128;
  ChannelTiles tiles{};
  tiles.rows = rows;
  tiles.channels = static_cast<int>(channels);
  tiles.lanes = channel_lanes_of(channels / width);
  tiles.groups = static_cast<int>(blocks_for(channels / width, tiles.lanes.channel));
  const std::int64_t fair = rows * tiles.groups / (most_tiles * tiles.lanes.row) + 1;
  const std::int64_t run = std::clamp(fair, kLeastRun, kMostRun);
  tiles.block_rows = (run + kLeastRun - 1) / kLeastRun * kLeastRun * tiles.lanes.row;
  tiles.row_blocks = static_cast<int>(blocks_for(rows, tiles.block_rows));
  return tiles;
}

/// What one thread goes through of its tile: elements first, first + step, ... below end.
struct TileWalk {
  std::int64_t first, end, step;
  int channel;  ///< of the first element
  int rows;     ///< steps; 0 where the group has more lanes than the tensor has channels
};

/// `width` elements at a time, of the tile in this block's column and in row `row_block`.
template <int width>
__device__ TileWalk walk_of_thread(const ChannelTiles& tiles, int row_block) {
  const int thread = static_cast<int>(threadIdx.x);
  const int row_lane = thread / tiles.lanes.channel;
  const int lane = thread - row_lane * tiles.lanes.channel;
  TileWalk walk;
  walk.channel = (static_cast<int>(blockIdx.x) * tiles.lanes.channel + lane) * width;
  const bool inside = walk.channel < tiles.channels;
  const std::int64_t begin = row_block * tiles.block_rows;
  const std::int64_t row = begin + row_lane;
  const std::int64_t end = min(begin + tiles.block_rows, tiles.rows);
  walk.first = row * tiles.channels + walk.channel;
  walk.end = inside ? end * tiles.channels : walk.first;
  walk.step = static_cast<std::int64_t>(tiles.lanes.row) * tiles.channels;
  walk.rows = inside && row < end
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

/// A block's room for one vector of floats of each thread, element by element. The gap between two
/// elements puts what a warp reads below into banks of its own.
template <int width>
using LaneFloats = float[width][kBlockThreads + kWarpThreads / width];

template <int width>
__device__ void publish(const Floats<width>& own, LaneFloats<width>& room) {
#pragma unroll
  for (int k = 0; k < width; ++k)
    room[k][threadIdx.x] = own[k];
}

/// A thread's part of adding up a tile's row lanes from such a room: one channel over `width` row
/// lanes, so that no thread is idle. Thread t has channel t % tile_channels of the tile.
template <int width>
struct RowLaneShare {
  int tile_channels;
  int element, channel_lane;
  int first_lane;  ///< of the rows

  __device__ explicit RowLaneShare(const ChannelLanes& lanes)
      : tile_channels(lanes.channel * width),
        element(static_cast<int>(threadIdx.x) % width),
        channel_lane(static_cast<int>(threadIdx.x) / width % lanes.channel),
        first_lane(static_cast<int>(threadIdx.x) / tile_channels * width) {}

  /// What was published for the channel by a row lane.
  __device__ float of(const LaneFloats<width>& room, const ChannelLanes& lanes,
                      int row_lane) const {
    return room[element][row_lane * lanes.channel + channel_lane];
  }
  /// The sum over the thread's row lanes.
  __device__ float sum_of(const LaneFloats<width>& room, const ChannelLanes& lanes) const {
    float sum = of(room, lanes, first_lane);
#pragma unroll
    for (int i = 1; i < width; ++i)
      sum += of(room, lanes, first_lane + i);
    return sum;
  }
};

/// The sums over all threads whose number is the same modulo `apart`, a power of two, by a tree;
/// valid in the first `apart` threads. All threads must call it.
template <int count>
__device__ Floats<count> sums_over_threads_apart(Floats<count> own, int apart) {
  __shared__ float shared[count][kBlockThreads];
  const int thread = static_cast<int>(threadIdx.x);
  for (int half = kBlockThreads / 2; half >= apart; half /= 2) {
#pragma unroll
    for (int i = 0; i < count; ++i)
      shared[i][thread] = own[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < count; ++i)
      if (thread < half) own[i] += shared[i][thread + half];
    __syncthreads();
  }
  return own;
}

}  // namespace quintet
