/// Vectors of elements as GPU kernels move them: 16 bytes per thread and access, computed on as
/// floats and rounded once. Tensors begin at multiples of 64 bytes, so a vector that begins at a
/// multiple of its width is aligned.
#pragma once

#include <cstdint>
#include <cuda_fp16.h>
#include <type_traits>

namespace quintet {

/// Threads of a block, where nothing speaks for another number.
inline constexpr int kBlockThreads = 256;
inline constexpr int kWarpThreads = 32;

/// Elements of one 16-byte access.
template <class T>
inline constexpr int kVectorWidth = 16 / static_cast<int>(sizeof(T));

/// `width` elements, a power of two, as they lie in memory.
template <class T, int width>
struct alignas(sizeof(T) * width) Packed {
  T values[width];
};

/// The same, to compute with.
template <int width>
struct Floats {
  float values[width];
  __device__ float& operator[](int i) { return values[i]; }
  __device__ float operator[](int i) const { return values[i]; }
};

template <int width, class T>
__device__ Packed<T, width> load_packed(const T* from) {
  return *reinterpret_cast<const Packed<T, width>*>(from);
}

template <int width, class T>
__device__ void store_packed(T* to, const Packed<T, width>& packed) {
  *reinterpret_cast<Packed<T, width>*>(to) = packed;
}

inline __device__ float widened(float value) {
  return value;
}
inline __device__ float widened(__half value) {
  return __half2float(value);
}

template <class T, int width>
__device__ Floats<width> widened(const Packed<T, width>& packed) {
  Floats<width> floats;
#pragma unroll
  for (int i = 0; i < width; ++i)
    floats[i] = widened(packed.values[i]);
  return floats;
}

/// Rounded to nearest even where T is a half.
template <class T, int width>
__device__ Packed<T, width> rounded(const Floats<width>& floats) {
  Packed<T, width> packed;
  if constexpr (std::is_same_v<T, float>) {
#pragma unroll
    for (int i = 0; i < width; ++i)
      packed.values[i] = floats[i];
  } else if constexpr (width == 1) {
    packed.values[0] = __float2half_rn(floats[0]);
  } else {
    // Two at a time: one instruction rounds and packs a pair.
#pragma unroll
    for (int i = 0; i < width; i += 2) {
      const __half2 pair = __floats2half2_rn(floats[i], floats[i + 1]);
      packed.values[i] = __low2half(pair);
      packed.values[i + 1] = __high2half(pair);
    }
  }
  return packed;
}

template <int width, class T>
__device__ Floats<width> load_floats(const T* from) {
  return widened(load_packed<width>(from));
}

template <class T, int width>
__device__ void store_floats(T* to, const Floats<width>& floats) {
  store_packed(to, rounded<T>(floats));
}

template <int width>
__device__ Floats<width> all_of(float value) {
  Floats<width> floats;
#pragma unroll
  for (int i = 0; i < width; ++i)
    floats[i] = value;
  return floats;
}

/// Blocks that do `work` things, `per_block` each.
inline unsigned blocks_for(std::int64_t work, std::int64_t per_block) {
  return static_cast<unsigned>((work + per_block - 1) / per_block);
}

}  // namespace quintet
