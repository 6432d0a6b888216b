/// The moves of a search over mappings: a task or a group to another stream, a task earlier on its
/// stream, a stream more or less urgent.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "runtime/policy/step_mapping.h"

namespace quintet {

/// Numbers that do not depend on the standard library.
class SearchRandom {
 public:
  explicit SearchRandom(std::uint64_t seed) : engine_(seed) {}
  /// In [0, count).
  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(engine_() % count); }
  /// In [0, 1).
  double unit() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

/// Priorities that a search gives to streams: this, the most urgent, to 0. Only their order
/// matters, and a search has four streams.
inline constexpr int kMostUrgent = -3;

/// Changes streams, order and priorities of a mapping at random. Orders stay linear extensions of
/// the arcs. `dag` and the lists must outlive it.
class MappingMoves {
 public:
  MappingMoves(const StepDag& dag, std::span<const StreamKind> streams,
               std::span<const std::vector<std::uint32_t>> groups);

  /// False: nothing changed.
  bool move(StepMapping& mapping, SearchRandom& random);
  /// The task past so many of its stream, or as many as it can. False: past none.
  bool move_earlier(StepMapping& mapping, std::uint32_t node, std::uint32_t passed);
  /// One of the streams more or less urgent.
  bool move_priority(StepMapping& mapping, SearchRandom& random) const;
  /// True where no task may leave its stream and no order may change.
  [[nodiscard]] bool stuck() const { return movable_.empty(); }

 private:
  bool move_task(StepMapping& mapping, SearchRandom& random) const;
  bool move_group(StepMapping& mapping, SearchRandom& random) const;

  const StepDag& dag_;
  std::span<const StreamKind> streams_;
  std::span<const std::vector<std::uint32_t>> groups_;
  std::vector<std::uint32_t> movable_;  ///< not fixed
  std::vector<std::uint32_t> pulled_;   ///< scratch
};

}  // namespace quintet
