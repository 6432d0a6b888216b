#include "viewer/model/mapping/policy_edit.h"

#include <algorithm>
#include <fmt/format.h>

#include "runtime/model/op_kind.h"
#include "viewer/model/mapping/policy_lines.h"

namespace quintet {

namespace {

void prepend(StreamPolicy& policy, const std::string& glob, StreamKind stream) {
  std::erase_if(policy.layers, [&](const LayerRule& rule) { return rule.glob == glob; });
  policy.layers.insert(policy.layers.begin(), {glob, stream, 0});
}

/// Takes out the layer rules that name the kind, and the part if one is given.
void drop_globs(StreamPolicy& policy, const std::string& kind, const std::string& part) {
  const std::string middle = "/" + kind + "/";
  std::erase_if(policy.layers, [&](const LayerRule& rule) {
    return part.empty() ? rule.glob.find(middle) != std::string::npos
                        : rule.glob.ends_with(middle + part);
  });
}

void drop_by_subgraph(StreamPolicy& policy, const std::string& kind) {
  std::erase_if(policy.by_subgraph,
                [&](const SubgraphKind& listed) { return listed.kind == kind; });
}

/// Applies one change to a policy; a function for each kind.
class Change {
 public:
  explicit Change(StreamPolicy policy) : policy_(std::move(policy)) {}

  Result<StreamPolicy> operator()(const SetKindStream& set) {
    policy_.parts[set.kind + "/" + set.part] = {set.stream, 0};
    drop_globs(policy_, set.kind, set.part);
    if (set.over_globs) prepend(policy_, "*/" + set.kind + "/" + set.part, set.stream);
    return std::move(policy_);
  }
  Result<StreamPolicy> operator()(const SetOpStream& set) {
    policy_.ops[set.kind] = {set.stream, 0};
    std::erase_if(policy_.parts,
                  [&](const auto& rule) { return rule.first.starts_with(set.kind + "/"); });
    drop_globs(policy_, set.kind, {});
    drop_by_subgraph(policy_, set.kind);
    if (set.over_globs) prepend(policy_, "*/" + set.kind + "/*", set.stream);
    return std::move(policy_);
  }
  Result<StreamPolicy> operator()(const SetLayerStreams& set) {
    for (auto glob = set.globs.rbegin(); glob != set.globs.rend(); ++glob)
      prepend(policy_, *glob, set.stream);
    return std::move(policy_);
  }
  Result<StreamPolicy> operator()(const SetLaunchStream& set) {
    policy_.subgraphs[set.graph] = {set.stream, 0};
    return std::move(policy_);
  }
  Result<StreamPolicy> operator()(const SetPriority& set) {
    policy_.priorities[index_of(set.stream)] = set.priority;
    return std::move(policy_);
  }
  Result<StreamPolicy> operator()(const SetSync& set) {
    policy_.sync = set.rule;
    policy_.edges = set.rule == SyncRule::manual ? set.edges : std::vector<ManualEdge>{};
    return std::move(policy_);
  }
  Result<StreamPolicy> operator()(const SetGradients& set) {
    policy_.gradients = set.mode;
    return std::move(policy_);
  }
  Result<StreamPolicy> operator()(const SetStep& set) {
    policy_.step = set.mode;
    return std::move(policy_);
  }
  Result<StreamPolicy> operator()(const AddEdge& add) {
    if (policy_.sync != SyncRule::manual) {
      return fail(fmt::format("sync = \"{}\" plans its own edges", name_of(policy_.sync)),
                  "set sync = \"manual\" first: it begins with the edges of now");
    }
    if (std::find(policy_.edges.begin(), policy_.edges.end(), add.edge) != policy_.edges.end()) {
      return fail(fmt::format("{} waits for {} already", add.edge.to, add.edge.from));
    }
    policy_.edges.push_back(add.edge);
    return std::move(policy_);
  }
  Result<StreamPolicy> operator()(const RemoveEdge& remove) {
    if (std::erase(policy_.edges, remove.edge) == 0) {
      return fail(fmt::format("no edge is listed from {} to {}", remove.edge.from, remove.edge.to),
                  policy_.sync == SyncRule::manual ? "" : "set sync = \"manual\" first");
    }
    return std::move(policy_);
  }
  Result<StreamPolicy> operator()(const SetName& set) {
    policy_.name = set.name;
    return std::move(policy_);
  }
  Result<StreamPolicy> operator()(const ReplaceText& replace) const {
    return parse_policy(replace.toml, policy_.file);
  }

 private:
  StreamPolicy policy_;
};

/// The lines that a change writes.
struct Lines {
  std::vector<std::string> operator()(const SetKindStream& set) const {
    std::vector<std::string> lines = {part_line(set.kind + "/" + set.part)};
    if (set.over_globs) lines.push_back(layer_line("*/" + set.kind + "/" + set.part));
    return lines;
  }
  std::vector<std::string> operator()(const SetOpStream& set) const {
    std::vector<std::string> lines = {op_line(set.kind)};
    if (set.over_globs) lines.push_back(layer_line("*/" + set.kind + "/*"));
    return lines;
  }
  std::vector<std::string> operator()(const SetLayerStreams& set) const {
    std::vector<std::string> lines;
    for (const std::string& glob : set.globs)
      lines.push_back(layer_line(glob));
    return lines;
  }
  std::vector<std::string> operator()(const SetLaunchStream& set) const {
    return {subgraph_line(set.graph)};
  }
  std::vector<std::string> operator()(const SetPriority& set) const {
    return {priority_line(set.stream)};
  }
  std::vector<std::string> operator()(const SetSync& /*set*/) const { return {head_line("sync")}; }
  std::vector<std::string> operator()(const SetGradients& /*set*/) const {
    return {head_line("gradients")};
  }
  std::vector<std::string> operator()(const SetStep& /*set*/) const { return {head_line("step")}; }
  std::vector<std::string> operator()(const AddEdge& add) const { return {edge_line(add.edge)}; }
  std::vector<std::string> operator()(const RemoveEdge& /*remove*/) const { return {}; }
  std::vector<std::string> operator()(const SetName& /*set*/) const { return {head_line("name")}; }
  std::vector<std::string> operator()(const ReplaceText& /*replace*/) const { return {}; }
};

/// True where, after the change, some task that it means is still elsewhere.
template <class Means>
bool outvoted(std::span<const Task> tasks, const StreamPolicy& policy, const PolicyChange& change,
              StreamKind stream, Means&& means) {
  const Result<StreamPolicy> after = changed(policy, change);
  if (!after) return false;
  return std::any_of(tasks.begin(), tasks.end(), [&](const Task& task) {
    if (!means(task)) return false;
    const Result<StreamChoice> choice = stream_of(*after, task);
    return choice && choice->stream != stream;
  });
}

PolicyEdit move_layers(std::span<const Task> tasks, const Task& task, StreamKind stream,
                       bool after) {
  const std::string suffix = fmt::format("/{}/{}", name_of(task.kind), name_of(task.part));
  // By their first task: in the shape of evaluation the same layers come once more, later.
  std::vector<std::string_view> layers;
  for (const Task& other : tasks) {
    if (other.kind != task.kind || other.part != task.part) continue;
    if (std::find(layers.begin(), layers.end(), other.layer) == layers.end()) {
      layers.push_back(other.layer);
    }
  }
  const auto first = std::find(layers.begin(), layers.end(), task.layer);
  const auto last = after ? layers.end() : std::min(first + 1, layers.end());
  SetLayerStreams set{{}, stream};
  for (auto layer = first; layer < last; ++layer)
    set.globs.push_back(std::string(*layer) + suffix);
  const std::string what = short_name(name_of(task.kind), name_of(task.part));
  return {std::move(set), fmt::format("{} of {}{} -> {}", what, task.layer,
                                      after ? " and after" : "", name_of(stream))};
}

}  // namespace

std::string short_name(std::string_view kind, std::string_view part) {
  const bool gradient = part == "dW" || part == "dB" || part == "dX";
  std::string name;
  for (std::size_t begin = 0; begin <= kind.size();) {
    const std::size_t end = std::min(kind.find('_', begin), kind.size());
    const std::string_view word = kind.substr(begin, end - begin);
    begin = end + 1;
    if (word == "FP32" || word == "AMP" || (gradient && word == "BWD")) continue;
    if (!name.empty()) name += ' ';
    for (const char letter : word)
      name += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return gradient ? fmt::format("{} {}", name, part) : name;
}

PolicyEdit move_task(std::span<const Task> tasks, const StreamPolicy& policy, const Task& task,
                     StreamKind stream, MoveReach reach) {
  const std::string kind(name_of(task.kind));
  const std::string part(name_of(task.part));
  switch (reach) {
    case MoveReach::kind: {
      SetKindStream set{kind, part, stream, false};
      set.over_globs = outvoted(tasks, policy, set, stream, [&](const Task& other) {
        return other.kind == task.kind && other.part == task.part && !runs_on_host(other.graph);
      });
      return {set, fmt::format("{} -> {}", short_name(kind, part), name_of(stream))};
    }
    case MoveReach::op: {
      SetOpStream set{kind, stream, false};
      set.over_globs = outvoted(tasks, policy, set, stream, [&](const Task& other) {
        return other.kind == task.kind && !runs_on_host(other.graph);
      });
      return {set, fmt::format("{} -> {}", short_name(kind, {}), name_of(stream))};
    }
    case MoveReach::layer:
      return move_layers(tasks, task, stream, false);
    case MoveReach::layer_after:
      return move_layers(tasks, task, stream, true);
  }
  return {};
}

PolicyEdit launch_on(GraphId graph, StreamKind stream) {
  return {SetLaunchStream{graph, stream},
          fmt::format("launch {} on {}", name_of(graph), name_of(stream))};
}

PolicyEdit set_priority(StreamKind stream, int priority) {
  return {SetPriority{stream, priority},
          fmt::format("priority {} = {}", name_of(stream), priority)};
}

PolicyEdit set_sync(SyncRule rule, std::vector<ManualEdge> edges) {
  return {SetSync{rule, std::move(edges)}, fmt::format("sync = {}", name_of(rule))};
}

PolicyEdit set_gradients(GradientMode mode) {
  return {SetGradients{mode}, fmt::format("gradients = {}", name_of(mode))};
}

PolicyEdit set_step(StepMode mode) {
  return {SetStep{mode}, fmt::format("step = {}", name_of(mode))};
}

PolicyEdit add_edge(ManualEdge edge) {
  std::string name = fmt::format("{} waits for {}", edge.to, edge.from);
  return {AddEdge{std::move(edge)}, std::move(name)};
}

PolicyEdit remove_edge(ManualEdge edge) {
  std::string name = fmt::format("{} no longer waits for {}", edge.to, edge.from);
  return {RemoveEdge{std::move(edge)}, std::move(name)};
}

PolicyEdit rename_policy(std::string name) {
  std::string text = fmt::format("name = {}", name);
  return {SetName{std::move(name)}, std::move(text)};
}

PolicyEdit replace_text(std::string toml) {
  return {ReplaceText{std::move(toml)}, "edit of the text"};
}

PolicyEdit begin_with(const StreamPolicy& policy) {
  return {ReplaceText{save_policy(policy)}, fmt::format("begin with {}", policy.name)};
}

Result<StreamPolicy> changed(StreamPolicy policy, const PolicyChange& change) {
  return std::visit(Change(std::move(policy)), change);
}

std::vector<std::string> lines_of(const PolicyChange& change) {
  return std::visit(Lines{}, change);
}

bool is_move(const PolicyEdit& edit) {
  return std::holds_alternative<SetKindStream>(edit.change) ||
         std::holds_alternative<SetOpStream>(edit.change) ||
         std::holds_alternative<SetLayerStreams>(edit.change) ||
         std::holds_alternative<SetLaunchStream>(edit.change);
}

std::string note_of(const PolicyEdit& edit) {
  return fmt::format("{} by hand: {}", is_move(edit) ? "moved" : "set", edit.name);
}

}  // namespace quintet
