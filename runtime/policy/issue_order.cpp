#include "runtime/policy/issue_order.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <string_view>

#include "runtime/policy/nearest_name.h"
#include "runtime/policy/task_conflicts.h"

namespace quintet {

namespace {

/// Positions in program order stand for tasks in this file.
using Position = std::uint32_t;

/// Those of the tasks left that nothing holds back, the first in program order first.
using ReadyTasks = std::priority_queue<Position, std::vector<Position>, std::greater<>>;

/// An arc that a rule gives.
struct RuleArc {
  Position after = 0;
  Position task = 0;
  std::size_t rule = 0;
};

class Issuer {
 public:
  explicit Issuer(const IssueInput& input)
      : input_(input), successors_(input.placed.size()), held_by_(input.placed.size()) {}

  Result<std::vector<PlacedTask>> issue() {
    add_conflicts();
    add_rules();
    ReadyTasks ready;
    for (Position at = 0; at < size(); ++at) {
      if (held_by_[at] == 0) ready.push(at);
    }
    std::vector<PlacedTask> issued;
    issued.reserve(size());
    while (!ready.empty()) {
      const Position at = ready.top();
      ready.pop();
      issued.push_back(input_.placed[at]);
      for (const Position next : successors_[at]) {
        if (--held_by_[next] == 0) ready.push(next);
      }
    }
    if (issued.size() < size()) return tl::unexpected(circle());
    return issued;
  }

 private:
  Position size() const { return static_cast<Position>(input_.placed.size()); }
  const Task& task(Position at) const { return input_.tasks[input_.placed[at].task.value()]; }

  void link(Position from, Position to) {
    successors_[from].push_back(to);
    ++held_by_[to];
  }

  void add_conflicts() {
    std::vector<std::span<const Access>> accesses;
    for (const PlacedTask& placed : input_.placed)
      accesses.emplace_back(input_.accesses[placed.task.value()]);
    for (const TaskConflict& conflict : find_conflicts(accesses, ScratchPairs::grouped).pairs) {
      if (conflict.either_order || conflict.first == conflict.second) continue;
      const bool in_order =
          input_.placed[conflict.first].task < input_.placed[conflict.second].task;
      link(in_order ? conflict.first : conflict.second,
           in_order ? conflict.second : conflict.first);
    }
  }

  void add_rules() {
    std::multimap<std::string_view, Position> named;
    for (Position at = 0; at < size(); ++at)
      named.emplace(task(at).name, at);
    for (std::size_t rule = 0; rule < input_.rules.size(); ++rule) {
      const auto [first, last] = named.equal_range(input_.rules[rule].after);
      if (first == last) continue;  // of another graph
      for (Position at = 0; at < size(); ++at) {
        if (!glob_matches(input_.rules[rule].task, task(at).name)) continue;
        for (auto after = first; after != last; ++after) {
          if (after->second == at) continue;
          link(after->second, at);
          rule_arcs_.push_back({after->second, at, rule});
        }
      }
    }
  }

  bool leads(Position from, Position to) const {
    std::vector<bool> seen(size());
    std::vector<Position> open{from};
    while (!open.empty()) {
      const Position at = open.back();
      open.pop_back();
      if (at == to) return true;
      if (seen[at]) continue;
      seen[at] = true;
      open.insert(open.end(), successors_[at].begin(), successors_[at].end());
    }
    return false;
  }

  /// Conflicts alone are no circle, so a rule is in it.
  Error circle() const {
    const auto guilty = std::find_if(rule_arcs_.begin(), rule_arcs_.end(), [&](const RuleArc& arc) {
      return held_by_[arc.task] > 0 && held_by_[arc.after] > 0 && leads(arc.task, arc.after);
    });
    assert(guilty != rule_arcs_.end());
    return {fmt::format("{} is to be issued after {}, which conflicts or other rules put after it",
                        task(guilty->task).name, task(guilty->after).name),
            "delete the rule, or name an earlier task in after", input_.policy_file,
            input_.rules[guilty->rule].line};
  }

  const IssueInput& input_;
  std::vector<std::vector<Position>> successors_;
  std::vector<Position> held_by_;
  std::vector<RuleArc> rule_arcs_;
};

}  // namespace

Result<std::vector<PlacedTask>> issue_order(const IssueInput& input) {
  return Issuer(input).issue();
}

Result<void> check_issue_rules(const StreamPolicy& policy, std::span<const Task> tasks) {
  if (policy.issue.empty()) return {};
  std::vector<std::string_view> names;
  for (const Task& task : tasks)
    names.push_back(task.name);
  std::sort(names.begin(), names.end());
  for (const IssueRule& rule : policy.issue) {
    const auto unknown = [&](const std::string& name, std::string_view key) {
      return fail(fmt::format("an issue rule names no task: {} = \"{}\"", key, name),
                  suggestion(name, names), policy.file, rule.line);
    };
    if (!std::binary_search(names.begin(), names.end(), std::string_view(rule.after)))
      return unknown(rule.after, "after");
    const bool exact = std::binary_search(names.begin(), names.end(), std::string_view(rule.task));
    const auto matches = [&](std::string_view name) { return glob_matches(rule.task, name); };
    if (!exact && std::none_of(names.begin(), names.end(), matches))
      return unknown(rule.task, "task");
  }
  return {};
}

std::vector<IssueDelay> delays_for(std::span<const std::uint32_t> order, std::span<const Arc> arcs,
                                   std::span<const StreamKind> streams) {
  std::vector<std::vector<Position>> successors(order.size());
  std::vector<Position> held_by(order.size());
  for (const Arc& arc : arcs) {
    successors[arc.from].push_back(arc.to);
    ++held_by[arc.to];
  }
  // The task that is to come just before each on its stream.
  std::vector<std::optional<Position>> before(order.size());
  std::array<std::optional<Position>, kStreamCount> last;
  for (const Position at : order) {
    before[at] = last[index_of(streams[at])];
    last[index_of(streams[at])] = at;
  }
  std::vector<bool> issued(order.size());
  std::vector<std::vector<Position>> delayed(order.size());
  std::vector<IssueDelay> delays;
  ReadyTasks ready;
  for (Position at = 0; at < order.size(); ++at) {
    if (held_by[at] == 0) ready.push(at);
  }
  while (!ready.empty()) {
    const Position at = ready.top();
    ready.pop();
    if (before[at] && !issued[*before[at]]) {
      delays.push_back({at, *before[at]});
      delayed[*before[at]].push_back(at);
      continue;
    }
    issued[at] = true;
    for (const Position next : delayed[at])
      ready.push(next);
    for (const Position next : successors[at]) {
      if (--held_by[next] == 0) ready.push(next);
    }
  }
  return delays;
}

}  // namespace quintet
