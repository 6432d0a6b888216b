#include "scenarios/lab/mapping_moves.h"

#include <algorithm>

namespace quintet {

namespace {

/// Of so many moves, so many move one task, so many a group, so many change a priority, and the rest
/// an order.
constexpr std::uint32_t kMoves = 30;
constexpr std::uint32_t kTaskMoves = 15;
constexpr std::uint32_t kGroupMoves = 3;
constexpr std::uint32_t kPriorityMoves = 2;
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
  std::uint32_t kind = random.below(kMoves);
  if (kind < kTaskMoves) return move_task(mapping, random);
  kind -= kTaskMoves;
  if (kind < kPriorityMoves) return move_priority(mapping, random);
  kind -= kPriorityMoves;
  if (kind < kGroupMoves && !groups_.empty()) return move_group(mapping, random);
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

bool MappingMoves::move_priority(StepMapping& mapping, SearchRandom& random) const {
  int& priority = mapping.priorities[index_of(streams_[random.below(streams_.size())])];
  const int before = priority;
  priority = kMostUrgent + static_cast<int>(random.below(1 - kMostUrgent));
  return priority != before;
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
