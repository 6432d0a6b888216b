#include "scenarios/lab/mapping_moves.h"

#include <algorithm>

namespace quintet {

namespace {

/// Of ten moves, so many move one task, and so many of the rest a group.
constexpr std::uint32_t kTaskMoves = 5;
constexpr std::uint32_t kGroupMoves = 1;
/// A task passes at most so many of its stream at once.
constexpr std::uint32_t kMostPassed = 6;

}  // namespace

MappingMoves::MappingMoves(const StepDag& dag, std::span<const StreamKind> streams,
                           std::span<const std::vector<std::uint32_t>> groups)
    : dag_(dag), streams_(streams), groups_(groups) {
  for (std::uint32_t node = 0; node < dag.size(); ++node) {
    if (!dag.node(node).fixed) movable_.push_back(node);
  }
}

bool MappingMoves::move(StepMapping& mapping, SearchRandom& random) {
  const std::uint32_t kind = random.below(10);
  if (kind < kTaskMoves) return move_task(mapping, random);
  if (kind < kTaskMoves + kGroupMoves && !groups_.empty()) return move_group(mapping, random);
  const std::uint32_t node = random.below(dag_.size());
  return move_earlier(mapping, node, 1 + random.below(kMostPassed));
}

bool MappingMoves::move_task(StepMapping& mapping, SearchRandom& random) const {
  StreamKind& stream = mapping.streams[movable_[random.below(movable_.size())]];
  const StreamKind before = stream;
  stream = streams_[random.below(streams_.size())];
  return stream != before;
}

bool MappingMoves::move_group(StepMapping& mapping, SearchRandom& random) const {
  const StreamKind to = streams_[random.below(streams_.size())];
  bool changed = false;
  for (const std::uint32_t node : groups_[random.below(groups_.size())]) {
    if (dag_.node(node).fixed || mapping.streams[node] == to) continue;
    mapping.streams[node] = to;
    changed = true;
  }
  return changed;
}

/// Past some tasks of its stream, and what it needs with it.
bool MappingMoves::move_earlier(StepMapping& mapping, std::uint32_t node, std::uint32_t passed) {
  auto& order = mapping.order;
  const auto place =
      static_cast<std::size_t>(std::find(order.begin(), order.end(), node) - order.begin());
  std::size_t target = place;
  for (std::size_t at = place; at-- > 0 && passed > 0;) {
    if (mapping.streams[order[at]] != mapping.streams[node]) continue;
    if (dag_.closure().reaches(order[at], node)) break;
    target = at;
    --passed;
  }
  if (target == place) return false;
  pulled_.clear();
  std::size_t write = place + 1;
  for (std::size_t at = place + 1; at-- > target;) {
    const std::uint32_t other = order[at];
    if (other == node || dag_.closure().reaches(other, node)) {
      pulled_.push_back(other);
    } else {
      order[--write] = other;
    }
  }
  for (const std::uint32_t other : pulled_)
    order[--write] = other;
  return true;
}

}  // namespace quintet
