/// What a task does to memory: byte ranges and how they are used. Two tasks conflict where ranges
/// overlap and one writes.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/model/ids.h"
#include "runtime/model/region.h"

namespace quintet {

/// `update` reads and writes; `scratch` writes and reads back its own bytes, and carries nothing
/// from or to another task: two scratch users of the same bytes must be ordered, but either order
/// is right.
enum class AccessMode : std::uint8_t { read, write, update, scratch };
/// `upper`: the task touches some bytes of the range, not necessarily all.
enum class AccessBound : std::uint8_t { exact, upper };
enum class AccessOrigin : std::uint8_t { declared, audited, inferred };

constexpr std::string_view name_of(AccessMode mode) {
  switch (mode) {
    case AccessMode::read:
      return "read";
    case AccessMode::write:
      return "write";
    case AccessMode::update:
      return "update";
    case AccessMode::scratch:
      return "scratch";
  }
  return {};
}

constexpr bool reads(AccessMode mode) {
  return mode == AccessMode::read || mode == AccessMode::update;
}
constexpr bool writes(AccessMode mode) {
  return mode != AccessMode::read;
}

/// `count` pieces of `bytes` bytes, `stride` bytes apart, the first at `offset` of the region.
/// count 1: one range.
struct Access {
  RegionId region;
  MemorySpace space = MemorySpace::device;
  int device = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t stride = 0;
  std::uint64_t count = 1;
  AccessMode mode = AccessMode::read;
  AccessBound bound = AccessBound::exact;
  AccessOrigin origin = AccessOrigin::declared;

  /// One past the last byte touched.
  [[nodiscard]] constexpr std::uint64_t end() const {
    return offset + (count - 1) * stride + bytes;
  }
  friend bool operator==(const Access&, const Access&) = default;
};

/// A half-open range of bytes of one region.
struct ByteRange {
  RegionId region;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] bool empty() const { return begin >= end; }
};

/// The first bytes that both touch; empty where they touch none in common.
ByteRange overlap_of(const Access& a, const Access& b);

/// True where the two touch a common byte and at least one writes it.
inline bool conflict(const Access& a, const Access& b) {
  return (writes(a.mode) || writes(b.mode)) && !overlap_of(a, b).empty();
}

}  // namespace quintet
