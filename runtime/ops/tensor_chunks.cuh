/// Many tensors worked on by one launch: they are cut into chunks of kChunkElements, and one block of
/// threads takes one chunk. The table of tensors and chunks is made once and kept on the device.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "runtime/cuda/cuda_memory.h"
#include "runtime/ops/four_floats.cuh"

namespace quintet {

/// A multiple of what a block of kChunkThreads moves with one 16-byte access of halves a thread.
inline constexpr unsigned kChunkElements = 4096;
inline constexpr unsigned kChunkThreads = 256;

constexpr std::uint64_t chunks_of(std::uint64_t elements) {
  return (elements + kChunkElements - 1) / kChunkElements;
}

/// Chunk `index` of tensor `tensor`.
struct ChunkPlace {
  std::uint32_t tensor = 0;
  std::uint32_t index = 0;
};

/// What a kernel is given. Segment: the addresses of one tensor (or of tensors of one size that are
/// worked on together) and how many `elements` it has.
template <class Segment>
struct ChunkTable {
  const Segment* segments = nullptr;
  const ChunkPlace* places = nullptr;
};

/// The chunk of the block that asks: elements [begin, begin + count) of its segment.
template <class Segment>
struct Chunk {
  std::uint32_t tensor;
  Segment segment;
  std::uint64_t begin;
  unsigned count;
};

template <class Segment>
__device__ Chunk<Segment> chunk_of_block(const ChunkTable<Segment>& table) {
  const ChunkPlace place = table.places[blockIdx.x];
  const Segment segment = table.segments[place.tensor];
  const std::uint64_t begin = static_cast<std::uint64_t>(place.index) * kChunkElements;
  const std::uint64_t rest = segment.elements - begin;
  return {place.tensor, segment, begin,
          rest < kChunkElements ? static_cast<unsigned>(rest) : kChunkElements};
}

/// The block calls step(float&, ...) once for each of `count` elements of arrays that begin with its
/// chunk (const float& for arrays of const).
template <class Step, class... T>
__device__ void step_over_chunk(const Step& step, unsigned count, T*... arrays) {
  for (unsigned first = threadIdx.x * kFloatLanes; first < count;
       first += kChunkThreads * kFloatLanes) {
    if (first + kFloatLanes <= count) {
      step_four(step, FourFloats<T>(arrays + first)...);
      continue;
    }
    for (unsigned i = first; i < count; ++i)
      step(arrays[i]...);
  }
}

/// Owns a table in device memory. Throws CudaError. Usage: in bind(), chunks =
/// TensorChunks<Segment>(segments); in launch(), kernel<<<chunks.count(), kChunkThreads, 0,
/// stream>>>(chunks.table()) unless count() is 0.
template <class Segment>
class TensorChunks {
  static_assert(std::is_trivially_copyable_v<Segment> &&
                sizeof(Segment) % alignof(ChunkPlace) == 0);

 public:
  TensorChunks() = default;
  /// Chunks lie in the order of the segments; an empty segment has none.
  explicit TensorChunks(const std::vector<Segment>& segments) : segments_(segments.size()) {
    std::vector<ChunkPlace> places;
    for (std::uint32_t tensor = 0; tensor < segments.size(); ++tensor) {
      const auto chunks = static_cast<std::uint32_t>(chunks_of(segments[tensor].elements));
      for (std::uint32_t index = 0; index < chunks; ++index)
        places.push_back({tensor, index});
    }
    count_ = static_cast<unsigned>(places.size());
    const std::uint64_t segment_bytes = segments.size() * sizeof(Segment);
    std::vector<std::byte> bytes(segment_bytes + places.size() * sizeof(ChunkPlace));
    if (count_ == 0) return;
    std::memcpy(bytes.data(), segments.data(), segment_bytes);
    std::memcpy(bytes.data() + segment_bytes, places.data(), places.size() * sizeof(ChunkPlace));
    memory_ = CudaMemory(MemoryKind::device, bytes.size(), "table of tensor chunks");
    copy_and_wait(memory_.data(), bytes.data(), bytes.size());
  }

  /// Blocks to launch.
  [[nodiscard]] unsigned count() const { return count_; }
  [[nodiscard]] ChunkTable<Segment> table() const {
    return {reinterpret_cast<const Segment*>(memory_.data()),
            reinterpret_cast<const ChunkPlace*>(memory_.data() + segments_ * sizeof(Segment))};
  }

 private:
  std::size_t segments_ = 0;
  unsigned count_ = 0;
  CudaMemory memory_;
};

}  // namespace quintet
