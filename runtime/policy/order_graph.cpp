#include "runtime/policy/order_graph.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <queue>
#include <string_view>
#include <unordered_map>

namespace quintet {

namespace {

using NodeIndex = std::uint32_t;

std::string text_of(const ExecutionPlan& plan, const Command& command) {
  std::string event(name_of(command.event.event));
  if (command.event.steps != 0) event += fmt::format("({:+})", command.event.steps);
  switch (command.kind) {
    case CommandKind::launch:
      return fmt::format("launch {} on {}", plan.name(command.graph), name_of(command.stream));
    case CommandKind::record:
      return fmt::format("record {} on {}", event, name_of(command.stream));
    case CommandKind::wait:
      return fmt::format("wait {} for {}", name_of(command.stream), event);
    case CommandKind::host_record:
      return fmt::format("{} records {}", name_of(command.actor), event);
    case CommandKind::host_wait:
      return fmt::format("{} waits for {}", name_of(command.actor), event);
    case CommandKind::host_sync:
      return fmt::format("{} synchronises {}", name_of(HostActor::MAIN), name_of(command.stream));
    case CommandKind::host_task:
      return fmt::format("{} runs {}", name_of(command.actor), plan.name(command.graph));
  }
  return {};
}

std::string text_of(const ExecutionPlan& plan, const StepVariant& variant) {
  std::string text = fmt::format("{} {}", name_of(variant.phase), name_of(variant.slot));
  if (variant.shape != kAnyShape) text += fmt::format(" {}", plan.shape(variant.shape).name);
  if (variant.next_shape != kAnyShape) {
    text += fmt::format(" > {}", plan.shape(variant.next_shape).name);
  }
  return text;
}

/// A record of an event, by who issued it: MAIN (on a stream or itself) or LOADER.
struct Record {
  NodeIndex node = 0;
  HostActor actor = HostActor::MAIN;
};

struct PendingWait {
  NodeIndex node = 0;
  HostActor actor = HostActor::MAIN;
  StepEvent event = StepEvent::step_done;
  std::int64_t step = 0;
};

class Unroller {
 public:
  explicit Unroller(const ExecutionPlan& plan) : plan_(plan) {}

  Result<OrderGraph> unroll(const StepSequence& sequence) {
    std::int64_t steps = 0;
    for (const StepVariant& variant : sequence) {
      const auto program = plan_.programs.find(variant);
      if (program == plan_.programs.end()) {
        return fail(fmt::format("the plan has no step program for {}", text_of(plan_, variant)),
                    "plan the run with every shape that its steps have");
      }
      step_ = variant.phase == StepPhase::prologue ? -1 : steps;
      phase_ = variant.phase;
      if (variant.phase != StepPhase::prologue) ++steps;
      for (const Command& command : program->second.commands) {
        issue(command);
        if (error_) return tl::unexpected<Error>(*error_);
      }
    }
    resolve_pending();
    if (error_) return tl::unexpected<Error>(*error_);
    return in_topological_order();
  }

 private:
  void issue(const Command& command) {
    switch (command.kind) {
      case CommandKind::launch:
        return launch(command);
      case CommandKind::record:
        records_[{command.event.event, step_ + command.event.steps}].push_back(
            {stream_node(command), HostActor::MAIN});
        return;
      case CommandKind::wait:
        return wait(command, stream_node(command), HostActor::MAIN);
      case CommandKind::host_record:
        records_[{command.event.event, step_ + command.event.steps}].push_back(
            {host_node(command, command.actor), command.actor});
        return;
      case CommandKind::host_wait:
        return wait(command, host_node(command, command.actor), command.actor);
      case CommandKind::host_sync: {
        const NodeIndex node = host_node(command, HostActor::MAIN);
        const auto& last = last_on_stream_[index_of(command.stream)];
        if (last) edge(*last, node, OrderCause::event);
        return;
      }
      case CommandKind::host_task:
        return host_task(command);
    }
  }

  NodeIndex node(OrderNode node) {
    graph_.nodes.push_back(std::move(node));
    return static_cast<NodeIndex>(graph_.nodes.size() - 1);
  }
  void edge(NodeIndex from, NodeIndex to, OrderCause cause, std::uint32_t detail = 0) {
    graph_.edges.push_back({from, to, cause, detail});
  }
  OrderNode command_node(const Command& command, LaneId lane) const {
    OrderNode node;
    node.step = step_;
    node.lane = lane;
    node.label = fmt::format("step {}: {}", step_, text_of(plan_, command));
    return node;
  }
  OrderNode task_node(TaskId id, const Command& command, LaneId lane) const {
    const Task& task = plan_.task(id);
    OrderNode node;
    node.task = id;
    node.step = step_ + step_offset_of(task.graph, command);
    node.graph = command.graph;
    node.lane = lane;
    node.label = fmt::format("step {}: {}", node.step, task.name);
    return node;
  }

  /// Puts a node at the end of a stream: after what the stream does before, and after what MAIN had
  /// done itself when it issued the command.
  void append_to_stream(NodeIndex node, StreamKind stream) {
    auto& last = last_on_stream_[index_of(stream)];
    const auto& host = last_on_actor_[0];
    if (last) edge(*last, node, OrderCause::stream);
    if (host && (!last || *last < *host)) edge(*host, node, OrderCause::issue);
    last = node;
  }
  NodeIndex stream_node(const Command& command) {
    const NodeIndex at = node(command_node(command, lane_of(command.stream)));
    append_to_stream(at, command.stream);
    return at;
  }
  void append_to_actor(NodeIndex node, HostActor actor) {
    auto& last = last_on_actor_[static_cast<std::size_t>(actor)];
    if (last) edge(*last, node, OrderCause::host);
    last = node;
  }
  NodeIndex host_node(const Command& command, HostActor actor) {
    const NodeIndex at = node(command_node(command, lane_of(actor)));
    append_to_actor(at, actor);
    return at;
  }

  void host_task(const Command& command) {
    const auto tasks = plan_.host_tasks.find(command.graph);
    if (tasks == plan_.host_tasks.end()) return refuse_unknown(command);
    // The results of steps before the first: there are none to read.
    if (phase_ != StepPhase::prologue && step_ + command.steps < 0) return;
    for (const TaskId task : tasks->second) {
      append_to_actor(node(task_node(task, command, lane_of(command.actor))), command.actor);
    }
  }

  void refuse_unknown(const Command& command) {
    error_ = Error{fmt::format("step {}: {}: the plan holds no graph of that name", step_,
                               text_of(plan_, command)),
                   "capture it, or leave the command out",
                   {},
                   0};
  }

  void launch(const Command& command) {
    const auto found = plan_.graphs.find(command.graph);
    if (found == plan_.graphs.end()) return refuse_unknown(command);
    const std::size_t launch = graph_.launches.size();
    OrderNode begin = command_node(command, lane_of(command.stream));
    begin.graph = command.graph;
    begin.launch = launch;
    OrderNode end = begin;
    end.label += " ends";
    const NodeIndex first = node(std::move(begin));
    append_to_stream(first, command.stream);
    add_tasks(command, found->second, launch);
    if (error_) return;
    const NodeIndex last = node(std::move(end));
    if (last == first + 1) edge(first, last, OrderCause::launch);
    for (NodeIndex at = first + 1; at < last; ++at) {
      if (!has_before_[at - first - 1]) edge(first, at, OrderCause::launch);
      if (!has_after_[at - first - 1]) edge(at, last, OrderCause::launch);
    }
    last_on_stream_[index_of(command.stream)] = last;
    graph_.launches.push_back({command.graph, command.stream, step_, first, last});
  }

  /// The task runs of a launch with the order inside the graph; leaves in has_before_ and
  /// has_after_ which of them have neighbours.
  void add_tasks(const Command& command, const TaskGraph& graph, std::size_t launch) {
    has_before_.assign(graph.tasks.size(), false);
    has_after_.assign(graph.tasks.size(), false);
    const auto first = static_cast<NodeIndex>(graph_.nodes.size());
    const auto order = [&](NodeIndex from, NodeIndex to, OrderCause cause, std::uint32_t detail) {
      edge(from, to, cause, detail);
      has_after_[from - first] = true;
      has_before_[to - first] = true;
    };
    std::array<std::optional<NodeIndex>, kStreamCount> last;
    std::unordered_map<TaskId, NodeIndex> nodes;
    for (const PlacedTask& placed : graph.tasks) {
      OrderNode run = task_node(placed.task, command, lane_of(placed.stream));
      run.launch = launch;
      const NodeIndex at = node(std::move(run));
      nodes.emplace(placed.task, at);
      auto& before = last[index_of(placed.stream)];
      if (before) order(*before, at, OrderCause::graph_stream, 0);
      before = at;
    }
    for (std::uint32_t index = 0; index < graph.edges.size(); ++index) {
      const auto from = nodes.find(graph.edges[index].from);
      const auto to = nodes.find(graph.edges[index].to);
      if (from == nodes.end() || to == nodes.end() || from->second >= to->second) {
        return refuse_edge(command, graph.edges[index]);
      }
      order(from->second, to->second, OrderCause::graph_edge, index);
    }
  }

  void refuse_edge(const Command& command, const Edge& edge) {
    error_ = Error{fmt::format("{}: the edge {} -> {} runs against issue order or leaves the graph",
                               plan_.name(command.graph), plan_.task(edge.from).name,
                               plan_.task(edge.to).name),
                   "issue the first task before the second",
                   {},
                   0};
  }

  /// A wait issued by MAIN means the latest record MAIN issued before. Records of the other actor
  /// are known only once the whole sequence is: see resolve_pending.
  void wait(const Command& command, NodeIndex waiting, HostActor actor) {
    const std::int64_t step = step_ + command.event.steps;
    if (actor == HostActor::MAIN) {
      const auto found = records_.find({command.event.event, step});
      if (found != records_.end()) {
        const auto own =
            std::find_if(found->second.rbegin(), found->second.rend(),
                         [](const Record& record) { return record.actor == HostActor::MAIN; });
        if (own != found->second.rend()) return edge(own->node, waiting, OrderCause::event);
      }
    }
    pending_.push_back({waiting, actor, command.event.event, step});
  }

  /// Between actors the first record of an event is all that a wait can rely on.
  void resolve_pending() {
    for (const PendingWait& wait : pending_) {
      const auto found = records_.find({wait.event, wait.step});
      if (found == records_.end()) continue;
      const Record& record = found->second.front();
      if (wait.actor == HostActor::MAIN && record.actor == HostActor::MAIN) {
        error_ = Error{fmt::format("{} comes before the event is recorded: {}",
                                   graph_.nodes[wait.node].label, graph_.nodes[record.node].label),
                       "issue the record before the wait",
                       {},
                       0};
        return;
      }
      edge(record.node, wait.node, OrderCause::event);
    }
  }

  /// Renumbers so that every edge leads to a higher node, as near to the order of issue as that
  /// allows.
  Result<OrderGraph> in_topological_order() {
    const auto forward = [](const OrderEdge& edge) { return edge.from < edge.to; };
    if (std::all_of(graph_.edges.begin(), graph_.edges.end(), forward)) return std::move(graph_);

    const std::size_t count = graph_.nodes.size();
    std::vector<std::vector<NodeIndex>> successors(count);
    std::vector<NodeIndex> held_back_by(count);
    for (const OrderEdge& edge : graph_.edges) {
      successors[edge.from].push_back(edge.to);
      ++held_back_by[edge.to];
    }
    std::priority_queue<NodeIndex, std::vector<NodeIndex>, std::greater<>> ready;
    for (NodeIndex at = 0; at < count; ++at) {
      if (held_back_by[at] == 0) ready.push(at);
    }
    std::vector<NodeIndex> place(count);
    std::vector<OrderNode> nodes;
    nodes.reserve(count);
    while (!ready.empty()) {
      const NodeIndex at = ready.top();
      ready.pop();
      place[at] = static_cast<NodeIndex>(nodes.size());
      nodes.push_back(std::move(graph_.nodes[at]));
      for (const NodeIndex next : successors[at]) {
        if (--held_back_by[next] == 0) ready.push(next);
      }
    }
    if (nodes.size() < count) return cycle(held_back_by);
    graph_.nodes = std::move(nodes);
    for (OrderEdge& edge : graph_.edges) {
      edge.from = place[edge.from];
      edge.to = place[edge.to];
    }
    for (OrderLaunch& launch : graph_.launches) {
      launch.begin = place[launch.begin];
      launch.end = place[launch.end];
    }
    return std::move(graph_);
  }

  /// Walks backwards among the nodes that never became ready: each has a predecessor there, so the
  /// walk must come round.
  Result<OrderGraph> cycle(const std::vector<NodeIndex>& held_back_by) const {
    std::vector<std::optional<NodeIndex>> before(graph_.nodes.size());
    for (const OrderEdge& edge : graph_.edges) {
      if (held_back_by[edge.from] > 0 && held_back_by[edge.to] > 0) before[edge.to] = edge.from;
    }
    const auto start = std::find_if(held_back_by.begin(), held_back_by.end(),
                                    [](NodeIndex held) { return held > 0; });
    auto at = static_cast<NodeIndex>(start - held_back_by.begin());
    std::vector<bool> seen(graph_.nodes.size());
    for (; !seen[at]; at = before[at].value())
      seen[at] = true;
    const NodeIndex round = at;
    std::vector<NodeIndex> members;
    do {
      members.push_back(at);
      at = before[at].value();
    } while (at != round);
    // Written in the order of waiting: each member waits for the one named after it.
    std::string text;
    for (const NodeIndex member : members)
      text += fmt::format("\"{}\", ", graph_.nodes[member].label);
    text.resize(text.size() - 2);
    return fail(
        fmt::format("deadlock: each of these waits for the next, the last for the first: {}", text),
        "take out one of the waits, or record its event earlier");
  }

  const ExecutionPlan& plan_;
  OrderGraph graph_;
  std::int64_t step_ = 0;
  StepPhase phase_ = StepPhase::train;
  std::array<std::optional<NodeIndex>, kStreamCount> last_on_stream_;
  std::array<std::optional<NodeIndex>, 2> last_on_actor_;  ///< MAIN, LOADER
  std::map<std::pair<StepEvent, std::int64_t>, std::vector<Record>> records_;
  std::vector<PendingWait> pending_;
  std::vector<bool> has_before_;
  std::vector<bool> has_after_;
  std::optional<Error> error_;
};

}  // namespace

Result<OrderGraph> unroll(const ExecutionPlan& plan, const StepSequence& sequence) {
  return Unroller(plan).unroll(sequence);
}

}  // namespace quintet
