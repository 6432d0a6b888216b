#include "profiler/analysis/logical_width.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>

namespace quintet {

namespace {

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;
constexpr std::size_t kFree = std::numeric_limits<std::size_t>::max();

/// Every node's descendants, ascending.
std::vector<std::vector<std::size_t>> closure_of(std::size_t nodes, const Edges& edges) {
  std::vector<std::vector<std::size_t>> successors(nodes);
  for (const auto& [from, to] : edges)
    successors.at(from).push_back(to);
  std::vector<std::vector<bool>> reaches(nodes, std::vector<bool>(nodes));
  std::vector<std::vector<std::size_t>> closure(nodes);
  for (std::size_t node = nodes; node-- > 0;) {
    for (const std::size_t next : successors[node]) {
      if (reaches[node][next]) continue;
      reaches[node][next] = true;
      for (const std::size_t further : closure[next])
        reaches[node][further] = true;
    }
    for (std::size_t other = node + 1; other < nodes; ++other) {
      if (reaches[node][other]) closure[node].push_back(other);
    }
  }
  return closure;
}

/// Hopcroft and Karp on the bipartite graph node -> descendant.
class Matching {
 public:
  explicit Matching(std::vector<std::vector<std::size_t>> adjacent)
      : adjacent_(std::move(adjacent)),
        right_of_(adjacent_.size(), kFree),
        left_of_(adjacent_.size(), kFree) {}

  std::size_t maximum() {
    std::size_t size = 0;
    while (layer()) {
      for (std::size_t left = 0; left < adjacent_.size(); ++left) {
        if (right_of_[left] == kFree && augment(left)) ++size;
      }
    }
    return size;
  }

 private:
  /// Distances from the free left nodes; true where an augmenting path exists.
  bool layer() {
    distance_.assign(adjacent_.size(), kFree);
    std::deque<std::size_t> queue;
    for (std::size_t left = 0; left < adjacent_.size(); ++left) {
      if (right_of_[left] != kFree) continue;
      distance_[left] = 0;
      queue.push_back(left);
    }
    bool found = false;
    while (!queue.empty()) {
      const std::size_t left = queue.front();
      queue.pop_front();
      for (const std::size_t right : adjacent_[left]) {
        const std::size_t owner = left_of_[right];
        if (owner == kFree) {
          found = true;
        } else if (distance_[owner] == kFree) {
          distance_[owner] = distance_[left] + 1;
          queue.push_back(owner);
        }
      }
    }
    return found;
  }

  bool augment(std::size_t left) {
    for (const std::size_t right : adjacent_[left]) {
      const std::size_t owner = left_of_[right];
      if (owner == kFree || (distance_[owner] == distance_[left] + 1 && augment(owner))) {
        left_of_[right] = left;
        right_of_[left] = right;
        return true;
      }
    }
    distance_[left] = kFree;
    return false;
  }

  std::vector<std::vector<std::size_t>> adjacent_;
  std::vector<std::size_t> right_of_;
  std::vector<std::size_t> left_of_;
  std::vector<std::size_t> distance_;
};

}  // namespace

std::size_t max_antichain(std::size_t nodes, const Edges& edges) {
  return nodes - Matching(closure_of(nodes, edges)).maximum();
}

std::size_t logical_width(const Trace& trace, const TraceGraph& graph, TaskRelations& relations,
                          PathOrder order) {
  const std::size_t count = graph.tasks.size();
  Edges edges;
  if (order == PathOrder::data) {
    for (std::size_t later = 0; later < count; ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        if (relations.data_conflict(graph.tasks[earlier], graph.tasks[later])) {
          edges.emplace_back(earlier, later);
        }
      }
    }
    return max_antichain(count, edges);
  }
  std::map<std::uint32_t, std::size_t> position;
  std::map<LaneId, std::size_t> last_on_lane;
  for (std::size_t index = 0; index < count; ++index) {
    position[graph.tasks[index]] = index;
    const auto& lane = trace.tasks.at(graph.tasks[index]).policy_lane;
    if (!lane) continue;
    if (const auto last = last_on_lane.find(*lane); last != last_on_lane.end()) {
      edges.emplace_back(last->second, index);
    }
    last_on_lane[*lane] = index;
  }
  for (const TraceEdge& edge : graph.edges) {
    const auto from = position.find(edge.from);
    const auto to = position.find(edge.to);
    if (from != position.end() && to != position.end() && from->second < to->second) {
      edges.emplace_back(from->second, to->second);
    }
  }
  return max_antichain(count, edges);
}

}  // namespace quintet
