#include "profiler/capture/node_table.h"

namespace quintet {

void NodeTable::created(std::uint64_t node, std::optional<std::uint32_t> task) {
  created_[node] = task;
}

void NodeTable::captured(std::uint64_t node, const NodeOwner& owner) {
  NodeOwner& entry = captured_[node];
  entry = owner;
  entry.captured = node;
}

void NodeTable::cloned(std::uint64_t original, std::uint64_t node) {
  const auto earlier = clones_.find(original);
  clones_[node] = earlier == clones_.end() ? original : earlier->second;
}

const NodeOwner* NodeTable::owner(std::uint64_t node) const {
  const auto clone = clones_.find(node);
  const auto found = captured_.find(clone == clones_.end() ? node : clone->second);
  return found == captured_.end() ? nullptr : &found->second;
}

std::size_t NodeTable::mismatches() const {
  // A driver that tells nothing of created nodes leaves one source, which contradicts nobody.
  if (created_.empty()) return 0;
  std::size_t count = 0;
  for (const auto& [node, owner] : captured_) {
    const auto told = created_.find(node);
    if (told == created_.end() || told->second != owner.task) ++count;
  }
  for (const auto& [node, task] : created_) {
    if (task && !captured_.contains(node)) ++count;
  }
  return count;
}

}  // namespace quintet
