#include "runtime/policy/sync_planner.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/policy/nearest_name.h"
#include "runtime/policy/reachability.h"
#include "runtime/policy/task_conflicts.h"

namespace quintet {

namespace {

/// Positions in issue order stand for tasks in this file: they are a topological order.
using Position = std::uint32_t;

/// Why a candidate edge is wanted; the order is the order of preference where two want the same
/// one.
enum class Want : std::uint8_t { next_op, part_entry, part_conflict, conflict, manual };

EdgeRule rule_of(Want want) {
  switch (want) {
    case Want::next_op:
      return EdgeRule::adjacent;
    case Want::part_entry:
    case Want::part_conflict:
      return EdgeRule::op_internal;
    case Want::conflict:
      return EdgeRule::conflict;
    case Want::manual:
      return EdgeRule::manual;
  }
  return EdgeRule::conflict;
}

struct Candidate {
  Position from = 0;
  Position to = 0;
  Want want = Want::conflict;
  int line = 0;  ///< manual only
};

/// One op of a sub-graph: its tasks in issue order, and its representative.
struct OpTasks {
  OpId op;
  std::vector<Position> tasks;
  StreamKind stream = StreamKind::COMP_1;  ///< the representative stream
};

class SyncPlanner {
 public:
  explicit SyncPlanner(const SyncInput& input) : input_(input) {}

  Result<std::vector<Edge>> plan() {
    const bool follows_accesses = input_.rule != SyncRule::manual;
    if (follows_accesses) find_all_conflicts();
    switch (input_.rule) {
      case SyncRule::adjacent:
        add_adjacent();
        break;
      case SyncRule::adjacent_conflicts:
        add_adjacent();
        add_conflicts();
        break;
      case SyncRule::dataflow:
        add_conflicts();
        break;
      case SyncRule::manual:
        add_manual();
        break;
    }
    if (error_) return tl::unexpected<Error>(*error_);
    return reduce();
  }

 private:
  const Task& task(Position at) const { return input_.tasks[input_.placed[at].task.value()]; }
  StreamKind stream(Position at) const { return input_.placed[at].stream; }
  std::span<const Access> accesses(Position at) const {
    return input_.accesses[input_.placed[at].task.value()];
  }
  Position size() const { return static_cast<Position>(input_.placed.size()); }
  /// True where program order has the task at `later` before the one at `earlier`.
  bool against_program(const TaskConflict& conflict) const {
    return !conflict.either_order &&
           input_.placed[conflict.second].task < input_.placed[conflict.first].task;
  }

  void want(Position from, Position to, Want want, int line = 0) {
    if (from < to && stream(from) != stream(to)) candidates_.push_back({from, to, want, line});
  }

  void find_all_conflicts() {
    std::vector<std::span<const Access>> list;
    for (Position at = 0; at < size(); ++at)
      list.push_back(accesses(at));
    // Of a workspace's users, each needs to wait for the one before only; but which of them are
    // parts of one op, the adjacent rules want to see pair by pair.
    const bool dataflow = input_.rule == SyncRule::dataflow;
    TaskConflicts found =
        find_conflicts(list, dataflow ? ScratchPairs::grouped : ScratchPairs::listed);
    conflicts_ = std::move(found.pairs);
    for (const std::vector<Position>& group : found.scratch_groups) {
      for (std::size_t next = 1; next < group.size(); ++next)
        conflicts_.push_back({group[next - 1], group[next], true});
    }
    std::erase_if(conflicts_, [](const TaskConflict& c) { return c.first == c.second; });
  }

  void add_conflicts() {
    for (const TaskConflict& conflict : conflicts_) {
      if (against_program(conflict)) return refuse(conflict);
      want(conflict.first, conflict.second, Want::conflict);
    }
  }

  void refuse(const TaskConflict& conflict) {
    const Task& issued_first = task(conflict.first);
    const Task& right_first = task(conflict.second);
    const ConflictBytes how = conflict_bytes(accesses(conflict.second), accesses(conflict.first));
    error_ = Error{
        fmt::format("issue order puts {} before {}, but it {} {} that {} {} and comes later in "
                    "program order",
                    issued_first.name, right_first.name, verb_of(how.second_mode),
                    text_of(how.bytes, input_.regions), right_first.name, verb_of(how.first_mode)),
        fmt::format("issue {} before {}", right_first.name, issued_first.name), input_.policy_file,
        0};
  }

  std::map<GraphId, std::vector<OpTasks>> ops_by_subgraph() const {
    std::map<GraphId, std::vector<OpTasks>> subgraphs;
    std::map<std::pair<GraphId, OpId>, std::size_t> index;
    for (Position at = 0; at < size(); ++at) {
      std::vector<OpTasks>& ops = subgraphs[task(at).graph];
      const auto [entry, fresh] = index.try_emplace({task(at).graph, task(at).op}, ops.size());
      if (fresh) ops.push_back({task(at).op, {}, stream(at)});
      ops[entry->second].tasks.push_back(at);
    }
    for (auto& [graph, ops] : subgraphs) {
      for (OpTasks& op : ops)
        op.stream = stream(representative_of(op));
    }
    return subgraphs;
  }

  /// The last task of the op that is marked as its representative; the last at all where none is.
  Position representative_of(const OpTasks& op) const {
    const auto marked = std::find_if(op.tasks.rbegin(), op.tasks.rend(),
                                     [&](Position at) { return task(at).representative; });
    return marked == op.tasks.rend() ? op.tasks.back() : *marked;
  }

  /// The last task of the op on its representative stream: what the next op waits for.
  Position output_of(const OpTasks& op) const {
    return *std::find_if(op.tasks.rbegin(), op.tasks.rend(),
                         [&](Position at) { return stream(at) == op.stream; });
  }

  void add_adjacent() {
    for (const auto& [graph, ops] : ops_by_subgraph()) {
      const OpTasks* previous = nullptr;
      for (const OpTasks& op : ops) {
        add_entry(op, previous, graph);
        previous = &op;
      }
    }
    for (const TaskConflict& conflict : conflicts_) {
      if (against_program(conflict)) continue;
      const Task& first = task(conflict.first);
      const Task& second = task(conflict.second);
      if (first.graph != second.graph) {
        want(conflict.first, conflict.second, Want::conflict);
      } else if (first.op == second.op) {
        want(conflict.first, conflict.second, Want::part_conflict);
      }
    }
  }

  /// The waits at the start of an op: its representative stream for the op before, its other
  /// streams for all that the representative stream had reached then.
  void add_entry(const OpTasks& op, const OpTasks* previous, GraphId graph) {
    std::vector<Position> reached;  // the last task of its stream before the op, if there is one
    for (Position at = op.tasks.front(); at > 0 && reached.empty(); --at) {
      if (stream(at - 1) == op.stream && task(at - 1).graph == graph) reached.push_back(at - 1);
    }
    std::array<bool, kStreamCount> entered{};
    for (const Position at : op.tasks) {
      if (std::exchange(entered[index_of(stream(at))], true)) continue;
      const bool representative = stream(at) == op.stream;
      if (previous != nullptr) {
        want(output_of(*previous), at, representative ? Want::next_op : Want::part_entry);
      }
      if (representative) continue;
      for (const Position last : reached)
        want(last, at, Want::part_entry);
    }
  }

  void add_manual() {
    std::map<std::string_view, Position> positions;
    for (Position at = 0; at < size(); ++at)
      positions.emplace(task(at).name, at);
    for (const ManualEdge& edge : input_.manual) {
      const auto from = positions.find(edge.from);
      const auto to = positions.find(edge.to);
      if (from != positions.end() && to != positions.end()) {
        if (from->second >= to->second) {
          error_ = Error{fmt::format("edge {} -> {} runs against issue order: the wait would come "
                                     "before the record",
                                     edge.from, edge.to),
                         "turn the edge round or leave it out", input_.policy_file, edge.line};
          return;
        }
        want(from->second, to->second, Want::manual, edge.line);
      } else if (!check_known(edge.from, edge.line) || !check_known(edge.to, edge.line)) {
        return;
      }
    }
  }

  /// An edge may well belong to another graph, but not to none.
  bool check_known(const std::string& name, int line) {
    std::vector<std::string_view> known;
    for (const Task& candidate : input_.tasks) {
      if (candidate.name == name) return true;
      known.push_back(candidate.name);
    }
    std::string cure = "name a task of the scenario";
    if (const auto nearest = nearest_name(name, known)) {
      cure = fmt::format("did you mean \"{}\"?", *nearest);
    }
    error_ = Error{fmt::format("edge names no task: {}", name), cure, input_.policy_file, line};
    return false;
  }

  /// Transitive reduction: an arc is implied where another way leads from its tail to its head. The
  /// nearest tails come first, so that every longer way is known when a tail is judged.
  std::vector<Edge> reduce() {
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return std::tuple(a.to, b.from, a.want) < std::tuple(b.to, a.from, b.want);
    });
    Reachability closure(size());
    std::array<std::optional<Position>, kStreamCount> last;
    std::vector<Candidate> kept;
    auto candidate = candidates_.begin();
    for (Position at = 0; at < size(); ++at) {
      std::optional<Position>& before = last[index_of(stream(at))];
      if (before) closure.link(*before, at);
      before = at;
      for (; candidate != candidates_.end() && candidate->to == at; ++candidate) {
        if (closure.reaches(candidate->from, at)) continue;
        closure.link(candidate->from, at);
        kept.push_back(*candidate);
      }
    }
    std::sort(kept.begin(), kept.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.to, a.from) < std::tie(b.to, b.from);
    });
    std::vector<Edge> edges;
    for (const Candidate& edge : kept) {
      edges.push_back({input_.placed[edge.from].task, input_.placed[edge.to].task,
                       rule_of(edge.want), reason_of(edge)});
    }
    return edges;
  }

  std::string reason_of(const Candidate& edge) const {
    const std::string_view from_stream = name_of(stream(edge.from));
    const std::string_view to_stream = name_of(stream(edge.to));
    switch (edge.want) {
      case Want::next_op:
        return fmt::format("the next op in the list: {} waits for the output stream {}", to_stream,
                           from_stream);
      case Want::part_entry:
        return fmt::format("{} of {} starts after the entry of its op", name_of(task(edge.to).part),
                           task(edge.to).layer);
      case Want::part_conflict:
      case Want::conflict: {
        const ConflictBytes how = conflict_bytes(accesses(edge.from), accesses(edge.to));
        return fmt::format("{}: the first {}, the second {}", text_of(how.bytes, input_.regions),
                           verb_of(how.first_mode), verb_of(how.second_mode));
      }
      case Want::manual:
        return fmt::format("{}:{}", input_.policy_file, edge.line);
    }
    return {};
  }

  const SyncInput& input_;
  std::vector<TaskConflict> conflicts_;
  std::vector<Candidate> candidates_;
  std::optional<Error> error_;
};

}  // namespace

Result<std::vector<Edge>> plan_sync(const SyncInput& input) {
  assert(input.accesses.size() == input.tasks.size());
  return SyncPlanner(input).plan();
}

}  // namespace quintet
