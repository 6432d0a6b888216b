#include "tests/support/random_policy.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/policy/policy_catalog.h"
#include "tests/support/random.h"

namespace quintet::test {

namespace {

StreamPolicy value_or_die(Result<StreamPolicy> policy) {
  if (policy) return std::move(*policy);
  std::fprintf(stderr, "%s\n", to_string(policy.error()).c_str());
  std::abort();
}

class Drawer {
 public:
  Drawer(std::uint64_t seed, std::span<const Task> tasks) : random_(seed) {
    for (const Task& task : tasks) {
      if (!runs_on_host(task.graph)) tasks_.push_back(&task);
    }
    streams_.assign(kStreamKinds.begin(), kStreamKinds.end());
    std::shuffle(streams_.begin(), streams_.end(), random_.engine());
    streams_.resize(below(kStreamCount) + 1);
  }

  StreamPolicy draw() {
    const auto builtins = policy_catalog();
    policy_ = value_or_die(find_policy(std::string(builtins[below(builtins.size())].name)));
    policy_.sync = pick(std::array{SyncRule::dataflow, SyncRule::dataflow,
                                   SyncRule::adjacent_conflicts, SyncRule::adjacent});
    policy_.gradients = pick(std::array{GradientMode::in_place, GradientMode::separate});
    policy_.step =
        pick(std::array{StepMode::host_sync, StepMode::event_sync, StepMode::whole_step});
    draw_kinds();
    draw_parts();
    draw_layers();
    draw_launches();
    for (int& priority : policy_.priorities)
      priority = -static_cast<int>(below(6));
    draw_issue();
    return policy_;
  }

 private:
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(count) - 1));
  }
  bool by_chance(std::int64_t percent) { return random_.integer(0, 99) < percent; }
  template <class List>
  typename List::value_type pick(const List& list) {
    return list[below(list.size())];
  }
  StreamKind stream() { return pick(streams_); }
  const Task& task() { return *pick(tasks_); }

  void draw_kinds() {
    const std::int64_t percent = pick(std::array{10, 50, 100});
    for (auto& [kind, rule] : policy_.ops) {
      if (by_chance(percent)) rule.stream = stream();
    }
    if (!by_chance(50)) return;
    for (const SubgraphKind& kind : policy_.by_subgraph)
      policy_.ops[kind.kind] = {stream(), 0};
    policy_.by_subgraph.clear();
  }

  void draw_parts() {
    const std::int64_t percent = pick(std::array{0, 40, 100});
    for (auto& [part, rule] : policy_.parts) {
      if (by_chance(percent)) rule.stream = stream();
    }
    for (const TaskPart part : {TaskPart::dW, TaskPart::dB, TaskPart::dX, TaskPart::update}) {
      if (by_chance(15)) policy_.parts[std::string(name_of(part))] = {stream(), 0};
    }
    for (std::size_t rules = below(4); rules > 0; --rules) {
      const Task& of = task();
      policy_.parts[fmt::format("{}/{}", name_of(of.kind), name_of(of.part))] = {stream(), 0};
    }
  }

  /// Whole layers, what begins like one, and single tasks.
  void draw_layers() {
    for (std::size_t rules = below(6); rules > 0; --rules) {
      const Task& of = task();
      const std::string start = of.layer.substr(0, 1 + of.layer.size() / 2) + "*";
      const std::string glob = pick(std::array{of.layer, start, of.name});
      if (!glob.empty()) policy_.layers.push_back({glob, stream(), 0, "drawn"});
    }
  }

  /// Rarely: sub-graphs beside each other share workspaces, which the proof refuses.
  void draw_launches() {
    const std::int64_t percent = pick(std::array{0, 0, 5, 100});
    for (auto& [graph, rule] : policy_.subgraphs) {
      if (by_chance(percent)) rule.stream = stream();
    }
  }

  /// Mostly gradients of weights: little waits for them, so that they can be delayed.
  const Task& delayed_task() {
    const Task* chosen = &task();
    for (int again = 0; again < 5 && chosen->part != TaskPart::dW && chosen->part != TaskPart::dB;
         ++again)
      chosen = &task();
    return *chosen;
  }

  void draw_issue() {
    for (std::size_t rules = below(4); rules > 0; --rules) {
      const Task* delayed = &delayed_task();
      const Task* after = &task();
      if (delayed->graph != after->graph || delayed->name == after->name) continue;
      if (after->id < delayed->id && !by_chance(10)) std::swap(delayed, after);
      policy_.issue.push_back({delayed->name, after->name, 0, "drawn"});
    }
  }

  TestRandom random_;
  std::vector<const Task*> tasks_;
  std::vector<StreamKind> streams_;  ///< those that rules may name
  StreamPolicy policy_;
};

StreamPolicy as_read_from_file(const StreamPolicy& policy, const std::string& file) {
  return value_or_die(parse_policy(save_policy(policy), file));
}

}  // namespace

StreamPolicy random_policy(std::uint64_t seed, std::span<const Task> tasks) {
  StreamPolicy policy = Drawer(seed, tasks).draw();
  policy.name = fmt::format("random-{}", seed);
  policy.description = "Drawn at random";
  return as_read_from_file(policy, policy.name + ".toml");
}

StreamPolicy with_listed_waits(StreamPolicy policy, const ExecutionPlan& plan, std::uint64_t seed) {
  std::set<std::pair<std::string, std::string>> waits;  // a wait of several graphs is listed once
  for (const auto& [key, graph] : plan.graphs) {
    for (const Edge& edge : graph.edges)
      waits.emplace(plan.task(edge.from).name, plan.task(edge.to).name);
  }
  policy.sync = SyncRule::manual;
  for (const auto& [from, to] : waits)
    policy.edges.push_back({from, to, 0});
  if (seed % 2 == 1 && !policy.edges.empty()) {
    TestRandom random(seed);
    policy.edges.erase(policy.edges.begin() +
                       random.integer(0, static_cast<std::int64_t>(policy.edges.size()) - 1));
  }
  return as_read_from_file(policy, policy.file);
}

}  // namespace quintet::test
