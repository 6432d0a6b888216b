#include "profiler/whatif/program_nodes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace quintet {

namespace {

constexpr std::uint16_t kHostQueues = 2;  // MAIN, LOADER
constexpr std::uint16_t kFirstGraphQueue = kHostQueues + static_cast<std::uint16_t>(kStreamCount);

constexpr std::uint16_t queue_of(HostActor actor) {
  return static_cast<std::uint16_t>(actor);
}
constexpr std::uint16_t queue_of(StreamKind stream) {
  return static_cast<std::uint16_t>(kHostQueues + index_of(stream));
}

/// Turns commands into nodes, in the order of the programs.
class Issuer {
 public:
  Issuer(const ExecutionPlan& plan, NodeMaker& maker) : plan_(plan), maker_(maker) {
    last_of_stream_.fill(std::nullopt);
  }

  void issue(const Command& command, std::int32_t step) {
    switch (command.kind) {
      case CommandKind::launch:
        return launch(command, step);
      case CommandKind::record:
        return record(command, step);
      case CommandKind::wait:
        return wait(command, step);
      case CommandKind::host_record:
        return host_record(command, step);
      case CommandKind::host_wait:
        return host_wait(command, step);
      case CommandKind::host_sync:
        return host_sync(command, step);
      case CommandKind::host_task:
        return host_task(command, step);
    }
  }

  /// The end of a step: the event that all its work is done; without one, what the host did last.
  SimIndex end_of(std::int32_t step) const {
    const auto done = events_.find({StepEvent::step_done, step});
    return done != events_.end() ? done->second : last_of_host_;
  }

 private:
  static SimLabel label(SimLabel::Kind kind, const Command& command, std::int32_t step) {
    SimLabel label;
    label.kind = kind;
    label.stream = command.stream;
    label.actor = command.actor;
    label.step = step + command.steps;
    label.graph = command.graph;
    return label;
  }

  SimIndex host_node(const SimLabel& label, double work_ns) {
    const SimIndex node = maker_.add(label, queue_of(label.actor), work_ns);
    if (label.actor == HostActor::MAIN) last_of_host_ = node;
    return node;
  }

  SimIndex stream_node(const SimLabel& label, SimIndex call, double queue_gap_ns = 0) {
    const SimIndex node = maker_.add(label, queue_of(label.stream), 0, queue_gap_ns);
    maker_.edge(call, node, 0);
    last_of_stream_[index_of(label.stream)] = node;
    return node;
  }

  void launch(const Command& command, std::int32_t step) {
    const DeviceModel& device = maker_.device();
    const TaskGraph& graph = plan_.graphs.at(command.graph);
    const GraphEnds ends = ends_of(graph);
    std::uint32_t kernels = 0;
    for (const PlacedTask& placed : graph.tasks)
      kernels += maker_.cost_of(placed.task).kernels;
    const SimIndex call = host_node(label(SimLabel::Kind::launch_call, command, step),
                                    device.launch_call_ns + kernels * device.launch_call_node_ns);
    const SimIndex begin = maker_.add(label(SimLabel::Kind::graph_begin, command, step),
                                      queue_of(command.stream), 0, launch_gap(ends, device));
    maker_.edge(call, begin, device.launch_latency_ns);
    const GraphNodes nodes = add_graph(plan_, graph, command, step, next_queue_, maker_);
    next_queue_ = static_cast<std::uint16_t>(next_queue_ + kStreamCount);
    const SimIndex end =
        maker_.add(label(SimLabel::Kind::graph_end, command, step), queue_of(command.stream), 0);
    // Within a queue the first task waits for the begin and the end for the last; more edges would
    // say nothing.
    std::array<std::optional<SimIndex>, kStreamCount> last;
    for (SimIndex node = nodes.first; node < nodes.end; ++node) {
      const std::size_t stream = index_of(maker_.model().labels[node].stream);
      if (!last[stream]) maker_.edge(begin, node, 0);
      last[stream] = node;
    }
    for (const auto& node : last) {
      if (node) maker_.edge(*node, end, 0);
    }
    last_of_stream_[index_of(command.stream)] = end;
    further_leaves_[index_of(command.stream)] = ends.further_leaves;
  }

  void record(const Command& command, std::int32_t step) {
    const SimIndex call =
        host_node(label(SimLabel::Kind::host_call, command, step), maker_.device().record_call_ns);
    const SimIndex node = stream_node(label(SimLabel::Kind::record, command, step), call);
    events_[{command.event.event, step + command.event.steps}] = node;
    leaves_before_[node] = further_leaves_[index_of(command.stream)];
  }

  void wait(const Command& command, std::int32_t step) {
    const SimIndex call =
        host_node(label(SimLabel::Kind::host_call, command, step), maker_.device().wait_call_ns);
    const SimIndex node = stream_node(label(SimLabel::Kind::wait, command, step), call);
    const auto event = events_.find({command.event.event, step + command.event.steps});
    if (event == events_.end()) return;
    const auto leaves = leaves_before_.find(event->second);
    const double more = leaves == leaves_before_.end() ? 0 : leaves->second;
    const DeviceModel& device = maker_.device();
    maker_.edge(event->second, node, device.stream_wait_ns + device.leaf_wait_ns * more);
  }

  void host_record(const Command& command, std::int32_t step) {
    events_[{command.event.event, step + command.event.steps}] =
        host_node(label(SimLabel::Kind::host_call, command, step), 0);
  }

  void host_wait(const Command& command, std::int32_t step) {
    const SimIndex node = host_node(label(SimLabel::Kind::host_wait, command, step), 0);
    const auto event = events_.find({command.event.event, step + command.event.steps});
    if (event == events_.end()) return;
    const bool of_host = maker_.model().labels[event->second].kind == SimLabel::Kind::host_call;
    maker_.edge(event->second, node, of_host ? 0 : maker_.device().host_wake_ns);
  }

  void host_sync(const Command& command, std::int32_t step) {
    const SimIndex node = host_node(label(SimLabel::Kind::host_wait, command, step), 0);
    const auto& last = last_of_stream_[index_of(command.stream)];
    if (last) maker_.edge(*last, node, maker_.device().host_wake_ns);
  }

  void host_task(const Command& command, std::int32_t step) {
    const auto tasks = plan_.host_tasks.find(command.graph);
    if (tasks == plan_.host_tasks.end()) return;
    for (const TaskId task : tasks->second) {
      SimLabel what = label(SimLabel::Kind::host_task, command, step);
      what.task = task;
      host_node(what, maker_.host_cost(task));
    }
  }

  const ExecutionPlan& plan_;
  NodeMaker& maker_;
  std::map<std::pair<StepEvent, std::int32_t>, SimIndex> events_;
  std::array<std::optional<SimIndex>, kStreamCount> last_of_stream_;
  std::array<double, kStreamCount> further_leaves_{};  ///< of the graph launched last
  std::map<SimIndex, double> leaves_before_;           ///< of records
  SimIndex last_of_host_ = 0;
  std::uint16_t next_queue_ = kFirstGraphQueue;
};

}  // namespace

StepModel program_model(const ExecutionPlan& plan, const std::vector<const StepProgram*>& programs,
                        NodeMaker& maker) {
  Issuer issuer(plan, maker);
  std::vector<SimIndex> ends;
  for (std::size_t step = 0; step < programs.size(); ++step) {
    for (const Command& command : programs[step]->commands)
      issuer.issue(command, static_cast<std::int32_t>(step));
    ends.push_back(issuer.end_of(static_cast<std::int32_t>(step)));
  }
  StepModel model = std::move(maker.model());
  // Only whole updates are alike: the first one is left to get going.
  model.graph.step_ends = std::move(ends);
  model.graph.warm_up_ends = static_cast<std::uint32_t>(std::max(1, plan.micro_batches));
  return model;
}

}  // namespace quintet
