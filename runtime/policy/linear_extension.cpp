#include "runtime/policy/linear_extension.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <random>
#include <utility>

namespace quintet {

namespace {

/// The nodes that nothing holds back any more, given out in the order of the mode.
class ReadyNodes {
 public:
  ReadyNodes(ExtensionMode mode, std::uint64_t seed) : mode_(mode), random_(seed) {}

  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  void add(std::uint32_t node) {
    nodes_.push_back(node);
    switch (mode_) {
      case ExtensionMode::random:
        return;
      case ExtensionMode::latest_first:
        std::push_heap(nodes_.begin(), nodes_.end());
        return;
      case ExtensionMode::earliest_first:
        std::push_heap(nodes_.begin(), nodes_.end(), std::greater<>());
        return;
    }
  }
  std::uint32_t take() {
    switch (mode_) {
      case ExtensionMode::random:
        // Not std::uniform_int_distribution: its numbers differ between standard libraries.
        std::swap(nodes_[random_() % nodes_.size()], nodes_.back());
        break;
      case ExtensionMode::latest_first:
        std::pop_heap(nodes_.begin(), nodes_.end());
        break;
      case ExtensionMode::earliest_first:
        std::pop_heap(nodes_.begin(), nodes_.end(), std::greater<>());
        break;
    }
    const std::uint32_t node = nodes_.back();
    nodes_.pop_back();
    return node;
  }

 private:
  ExtensionMode mode_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> nodes_;
};

}  // namespace

std::vector<std::uint32_t> linear_extension(const OrderGraph& order, ExtensionMode mode,
                                            std::uint64_t seed) {
  const std::size_t count = order.nodes.size();
  std::vector<std::vector<std::uint32_t>> successors(count);
  std::vector<std::uint32_t> held_back_by(count);
  for (const OrderEdge& edge : order.edges) {
    successors[edge.from].push_back(edge.to);
    ++held_back_by[edge.to];
  }
  ReadyNodes ready(mode, seed);
  for (std::uint32_t node = 0; node < count; ++node) {
    if (held_back_by[node] == 0) ready.add(node);
  }
  std::vector<std::uint32_t> extension;
  extension.reserve(count);
  while (!ready.empty()) {
    extension.push_back(ready.take());
    for (const std::uint32_t next : successors[extension.back()]) {
      if (--held_back_by[next] == 0) ready.add(next);
    }
  }
  assert(extension.size() == count && "unroll gives no cycle");
  return extension;
}

}  // namespace quintet
