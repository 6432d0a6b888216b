#include "profiler/whatif/step_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "profiler/whatif/graph_nodes.h"
#include "profiler/whatif/program_nodes.h"

namespace quintet {

namespace {

/// The shape of full training steps: the largest training batch.
std::optional<ShapeId> full_shape(const ExecutionPlan& plan) {
  std::optional<ShapeId> full;
  for (const ShapeVariant& shape : plan.shapes) {
    if (shape.training && (!full || shape.batch > plan.shape(*full).batch)) full = shape.id;
  }
  return full;
}

/// Where step `index` stands in its update.
MicroBatch place_of(int index, std::int32_t micro_batches) {
  if (micro_batches <= 1) return MicroBatch::single;
  const int place = index % micro_batches;
  if (place == 0) return MicroBatch::first;
  return place + 1 == micro_batches ? MicroBatch::last : MicroBatch::middle;
}

/// Whether steps bring in the next batch: a run whose input stays on the device has programs that
/// do, and never takes them.
bool transfers(const ExecutionPlan& plan, const TaskCosts& costs) {
  return std::any_of(plan.tasks.begin(), plan.tasks.end(), [&](const Task& task) {
    const bool transfer = task.graph == GraphId::TRANSFER_A || task.graph == GraphId::TRANSFER_B;
    return transfer && costs.find(task.name, plan.shape(task.shape).name) != nullptr;
  });
}

/// What all simulated steps have in common.
struct StepShape {
  ShapeId shape;
  bool prefetches = true;
};

/// The program of step `index`.
const StepProgram* program_of(const ExecutionPlan& plan, const StepShape& what, int index) {
  const BufferSlot slot = index % 2 == 0 ? BufferSlot::A : BufferSlot::B;
  const ShapeId next = what.prefetches ? what.shape : kAnyShape;
  const StepVariant variant{StepPhase::train, slot, what.shape, next,
                            place_of(index, plan.micro_batches)};
  const auto found = plan.programs.find(variant);
  return found == plan.programs.end() ? nullptr : &found->second;
}

/// Steps to simulate where streams and host run ahead: whole updates, the first to get going.
int simulated_steps(const ExecutionPlan& plan) {
  return plan.micro_batches <= 1 ? 4 : 3 * plan.micro_batches;
}

Result<std::vector<const StepProgram*>> programs_of(const ExecutionPlan& plan, bool prefetches,
                                                    int steps) {
  const std::optional<ShapeId> shape = full_shape(plan);
  std::vector<const StepProgram*> programs;
  for (int step = 0; shape && step < steps; ++step) {
    const StepProgram* program = program_of(plan, {*shape, prefetches}, step);
    if (program != nullptr) programs.push_back(program);
  }
  if (programs.empty() || programs.size() < static_cast<std::size_t>(steps)) {
    return fail("the plan has no full training step",
                "predict a scenario that trains at least two full batches");
  }
  return programs;
}

/// One graph a step and nothing beside it: the launch of the next one follows its end.
bool is_one_graph(const ExecutionPlan& plan) {
  return plan.mode == StepMode::whole_step && plan.micro_batches <= 1;
}

/// What the host does for a step of one graph, in ns.
double issue_time(const StepProgram& program, std::uint32_t kernels, const DeviceModel& device) {
  double time = device.host_wake_ns;
  for (const Command& command : program.commands) {
    if (command.actor != HostActor::MAIN) continue;
    if (command.kind == CommandKind::launch) {
      time += device.launch_call_ns + kernels * device.launch_call_node_ns;
    }
    if (command.kind == CommandKind::record) time += device.record_call_ns;
    if (command.kind == CommandKind::wait) time += device.wait_call_ns;
  }
  return time;
}

StepModel one_graph_model(const ExecutionPlan& plan, const StepProgram& program, NodeMaker& maker) {
  StepModel& model = maker.model();
  for (const Command& command : program.commands) {
    if (command.kind != CommandKind::launch) continue;
    const TaskGraph& graph = plan.graphs.at(command.graph);
    add_graph(plan, graph, command, 0, 0, maker);
    model.graph.between_steps_ns = launch_gap(ends_of(graph), maker.device());
    model.graph.least_step_ns = issue_time(program, maker.kernels(), maker.device());
  }
  return std::move(model);
}

Result<StepModel> checked(StepModel model, std::size_t tasks) {
  std::set<std::string> names(model.unpriced.begin(), model.unpriced.end());
  model.unpriced.assign(names.begin(), names.end());
  if (model.unpriced.size() * 10 > tasks) {
    return fail(fmt::format("no cost is known of {} of {} tasks, {} the first",
                            model.unpriced.size(), tasks, model.unpriced.front()),
                "take a recording of the same network, batch, precision and lowering");
  }
  model.graph.seal();
  return model;
}

std::size_t tasks_of_step(const StepModel& model) {
  std::set<TaskId> tasks;
  for (const SimLabel& label : model.labels) {
    if (label.kind == SimLabel::Kind::task) tasks.insert(label.task);
  }
  return tasks.size();
}

}  // namespace

Result<StepModel> step_model_of(const ExecutionPlan& plan, const TaskCosts& costs,
                                const DeviceModel& device) {
  const int steps = is_one_graph(plan) ? 1 : simulated_steps(plan);
  auto programs = programs_of(plan, transfers(plan, costs), steps);
  if (!programs) return tl::unexpected(programs.error());
  NodeMaker maker(plan, costs, device);
  StepModel model = is_one_graph(plan) ? one_graph_model(plan, *programs->front(), maker)
                                       : program_model(plan, *programs, maker);
  model.steps = steps;
  const std::size_t tasks = tasks_of_step(model);
  return checked(std::move(model), tasks);
}

}  // namespace quintet
