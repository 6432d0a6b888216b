#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "runtime/model/op_kind.h"
#include "runtime/policy/nearest_name.h"
#include "runtime/policy/stream_policy.h"
#include "runtime/policy/toml_section.h"

namespace quintet {

namespace {

constexpr std::array kSyncRules = {SyncRule::adjacent, SyncRule::adjacent_conflicts,
                                   SyncRule::dataflow, SyncRule::manual};
constexpr std::array kGradientModes = {GradientMode::in_place, GradientMode::separate};
constexpr std::array kStepModes = {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step};
/// What CUDA devices offer; a number outside would be clamped in silence there.
constexpr Bounds<std::int64_t> kPriorities{kMostUrgentPriority, 0};

template <class Values>
std::vector<std::string_view> names_of(const Values& values) {
  std::vector<std::string_view> names;
  for (const auto value : values)
    names.push_back(name_of(value));
  return names;
}

bool is_view(OpKind kind) {
  return kind == OpKind(ComputeOp::FLATTEN);
}

std::vector<std::string_view> kinds_with_tasks() {
  std::vector<std::string_view> names;
  for (const OpKind kind : all_op_kinds()) {
    if (!runs_on_host(kind) && !is_view(kind)) names.push_back(name_of(kind));
  }
  return names;
}

std::vector<std::string_view> parts_on_streams() {
  std::vector<std::string_view> names;
  for (std::size_t part = 0; part < kTaskPartCount; ++part) {
    if (static_cast<TaskPart>(part) != TaskPart::host) {
      names.push_back(name_of(static_cast<TaskPart>(part)));
    }
  }
  return names;
}

/// Reads one policy: a function for each table of the file.
class PolicyParser {
 public:
  PolicyParser(TomlSection root, TomlErrors& errors, const std::string& file)
      : root_(std::move(root)), errors_(errors) {
    policy_.file = file;
  }

  StreamPolicy parse() {
    read_head();
    read_ops();
    read_parts();
    read_layers();
    read_by_subgraph();
    read_subgraphs();
    read_priorities();
    read_edges();
    read_issue();
    root_.finish();
    return std::move(policy_);
  }

 private:
  void read_head() {
    const auto name = root_.text("name");
    root_.require("name", name.has_value(), "name = \"my-policy\"");
    if (name) policy_.name = name->value;
    if (name && name->value.empty()) errors_.add(name->line, "name is empty", "give it a name");
    if (const auto text = root_.text("description")) policy_.description = text->value;
    read_enum("sync", kSyncRules, policy_.sync, "sync = \"dataflow\"");
    read_enum("gradients", kGradientModes, policy_.gradients, "gradients = \"in_place\"");
    read_enum("step", kStepModes, policy_.step, "step = \"host_sync\"");
  }

  template <class Values, class Value>
  void read_enum(std::string_view key, const Values& values, Value& into,
                 std::string_view example) {
    const auto choice = root_.choice(key, names_of(values));
    root_.require(key, choice.has_value(), example);
    if (choice) into = values[choice->value];
  }

  std::optional<StreamKind> stream_named(const std::string& name, int line) {
    const auto stream = stream_from_name(name);
    if (!stream) {
      errors_.add(line, fmt::format("unknown stream \"{}\"", name),
                  suggestion(name, names_of(kStreamKinds)));
    }
    return stream;
  }

  /// Reports a kind that is not known or that no stream could run.
  bool check_kind(const std::string& name, int line) {
    const auto kind = op_kind_from_name(name);
    if (!kind) {
      errors_.add(line, fmt::format("unknown op kind \"{}\"", name),
                  suggestion(name, kinds_with_tasks()));
    } else if (runs_on_host(*kind)) {
      errors_.add(line, fmt::format("{} is run by a host thread and takes no stream", name),
                  "delete the rule");
    } else if (is_view(*kind)) {
      errors_.add(line, fmt::format("{} is a view without a task and takes no stream", name),
                  "delete the rule");
    } else {
      return true;
    }
    return false;
  }

  void read_ops() {
    for (const TextEntry& entry : root_.section("ops").text_entries()) {
      const bool known = check_kind(entry.key, entry.line);
      const auto stream = stream_named(entry.value, entry.line);
      if (known && stream) policy_.ops[entry.key] = {*stream, entry.line};
    }
  }

  void read_parts() {
    for (const TextEntry& entry : root_.section("parts").text_entries()) {
      const std::size_t slash = entry.key.find('/');
      const std::string part = slash == std::string::npos ? entry.key : entry.key.substr(slash + 1);
      bool known = slash == std::string::npos || check_kind(entry.key.substr(0, slash), entry.line);
      const auto parts = parts_on_streams();
      if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
        errors_.add(entry.line, fmt::format("unknown part \"{}\"", part), suggestion(part, parts));
        known = false;
      }
      const auto stream = stream_named(entry.value, entry.line);
      if (known && stream) policy_.parts[entry.key] = {*stream, entry.line};
    }
  }

  void read_layers() {
    for (TomlSection& layer : root_.sections("layers")) {
      const auto glob = layer.text("glob");
      const auto name = layer.text("stream");
      const auto reason = layer.text("reason");
      layer.require("glob", glob.has_value(), "glob = \"conv*\"");
      layer.require("stream", name.has_value(), "stream = \"COMP_1\"");
      layer.finish();
      if (glob && glob->value.empty()) {
        errors_.add(glob->line, "layers.glob is empty and matches nothing",
                    "write \"*\" for every layer");
      }
      const auto stream = name ? stream_named(name->value, name->line) : std::nullopt;
      if (glob && stream) {
        policy_.layers.push_back(
            {glob->value, *stream, glob->line, reason ? reason->value : std::string()});
      }
    }
  }

  void read_by_subgraph() {
    for (const auto& [kind, line] : root_.texts("by_subgraph")) {
      if (!check_kind(kind, line)) continue;
      if (const auto rule = policy_.ops.find(kind); rule != policy_.ops.end()) {
        errors_.add(line,
                    fmt::format("{} takes its sub-graph's stream here and {} in line {}", kind,
                                name_of(rule->second.stream), rule->second.line),
                    "delete one of the two");
        continue;
      }
      const SubgraphKind rule{kind, line};
      auto& kinds = policy_.by_subgraph;
      if (std::find(kinds.begin(), kinds.end(), rule) != kinds.end()) {
        errors_.add(line, fmt::format("by_subgraph lists {} twice", kind), "delete one of the two");
        continue;
      }
      kinds.push_back(rule);
    }
  }

  void read_subgraphs() {
    std::vector<std::string_view> launched;
    for (const GraphId graph : all_graph_ids()) {
      if (!runs_on_host(graph)) launched.push_back(name_of(graph));
    }
    for (const TextEntry& entry : root_.section("subgraphs").text_entries()) {
      const auto graph = graph_from_name(entry.key);
      if (!graph) {
        errors_.add(entry.line, fmt::format("unknown sub-graph \"{}\"", entry.key),
                    suggestion(entry.key, launched));
      } else if (runs_on_host(*graph)) {
        errors_.add(
            entry.line,
            fmt::format("{} is run by a host thread and is launched on no stream", entry.key),
            "delete the rule");
      }
      const auto stream = stream_named(entry.value, entry.line);
      if (graph && stream) policy_.subgraphs[*graph] = {*stream, entry.line};
    }
  }

  void read_priorities() {
    for (const auto& [name, priority] : root_.section("priorities").integer_entries(kPriorities)) {
      if (const auto stream = stream_named(name, priority.line)) {
        policy_.priorities[index_of(*stream)] = static_cast<int>(priority.value);
      }
    }
  }

  void read_edges() {
    for (TomlSection& edge : root_.sections("edges")) {
      const auto from = edge.text("from");
      const auto to = edge.text("to");
      edge.require("from", from.has_value(), "from = \"conv1/CONV_FP32_BWD/dW\"");
      edge.require("to", to.has_value(), "to = \"conv1/CONV_FP32_BWD/dX\"");
      edge.finish();
      if (policy_.sync != SyncRule::manual) {
        errors_.add(edge.line(),
                    fmt::format("an edge is listed, but sync = \"{}\" plans its own edges",
                                name_of(policy_.sync)),
                    "set sync = \"manual\" or delete the edges");
      }
      if (from && to && from->value == to->value) {
        errors_.add(from->line, fmt::format("the edge lets {} wait for itself", to->value),
                    "name another task in from or to");
      }
      if (from && to) policy_.edges.push_back({from->value, to->value, from->line});
    }
  }

  void read_issue() {
    for (TomlSection& rule : root_.sections("issue")) {
      const auto task = rule.text("task");
      const auto after = rule.text("after");
      const auto reason = rule.text("reason");
      rule.require("task", task.has_value(), "task = \"conv*/CONV_FP32_BWD/dW\"");
      rule.require("after", after.has_value(), "after = \"conv1/CONV_FP32_BWD/dX\"");
      rule.finish();
      if (task && after && task->value == after->value) {
        errors_.add(task->line, fmt::format("{} is to be issued after itself", task->value),
                    "name another task in task or after");
      }
      if (task && after) {
        policy_.issue.push_back(
            {task->value, after->value, task->line, reason ? reason->value : std::string()});
      }
    }
  }

  TomlSection root_;
  TomlErrors& errors_;
  StreamPolicy policy_;
};

}  // namespace

Result<StreamPolicy> parse_policy(std::string_view text, const std::string& file) {
  const auto document = TomlDocument::parse(text, file);
  if (!document) return tl::unexpected(document.error());
  TomlErrors errors(file);
  StreamPolicy policy = PolicyParser(document->root(errors), errors, file).parse();
  if (errors.first()) return tl::unexpected(*errors.first());
  return policy;
}

Result<StreamPolicy> load_policy(const std::string& path) {
  const auto text = read_text_file(path, "policy file");
  if (!text) return tl::unexpected(text.error());
  return parse_policy(*text, path);
}

}  // namespace quintet
