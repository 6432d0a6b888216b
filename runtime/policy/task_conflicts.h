/// Which tasks conflict: their accesses touch common bytes and one of the two writes. Found by a
/// sweep over each region, not by testing all pairs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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

/// Whether find_conflicts lists the pairs of scratch users of one workspace: n users are n^2/2
/// pairs.
enum class ScratchPairs : std::uint8_t {
  listed,   ///< like any other pair
  grouped,  ///< as groups, where all users of a region have a byte in common
};

struct TaskConflicts {
  std::vector<TaskConflict> pairs;  ///< each once, sorted by (first, second)
  /// Tasks of which any two, and any two runs, conflict at least as scratch against scratch;
  /// sorted. No task is in two groups. A pair of one group is in `pairs` only where it conflicts
  /// otherwise too.
  std::vector<std::vector<std::uint32_t>> scratch_groups;
};

TaskConflicts find_conflicts(std::span<const std::span<const Access>> accesses,
                             ScratchPairs scratch = ScratchPairs::listed);

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
