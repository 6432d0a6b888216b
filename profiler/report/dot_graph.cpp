#include "profiler/report/dot_graph.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

/// Light enough for black text; told apart with impaired colour vision, too. Lanes beyond them
/// begin again.
constexpr std::array<std::string_view, 8> kLaneColours = {
    "#f6c56f", "#8fc7ef", "#6fcfae", "#f4e98b", "#e3a6c8", "#e9a07a", "#b3b8e8", "#c9c9c9"};

struct EdgeStyle {
  std::string_view rule;
  std::string_view attributes;
};

constexpr std::string_view kLaneOrder = "lane_order";
constexpr std::array<EdgeStyle, 5> kEdgeStyles = {{
    {kLaneOrder, "color=\"#8c8c8c\""},
    {"adjacent", "color=\"#1f6fb4\", style=dashed"},
    {"op_internal", "color=\"#7b3294\", style=dotted"},
    {"conflict", "color=\"#c8102e\", style=bold"},
    {"manual", "color=\"#1a7f37\", style=\"dashed,bold\""},
}};

/// Quoted for DOT. Graphviz reads backslashes and entities in labels: both are disarmed. Line
/// breaks and tabs of names become spaces, what XML forbids or nobody sees is escaped.
std::string dot_text(std::string_view text) {
  std::string result = "\"";
  for (const char each : visible_text(valid_utf8(text), "\n\r\t")) {
    if (each == '"' || each == '\\') result += '\\';
    if (each == '&') {
      result += "&amp;";
    } else {
      result += static_cast<unsigned char>(each) < 0x20 ? ' ' : each;
    }
  }
  return result + '"';
}

class DotWriter {
 public:
  DotWriter(const Trace& trace, std::vector<std::size_t> graphs)
      : trace_(trace), graphs_(std::move(graphs)) {}

  std::string write() {
    const auto scenario = trace_.provenance.find("scenario");
    dot_ = "digraph " +
           dot_text(scenario == trace_.provenance.end() ? "recording" : scenario->second) + " {\n";
    dot_ +=
        "  graph [fontname=\"sans-serif\", rankdir=TB, newrank=true];\n"
        "  node [fontname=\"sans-serif\", fontsize=10, shape=box, style=\"filled,rounded\"];\n"
        "  edge [arrowsize=0.7];\n";
    for (const std::size_t graph : graphs_)
      write_graph(graph);
    write_legend();
    return dot_ + "}\n";
  }

 private:
  static std::string node(std::size_t graph, std::uint32_t task) {
    return fmt::format("\"{}.{}\"", graph, task);
  }

  [[nodiscard]] std::string colour(const TraceTask& task) const {
    if (!task.policy_lane) return "#ffffff";
    return std::string(kLaneColours[task.policy_lane->value() % kLaneColours.size()]);
  }

  [[nodiscard]] std::string lane_name(const TraceTask& task) const {
    return task.policy_lane ? trace_.lanes[task.policy_lane->value()].name : "no lane";
  }

  void write_graph(std::size_t index) {
    const TraceGraph& graph = trace_.graphs[index];
    dot_ +=
        fmt::format("  subgraph \"cluster_{}\" {{\n    label={};\n", index, dot_text(graph.name));
    std::vector<std::string> parts;  // sub-graphs in order of their first task
    std::map<std::string, std::vector<std::uint32_t>> tasks;
    for (const std::uint32_t task : graph.tasks) {
      std::vector<std::uint32_t>& part = tasks[trace_.tasks[task].graph];
      if (part.empty()) parts.push_back(trace_.tasks[task].graph);
      part.push_back(task);
    }
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const bool framed = parts.size() > 1;
      if (framed) {
        dot_ += fmt::format("    subgraph \"cluster_{}_{}\" {{\n      label={};\n", index, part,
                            dot_text(parts[part]));
      }
      for (const std::uint32_t task : tasks[parts[part]])
        write_node(index, task, framed ? "      " : "    ");
      if (framed) dot_ += "    }\n";
    }
    dot_ += "  }\n";
    write_lane_order(index);
    for (const TraceEdge& edge : graph.edges)
      write_edge(index, edge.from, edge.to, edge.rule, edge.reason);
  }

  void write_node(std::size_t graph, std::uint32_t index, std::string_view indent) {
    const TraceTask& task = trace_.tasks[index];
    std::string label = dot_text(task.name);
    label.insert(label.size() - 1, "\\n" + bare_dot_text(lane_name(task)));
    lanes_.insert(task.policy_lane ? task.policy_lane->value() : kNoLane);
    dot_ += fmt::format("{}{} [label={}, fillcolor=\"{}\", tooltip={}];\n", indent,
                        node(graph, index), label, colour(task), dot_text(task.placement_reason));
  }

  static std::string bare_dot_text(std::string_view text) {
    const std::string with = dot_text(text);
    return with.substr(1, with.size() - 2);
  }

  /// Each lane runs its tasks in the order in which they were issued.
  void write_lane_order(std::size_t index) {
    std::map<std::uint32_t, std::uint32_t> last;
    for (const std::uint32_t task : trace_.graphs[index].tasks) {
      const auto& lane = trace_.tasks[task].policy_lane;
      if (!lane) continue;
      const auto before = last.find(lane->value());
      if (before != last.end())
        write_edge(index, before->second, task, kLaneOrder, lane_name(trace_.tasks[task]));
      last[lane->value()] = task;
    }
  }

  void write_edge(std::size_t graph, std::uint32_t from, std::uint32_t to, std::string_view rule,
                  std::string_view reason) {
    const auto style = std::find_if(kEdgeStyles.begin(), kEdgeStyles.end(),
                                    [rule](const EdgeStyle& each) { return each.rule == rule; });
    dot_ += fmt::format("  {} -> {} [{}{}class={}, tooltip={}];\n", node(graph, from),
                        node(graph, to), style == kEdgeStyles.end() ? "" : style->attributes,
                        style == kEdgeStyles.end() ? "" : ", ", dot_text(rule), dot_text(reason));
  }

  void write_legend() {
    dot_ += "  subgraph \"cluster_lanes\" {\n    label=\"policy lanes\";\n";
    for (const std::uint32_t lane : lanes_) {
      TraceTask on;
      if (lane != kNoLane) on.policy_lane = LaneId(lane);
      dot_ += fmt::format("    \"lane.{}\" [label={}, fillcolor=\"{}\", shape=plain];\n",
                          lane == kNoLane ? "none" : std::to_string(lane), dot_text(lane_name(on)),
                          colour(on));
    }
    dot_ += "  }\n";
  }

  static constexpr std::uint32_t kNoLane = 0xFFFFFFFF;

  const Trace& trace_;
  std::vector<std::size_t> graphs_;
  std::set<std::uint32_t> lanes_;  ///< that tasks are on
  std::string dot_;
};

/// Indices of the graphs that `name` means.
std::vector<std::size_t> chosen_graphs(const Trace& trace, const std::string& name) {
  std::vector<std::size_t> graphs;
  for (std::size_t index = 0; index < trace.graphs.size(); ++index) {
    const TraceGraph& graph = trace.graphs[index];
    if (!graph.tasks.empty() && (name.empty() || graph.name == name)) graphs.push_back(index);
  }
  return graphs;
}

/// Names to choose from; those that hold what was asked for come first.
std::string graph_names(const Trace& trace, const std::string& asked) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> names;
  for (const std::size_t index : chosen_graphs(trace, {}))
    names.push_back(trace.graphs[index].name);
  std::stable_partition(names.begin(), names.end(), [&asked](const std::string& name) {
    return name.find(asked) != std::string::npos;
  });
  const std::size_t listed = std::min(kMost, names.size());
  std::string list;
  for (std::size_t index = 0; index < listed; ++index)
    list += (index == 0 ? "" : ", ") + names[index];
  return listed == names.size() ? list : list + fmt::format(" and {} more", names.size() - listed);
}

}  // namespace

Result<std::string> dot_graph(const Trace& trace, const std::string& name) {
  std::vector<std::size_t> graphs = chosen_graphs(trace, name);
  if (!graphs.empty()) return DotWriter(trace, std::move(graphs)).write();
  const std::string names = graph_names(trace, name);
  if (names.empty()) return fail("holds no task graph", "export a recording made by `quintet run`");
  return fail(fmt::format("has no graph '{}' with tasks", name), "choose one of " + names);
}

std::size_t drawn_tasks(const Trace& trace, const std::string& name) {
  std::size_t tasks = 0;
  for (const std::size_t graph : chosen_graphs(trace, name))
    tasks += trace.graphs[graph].tasks.size();
  return tasks;
}

}  // namespace quintet
