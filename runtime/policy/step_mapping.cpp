#include "runtime/policy/step_mapping.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>

#include "runtime/policy/issue_order.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet {

namespace {

using StreamCounts = std::array<std::size_t, kStreamCount>;

StreamKind most_common(const StreamCounts& counts) {
  const auto most = std::max_element(counts.begin(), counts.end());
  return kStreamKinds[static_cast<std::size_t>(most - counts.begin())];
}

bool is_linear_extension(std::span<const std::uint32_t> order, const StepDag& dag) {
  if (order.size() != dag.size()) return false;
  std::vector<bool> issued(dag.size());
  for (const std::uint32_t at : order) {
    if (at >= dag.size() || issued[at]) return false;
    for (const std::uint32_t before : dag.before(at)) {
      if (!issued[before]) return false;
    }
    issued[at] = true;
  }
  return true;
}

class PolicyWriter {
 public:
  PolicyWriter(const StepMapping& mapping, const StepDag& dag, std::span<const Task> tasks,
               StreamPolicy base)
      : mapping_(mapping), dag_(dag), tasks_(tasks), policy_(std::move(base)) {}

  StreamPolicy write() {
    add_kinds();
    add_parts();
    add_exceptions();
    add_issue_rules();
    policy_.priorities = mapping_.priorities;
    return std::move(policy_);
  }

 private:
  const Task& task(std::uint32_t at) const { return tasks_[dag_.node(at).task.value()]; }
  std::string kind(std::uint32_t at) const { return std::string(name_of(task(at).kind)); }
  std::string part_key(std::uint32_t at) const {
    return fmt::format("{}/{}", name_of(task(at).kind), name_of(task(at).part));
  }

  void add_kinds() {
    std::map<std::string, StreamCounts> kinds;
    for (std::uint32_t at = 0; at < dag_.size(); ++at)
      ++kinds[kind(at)][index_of(mapping_.streams[at])];
    for (const auto& [kind, counts] : kinds) {
      if (follows_subgraphs(kind)) continue;
      policy_.ops[kind] = {most_common(counts), 0};
      std::erase_if(policy_.by_subgraph,
                    [&](const SubgraphKind& rule) { return rule.kind == kind; });
      std::erase_if(policy_.parts,
                    [&](const auto& rule) { return rule.first.starts_with(kind + "/"); });
    }
  }

  /// The base has the kind on the streams that its sub-graphs are launched on, and so has the
  /// mapping.
  bool follows_subgraphs(const std::string& kind_name) const {
    const auto listed = [&](const SubgraphKind& rule) { return rule.kind == kind_name; };
    if (std::none_of(policy_.by_subgraph.begin(), policy_.by_subgraph.end(), listed)) return false;
    for (std::uint32_t at = 0; at < dag_.size(); ++at) {
      if (kind(at) != kind_name) continue;
      const Result<StreamKind> launched = launch_stream_of(policy_, task(at).graph);
      if (!launched || *launched != mapping_.streams[at]) return false;
    }
    return true;
  }

  void add_parts() {
    std::map<std::string, StreamCounts> parts;
    for (std::uint32_t at = 0; at < dag_.size(); ++at) {
      if (policy_.ops.contains(kind(at))) ++parts[part_key(at)][index_of(mapping_.streams[at])];
    }
    for (const auto& [part, counts] : parts) {
      const StreamKind stream = most_common(counts);
      if (policy_.ops.at(part.substr(0, part.find('/'))).stream != stream)
        policy_.parts[part] = {stream, 0};
    }
  }

  StreamKind by_rule(std::uint32_t at) const {
    if (!policy_.ops.contains(kind(at))) return mapping_.streams[at];  // by its sub-graph
    const auto part = policy_.parts.find(part_key(at));
    return part == policy_.parts.end() ? policy_.ops.at(kind(at)).stream : part->second.stream;
  }

  void add_exceptions() {
    for (std::uint32_t at = 0; at < dag_.size(); ++at) {
      if (by_rule(at) == mapping_.streams[at]) continue;
      LayerRule rule{task(at).name, mapping_.streams[at], 0};
      if (!mapping_.reasons.empty()) rule.reason = mapping_.reasons[at];
      policy_.layers.push_back(std::move(rule));
    }
  }

  void add_issue_rules() {
    for (const IssueDelay& delay : delays_for(mapping_.order, dag_.arcs(), mapping_.streams)) {
      policy_.issue.push_back(
          {task(delay.task).name, task(delay.after).name, 0,
           fmt::format("{} runs them in this order", name_of(mapping_.streams[delay.task]))});
    }
  }

  const StepMapping& mapping_;
  const StepDag& dag_;
  std::span<const Task> tasks_;
  StreamPolicy policy_;
};

}  // namespace

StepMapping one_stream(const StepDag& dag) {
  StepMapping mapping;
  mapping.order.resize(dag.size());
  std::iota(mapping.order.begin(), mapping.order.end(), 0U);
  for (const DagNode& node : dag.nodes())
    mapping.streams.push_back(node.fixed.value_or(StreamKind::COMP_1));
  return mapping;
}

Result<StreamPolicy> policy_of(const StepMapping& mapping, const StepDag& dag,
                               std::span<const Task> tasks, const PolicyHead& head) {
  if (mapping.streams.size() != dag.size() || !is_linear_extension(mapping.order, dag)) {
    return fail(
        fmt::format("the order of {} is no linear extension of the step's conflicts", head.name),
        "issue each task once, and after all that it conflicts with");
  }
  Result<StreamPolicy> policy = find_policy("renaissance-dataflow");
  if (!policy) return policy;
  policy->name = head.name;
  policy->description = head.description;
  policy->sync = SyncRule::dataflow;
  policy->gradients = head.knobs.gradients;
  policy->step = head.knobs.step;
  const StreamPolicy written = PolicyWriter(mapping, dag, tasks, std::move(*policy)).write();
  return parse_policy(save_policy(written), head.name + ".toml");
}

}  // namespace quintet
