#include "profiler/capture/plan_to_trace.h"

#include <fmt/format.h>
#include <set>
#include <utility>

namespace quintet {

namespace {

/// Captured graphs and empty sub-graphs, in the order of their keys.
std::set<GraphKey> listed_graphs(const ExecutionPlan& plan) {
  std::set<GraphKey> keys;
  for (const auto& [key, graph] : plan.graphs)
    keys.insert(key);
  for (const auto& [key, slot] : plan.atlas) {
    const bool part_of_step = !runs_on_host(key.graph) && key.graph < GraphId::WHOLE_STEP_A;
    if (part_of_step && slot.graph.ops.empty()) keys.insert(key);
  }
  return keys;
}

std::vector<TraceTensor> tensors_of(const ExecutionPlan& plan) {
  std::vector<TraceTensor> tensors;
  for (const Tensor& tensor : plan.tensors.all()) {
    const Placement& at = plan.memory.placement(tensor.id);
    tensors.push_back({tensor.name, tensor.shape.text(), std::string(name_of(tensor.dtype)),
                       plan.shape(tensor.variant).name, at.region, at.offset, at.bytes});
  }
  return tensors;
}

std::vector<TraceTask> tasks_of(const ExecutionPlan& plan) {
  std::vector<TraceTask> tasks;
  for (const Task& task : plan.tasks) {
    TraceTask row;
    row.name = task.name;
    row.layer = task.layer;
    row.op_kind = name_of(task.kind);
    row.part = name_of(task.part);
    row.graph = name_of(task.graph);
    row.shape = plan.shape(task.shape).name;
    row.representative = task.representative;
    row.covers = task.covers;
    if (task.id.value() < plan.accesses.size()) row.accesses = plan.accesses[task.id.value()];
    row.workspace_bytes = task.workspace_bytes;
    row.flops = task.flops;
    row.bytes = task.bytes;
    tasks.push_back(std::move(row));
  }
  return tasks;
}

void place_stream_tasks(const ExecutionPlan& plan, std::vector<TraceTask>& tasks) {
  for (const auto& [key, graph] : plan.graphs) {
    for (const PlacedTask& placed : graph.tasks) {
      TraceTask& task = tasks.at(placed.task.value());
      task.policy_lane = lane_of(placed.stream);
      task.placement_reason = placed.reason;
    }
  }
}

/// A host task runs on the lane of the actor whose command runs it.
void place_host_tasks(const ExecutionPlan& plan, std::vector<TraceTask>& tasks) {
  for (const auto& [variant, program] : plan.programs) {
    for (const Command& command : program.commands) {
      if (command.kind != CommandKind::host_task) continue;
      const auto found = plan.host_tasks.find(command.graph);
      if (found == plan.host_tasks.end()) continue;
      for (const TaskId id : found->second) {
        TraceTask& task = tasks.at(id.value());
        task.policy_lane = lane_of(command.actor);
        task.placement_reason = fmt::format("host task of {}", name_of(command.actor));
      }
    }
  }
}

TraceGraph graph_of(const ExecutionPlan& plan, const GraphKey& key) {
  TraceGraph row;
  row.name = plan.name(key);
  const auto captured = plan.graphs.find(key);
  if (captured == plan.graphs.end()) {
    row.primary = lane_of(plan.atlas.at(key).stream_kind);
    row.empty = true;
    return row;
  }
  row.primary = lane_of(captured->second.primary);
  for (const PlacedTask& placed : captured->second.tasks)
    row.tasks.push_back(placed.task.value());
  for (const Edge& edge : captured->second.edges) {
    row.edges.push_back(
        {edge.from.value(), edge.to.value(), std::string(name_of(edge.rule)), edge.reason});
  }
  return row;
}

TraceCommand command_of(const ExecutionPlan& plan, const Command& command) {
  TraceCommand row;
  row.kind = name_of(command.kind);
  row.actor = name_of(command.actor);
  row.why = command.why;
  const auto stream = [&] { row.stream = name_of(command.stream); };
  const auto graph = [&] {
    row.graph = plan.name(command.graph);
    row.steps = command.steps;
  };
  const auto event = [&] {
    row.event = name_of(command.event.event);
    row.steps = command.event.steps;
  };
  switch (command.kind) {
    case CommandKind::launch:
      stream();
      graph();
      break;
    case CommandKind::record:
    case CommandKind::wait:
      stream();
      event();
      break;
    case CommandKind::host_record:
    case CommandKind::host_wait:
      event();
      break;
    case CommandKind::host_sync:
      stream();
      break;
    case CommandKind::host_task:
      graph();
      break;
  }
  return row;
}

std::vector<TraceCommand> commands_of(const ExecutionPlan& plan) {
  std::vector<TraceCommand> commands;
  for (const auto& [variant, program] : plan.programs) {
    std::uint32_t position = 0;
    for (const Command& command : program.commands) {
      TraceCommand row = command_of(plan, command);
      row.variant = variant_text(plan, variant);
      row.position = position++;
      commands.push_back(std::move(row));
    }
  }
  return commands;
}

}  // namespace

std::string variant_text(const ExecutionPlan& plan, const StepVariant& variant) {
  std::string text = fmt::format("{} {} {}", name_of(variant.phase), name_of(variant.slot),
                                 plan.shape(variant.shape).name);
  if (variant.next_shape != kAnyShape) text += ">" + plan.shape(variant.next_shape).name;
  return text;
}

std::map<GraphKey, std::uint32_t> graph_indices(const ExecutionPlan& plan) {
  std::map<GraphKey, std::uint32_t> indices;
  std::uint32_t index = 0;
  for (const GraphKey& key : listed_graphs(plan)) {
    if (plan.graphs.contains(key)) indices[key] = index;
    ++index;
  }
  return indices;
}

Trace trace_of_plan(const ExecutionPlan& plan) {
  Trace trace;
  trace.provenance = {{"policy", plan.policy},
                      {"lowering", std::string(name_of(plan.lowering))},
                      {"step_mode", std::string(name_of(plan.mode))},
                      {"gradients", std::string(name_of(plan.memory.gradients()))}};
  trace.lanes = plan.lanes;
  trace.regions = plan.memory.regions();
  trace.tensors = tensors_of(plan);
  trace.tasks = tasks_of(plan);
  place_stream_tasks(plan, trace.tasks);
  place_host_tasks(plan, trace.tasks);
  for (const GraphKey& key : listed_graphs(plan))
    trace.graphs.push_back(graph_of(plan, key));
  trace.commands = commands_of(plan);
  return trace;
}

}  // namespace quintet
