#include "runtime/policy/surplus_edges.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "runtime/policy/reachability.h"

namespace quintet {

namespace {

using Position = std::uint32_t;  ///< in issue order, which is a topological order
using Row = std::vector<std::uint64_t>;

/// The order inside one graph, and what hangs on a single edge of it.
class GraphOrder {
 public:
  GraphOrder(const TaskGraph& graph, const TaskConflicts& conflicts)
      : closure_(graph.tasks.size()),
        before_(graph.tasks.size()),
        after_(graph.tasks.size()),
        conflicts_(graph.tasks.size()) {
    for (Position at = 0; at < graph.tasks.size(); ++at)
      positions_.emplace(graph.tasks[at].task, at);
    std::array<std::optional<Position>, kStreamCount> last;
    for (Position at = 0; at < graph.tasks.size(); ++at) {
      auto& previous = last[index_of(graph.tasks[at].stream)];
      if (previous) add(*previous, at);
      previous = at;
    }
    for (const Edge& edge : graph.edges)
      add(position(edge.from), position(edge.to));
    for (Position at = 0; valid_ && at < graph.tasks.size(); ++at) {
      for (const Position previous : before_[at])
        closure_.link(previous, at);
    }
    for (const auto& [task, at] : positions_)
      add_conflicts(task, at, conflicts.pairs);
    for (const auto& group : conflicts.scratch_groups)
      add_group(group);
  }

  /// False where an edge leaves the graph or runs against issue order.
  [[nodiscard]] bool valid() const { return valid_; }

  /// True where the edge orders a pair that nothing else orders, and no such pair conflicts.
  [[nodiscard]] bool surplus(const Edge& edge) const {
    const Position from = position(edge.from);
    const Position to = position(edge.to);
    if (conflict_between(from, to)) return false;
    // What each task downstream of the edge would no longer come after, nearest task first.
    std::map<Position, Row> lost;
    std::set<Position> open = {to};
    bool orders_something = false;
    while (!open.empty()) {
      const Position at = *open.begin();
      open.erase(open.begin());
      Row row = lost_at(at, from, to, lost);
      if (std::all_of(row.begin(), row.end(), [](std::uint64_t word) { return word == 0; })) {
        continue;
      }
      orders_something = true;
      for (const Position other : conflicts_[at]) {
        if (other <= from && (row[other / 64] >> (other % 64) & 1U) != 0) return false;
      }
      open.insert(after_[at].begin(), after_[at].end());
      lost.emplace(at, std::move(row));
    }
    return orders_something;
  }

 private:
  Position position(TaskId task) const {
    const auto found = positions_.find(task);
    return found == positions_.end() ? kNowhere : found->second;
  }
  void add(Position from, Position to) {
    if (from == kNowhere || to == kNowhere || from >= to) {
      valid_ = false;
      return;
    }
    before_[to].push_back(from);
    after_[from].push_back(to);
  }
  void add_conflicts(TaskId task, Position at, std::span<const TaskConflict> conflicts) {
    auto conflict = std::lower_bound(
        conflicts.begin(), conflicts.end(), task.value(),
        [](const TaskConflict& c, std::uint32_t first) { return c.first < first; });
    for (; conflict != conflicts.end() && conflict->first == task.value(); ++conflict) {
      const Position other = position(TaskId(conflict->second));
      if (other == kNowhere || other == at) continue;
      conflicts_[std::max(at, other)].push_back(std::min(at, other));
    }
  }
  /// Where the users of a workspace follow each other, neighbours stand for all pairs of them.
  void add_group(std::span<const std::uint32_t> group) {
    std::vector<Position> users;
    for (const std::uint32_t task : group) {
      const Position at = position(TaskId(task));
      if (at != kNowhere) users.push_back(at);
    }
    std::sort(users.begin(), users.end());
    const bool in_turn =
        std::adjacent_find(users.begin(), users.end(), [&](Position a, Position b) {
          return !closure_.reaches(a, b);
        }) == users.end();
    for (std::size_t user = 1; user < users.size(); ++user) {
      const auto first =
          in_turn ? users.begin() + static_cast<std::ptrdiff_t>(user - 1) : users.begin();
      conflicts_[users[user]].insert(conflicts_[users[user]].end(), first,
                                     users.begin() + static_cast<std::ptrdiff_t>(user));
    }
  }
  [[nodiscard]] bool conflict_between(Position from, Position to) const {
    const auto& others = conflicts_[to];
    return std::find(others.begin(), others.end(), from) != others.end() &&
           !ordered_without(from, to);
  }
  /// True where another neighbour leads from `from` to `to` too.
  [[nodiscard]] bool ordered_without(Position from, Position to) const {
    const auto& neighbours = before_[to];
    return std::count(neighbours.begin(), neighbours.end(), from) > 1 ||
           std::any_of(neighbours.begin(), neighbours.end(),
                       [&](Position at) { return closure_.reaches(from, at); });
  }
  /// Ancestors up to `from` that `at` would lose without the edge from -> to.
  [[nodiscard]] Row lost_at(Position at, Position from, Position to,
                            const std::map<Position, Row>& lost) const {
    Row kept(from / 64 + 1);
    bool skipped = false;
    for (const Position previous : before_[at]) {
      if (at == to && previous == from && !std::exchange(skipped, true)) continue;
      const auto ancestors = closure_.ancestors(previous);
      const auto gone = lost.find(previous);
      for (std::size_t word = 0; word < std::min(kept.size(), ancestors.size()); ++word) {
        kept[word] |=
            ancestors[word] & (gone == lost.end() ? ~std::uint64_t{0} : ~gone->second[word]);
      }
      if (previous <= from) kept[previous / 64] |= std::uint64_t{1} << (previous % 64);
    }
    const auto ancestors = closure_.ancestors(at);
    for (std::size_t word = 0; word < kept.size(); ++word)
      kept[word] = ancestors[word] & ~kept[word];
    // Bits past `from` are not the edge's affair.
    if (from % 64 != 63) kept.back() &= (std::uint64_t{1} << (from % 64 + 1)) - 1;
    return kept;
  }

  static constexpr Position kNowhere = static_cast<Position>(-1);

  bool valid_ = true;
  Reachability closure_;
  std::unordered_map<TaskId, Position> positions_;
  std::vector<std::vector<Position>> before_;
  std::vector<std::vector<Position>> after_;
  std::vector<std::vector<Position>> conflicts_;  ///< per task, those earlier in issue order
};

StreamKind stream_in(const TaskGraph& graph, TaskId task) {
  const auto found = std::find_if(graph.tasks.begin(), graph.tasks.end(),
                                  [&](const PlacedTask& placed) { return placed.task == task; });
  return found->stream;
}

}  // namespace

std::vector<SurplusEdge> find_surplus_edges(const ExecutionPlan& plan, const TaskGraph& graph,
                                            const TaskConflicts& conflicts) {
  if (graph.edges.empty()) return {};
  const GraphOrder order(graph, conflicts);
  std::vector<SurplusEdge> surplus;
  if (!order.valid()) return surplus;
  for (const Edge& edge : graph.edges) {
    if (!order.surplus(edge)) continue;
    surplus.push_back(
        {graph.key, edge.from, edge.to,
         fmt::format("{}: {} ({}) waits for {} ({}) by rule {}, and no pair that only this orders "
                     "conflicts",
                     plan.name(graph.key), plan.task(edge.to).name,
                     name_of(stream_in(graph, edge.to)), plan.task(edge.from).name,
                     name_of(stream_in(graph, edge.from)), name_of(edge.rule))});
  }
  return surplus;
}

}  // namespace quintet
