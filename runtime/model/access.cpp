#include "runtime/model/access.h"

#include <algorithm>

namespace quintet {

ByteRange overlap_of(const Access& a, const Access& b) {
  if (a.region != b.region || a.bytes == 0 || b.bytes == 0) return {a.region, 0, 0};
  if (a.end() <= b.offset || b.end() <= a.offset) return {a.region, 0, 0};
  // Walk the pieces of both in address order; the one that ends first gives way.
  std::uint64_t i = 0;
  std::uint64_t j = 0;
  while (i < a.count && j < b.count) {
    const std::uint64_t a_begin = a.offset + i * a.stride;
    const std::uint64_t b_begin = b.offset + j * b.stride;
    const std::uint64_t begin = std::max(a_begin, b_begin);
    const std::uint64_t end = std::min(a_begin + a.bytes, b_begin + b.bytes);
    if (begin < end) return {a.region, begin, end};
    if (a_begin + a.bytes <= b_begin) {
      ++i;
    } else {
      ++j;
    }
  }
  return {a.region, 0, 0};
}

}  // namespace quintet
