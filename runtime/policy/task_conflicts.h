/// Which tasks conflict: their accesses touch common bytes and one of the two writes. Found by a
/// sweep over each region, not by testing all pairs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/model/access.h"

namespace quintet {

/// A conflicting pair by index into the list that was searched. first == second: a task conflicts
/// with its own next run.
struct TaskConflict {
  std::uint32_t first = 0;  ///< first <= second
  std::uint32_t second = 0;
  bool either_order =
      false;  ///< scratch against scratch only: some order is needed, either is right
};

/// Every conflicting pair once, sorted by (first, second).
std::vector<TaskConflict> find_conflicts(std::span<const std::span<const Access>> accesses);

/// The first bytes over which two tasks conflict, and how each uses them. A pair that is scratch on
/// both sides is named only where there is no other.
struct ConflictBytes {
  ByteRange bytes;  ///< empty: the two do not conflict
  AccessMode first_mode = AccessMode::read;
  AccessMode second_mode = AccessMode::read;
};

ConflictBytes conflict_bytes(std::span<const Access> first, std::span<const Access> second);

/// "reads", "writes", "updates", "uses as scratch".
std::string_view verb_of(AccessMode mode);

/// "FEATURES[4096, 8192)"; "region 6[4096, 8192)" where the table does not hold the region.
std::string text_of(const ByteRange& bytes, std::span<const Region> regions);

}  // namespace quintet
