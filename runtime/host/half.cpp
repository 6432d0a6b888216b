#include "runtime/host/half.h"

#include <cassert>
#include <cstddef>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace quintet {

namespace {

#if defined(__x86_64__)

constexpr std::size_t kLanes = 8;

/// Both convert whole vectors of eight and return how many elements that were.
__attribute__((target("avx,f16c"))) std::size_t narrow_vectors(std::span<const float> from,
                                                               Half* to) {
  const std::size_t whole = from.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const __m256 values = _mm256_loadu_ps(from.data() + i);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm256_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT));
  }
  return whole;
}

__attribute__((target("avx,f16c"))) std::size_t widen_vectors(std::span<const Half> from,
                                                              float* to) {
  const std::size_t whole = from.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from.data() + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(values));
  }
  return whole;
}

bool has_f16c() {
  static const bool found = __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c");
  return found;
}

#else

std::size_t narrow_vectors(std::span<const float> /*from*/, Half* /*to*/) {
  return 0;
}
std::size_t widen_vectors(std::span<const Half> /*from*/, float* /*to*/) {
  return 0;
}
bool has_f16c() {
  return false;
}

#endif

}  // namespace

bool cpu_converts_half() {
  return has_f16c();
}

void half_from_float(std::span<const float> from, std::span<Half> to) {
  assert(from.size() == to.size());
  std::size_t i = has_f16c() ? narrow_vectors(from, to.data()) : 0;
  for (; i < from.size(); ++i)
    to[i] = half_from_float(from[i]);
}

void float_from_half(std::span<const Half> from, std::span<float> to) {
  assert(from.size() == to.size());
  std::size_t i = has_f16c() ? widen_vectors(from, to.data()) : 0;
  for (; i < from.size(); ++i)
    to[i] = float_from_half(from[i]);
}

}  // namespace quintet
