#include "runtime/policy/stream_policy.h"

#include <algorithm>
#include <fmt/format.h>

#include "runtime/model/op_kind.h"
#include "runtime/policy/toml_section.h"

namespace quintet {

namespace {

std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);  // npos + 1 = 0: the whole path
}

StreamChoice chosen(const StreamPolicy& policy, StreamKind stream, int line,
                    std::string_view rule) {
  return {stream,
          fmt::format("{}:{}: {} -> {}", base_name(policy.file), line, rule, name_of(stream)),
          line};
}

Error nothing_lists(const StreamPolicy& policy, const Task& task, std::string_view kind) {
  return {fmt::format("policy {} gives no stream for op kind {}, which task {} is of", policy.name,
                      kind, task.name),
          fmt::format("add {} = \"COMP_1\" (or another stream) under [ops], or \"{}\" to "
                      "by_subgraph",
                      kind, kind),
          policy.file, 0};
}

Error subgraph_unlisted(const StreamPolicy& policy, GraphId graph, std::string_view why, int line) {
  return {
      fmt::format("policy {} gives no stream for sub-graph {}{}", policy.name, name_of(graph), why),
      fmt::format("add {} = \"COMP_1\" (or another stream) under [subgraphs]", name_of(graph)),
      policy.file, line};
}

}  // namespace

/// Linear but for backtracking to the last star.
bool glob_matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      star_text = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return std::all_of(glob.begin() + static_cast<std::ptrdiff_t>(g), glob.end(),
                     [](char letter) { return letter == '*'; });
}

std::string_view name_of(SyncRule rule) {
  switch (rule) {
    case SyncRule::adjacent:
      return "adjacent";
    case SyncRule::adjacent_conflicts:
      return "adjacent+conflicts";
    case SyncRule::dataflow:
      return "dataflow";
    case SyncRule::manual:
      return "manual";
  }
  return {};
}

bool operator==(const StreamPolicy& a, const StreamPolicy& b) {
  return a.name == b.name && a.description == b.description && a.sync == b.sync &&
         a.gradients == b.gradients && a.step == b.step && a.ops == b.ops && a.parts == b.parts &&
         a.layers == b.layers && a.by_subgraph == b.by_subgraph && a.subgraphs == b.subgraphs &&
         a.priorities == b.priorities && a.edges == b.edges && a.issue == b.issue;
}

Result<StreamChoice> stream_of(const StreamPolicy& policy, const Task& task) {
  for (const LayerRule& rule : policy.layers) {
    const bool whole_name = rule.glob.find('/') != std::string::npos;
    if (glob_matches(rule.glob, whole_name ? task.name : task.layer)) {
      StreamChoice choice = chosen(policy, rule.stream, rule.line, "layer glob " + rule.glob);
      if (!rule.reason.empty()) choice.reason += fmt::format(" ({})", rule.reason);
      return choice;
    }
  }
  const std::string kind(name_of(task.kind));
  const std::string part(name_of(task.part));
  for (const std::string& key : {kind + "/" + part, part}) {
    if (const auto rule = policy.parts.find(key); rule != policy.parts.end()) {
      return chosen(policy, rule->second.stream, rule->second.line, "part " + key);
    }
  }
  if (const auto rule = policy.ops.find(kind); rule != policy.ops.end()) {
    return chosen(policy, rule->second.stream, rule->second.line, "op kind " + kind);
  }
  for (const SubgraphKind& listed : policy.by_subgraph) {
    if (listed.kind != kind) continue;
    const auto rule = policy.subgraphs.find(task.graph);
    if (rule == policy.subgraphs.end()) {
      return tl::unexpected(subgraph_unlisted(
          policy, task.graph, fmt::format(", which task {} follows", task.name), listed.line));
    }
    return chosen(policy, rule->second.stream, rule->second.line,
                  fmt::format("{} by sub-graph {}", kind, name_of(task.graph)));
  }
  return tl::unexpected(nothing_lists(policy, task, kind));
}

Result<StreamKind> launch_stream_of(const StreamPolicy& policy, GraphId graph) {
  const auto rule = policy.subgraphs.find(graph);
  if (rule == policy.subgraphs.end()) {
    return tl::unexpected(subgraph_unlisted(policy, graph, " to be launched on", 0));
  }
  return rule->second.stream;
}

std::string save_policy(const StreamPolicy& policy) {
  std::string text = fmt::format("name = {}\n", toml_quoted(policy.name));
  if (!policy.description.empty()) {
    text += fmt::format("description = {}\n", toml_quoted(policy.description));
  }
  text += fmt::format("sync = \"{}\"\ngradients = \"{}\"\nstep = \"{}\"\n", name_of(policy.sync),
                      name_of(policy.gradients), name_of(policy.step));
  if (!policy.by_subgraph.empty()) {
    text += "by_subgraph = [\n";
    for (const SubgraphKind& rule : policy.by_subgraph)
      text += fmt::format("  \"{}\",\n", rule.kind);
    text += "]\n";
  }
  if (!policy.ops.empty()) text += "\n[ops]\n";
  for (const auto& [kind, rule] : policy.ops)
    text += fmt::format("{} = \"{}\"\n", kind, name_of(rule.stream));
  if (!policy.parts.empty()) text += "\n[parts]\n";
  for (const auto& [part, rule] : policy.parts)
    text += fmt::format("\"{}\" = \"{}\"\n", part, name_of(rule.stream));
  if (!policy.subgraphs.empty()) text += "\n[subgraphs]\n";
  for (const auto& [graph, rule] : policy.subgraphs)
    text += fmt::format("{} = \"{}\"\n", name_of(graph), name_of(rule.stream));
  text += "\n[priorities]\n";
  for (const StreamKind stream : kStreamKinds)
    text += fmt::format("{} = {}\n", name_of(stream), policy.priorities[index_of(stream)]);
  for (const LayerRule& rule : policy.layers) {
    text += fmt::format("\n[[layers]]\nglob = {}\nstream = \"{}\"\n", toml_quoted(rule.glob),
                        name_of(rule.stream));
    if (!rule.reason.empty()) text += fmt::format("reason = {}\n", toml_quoted(rule.reason));
  }
  for (const IssueRule& rule : policy.issue) {
    text += fmt::format("\n[[issue]]\ntask = {}\nafter = {}\n", toml_quoted(rule.task),
                        toml_quoted(rule.after));
    if (!rule.reason.empty()) text += fmt::format("reason = {}\n", toml_quoted(rule.reason));
  }
  for (const ManualEdge& edge : policy.edges) {
    text += fmt::format("\n[[edges]]\nfrom = {}\nto = {}\n", toml_quoted(edge.from),
                        toml_quoted(edge.to));
  }
  return text;
}

}  // namespace quintet
