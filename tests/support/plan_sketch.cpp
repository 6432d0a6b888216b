#include "tests/support/plan_sketch.h"

#include <utility>

namespace quintet::test {

namespace {

Command command(CommandKind kind, HostActor actor, StreamKind stream) {
  Command result;
  result.kind = kind;
  result.actor = actor;
  result.stream = stream;
  return result;
}

}  // namespace

Command launch(GraphId graph, StreamKind stream, int steps) {
  Command result = command(CommandKind::launch, HostActor::MAIN, stream);
  result.graph = GraphKey{graph};
  result.steps = steps;
  return result;
}

Command record(StepEvent event, StreamKind stream, int steps) {
  Command result = command(CommandKind::record, HostActor::MAIN, stream);
  result.event = {event, steps};
  return result;
}

Command wait(StreamKind stream, StepEvent event, int steps) {
  Command result = command(CommandKind::wait, HostActor::MAIN, stream);
  result.event = {event, steps};
  return result;
}

Command host_record(HostActor actor, StepEvent event, int steps) {
  Command result = command(CommandKind::host_record, actor, StreamKind::COMP_1);
  result.event = {event, steps};
  return result;
}

Command host_wait(HostActor actor, StepEvent event, int steps) {
  Command result = command(CommandKind::host_wait, actor, StreamKind::COMP_1);
  result.event = {event, steps};
  return result;
}

Command host_sync(StreamKind stream) {
  return command(CommandKind::host_sync, HostActor::MAIN, stream);
}

Command host_task(HostActor actor, GraphId graph, int steps) {
  Command result = command(CommandKind::host_task, actor, StreamKind::COMP_1);
  result.graph = GraphKey{graph};
  result.steps = steps;
  return result;
}

StepVariant train_step(BufferSlot slot) {
  return {StepPhase::train, slot, kAnyShape, kAnyShape};
}

PlanSketch::PlanSketch() {
  plan.policy = "sketch";
  plan.lanes = runtime_lanes();
  plan.shapes = {{kAnyShape, "any", 0, false}};
  plan.memory = MemoryPlan(GradientMode::separate, empty_regions(), {});
}

Access PlanSketch::access(RegionId region, MemorySpace space, AccessMode mode, std::uint64_t offset,
                          std::uint64_t bytes) const {
  Access result;
  result.region = region;
  result.space = space;
  result.mode = mode;
  result.offset = offset;
  result.bytes = bytes;
  return result;
}

Access PlanSketch::reads(RegionKind region, std::uint64_t offset, std::uint64_t bytes) const {
  return access(plan.memory.region(region).id, space_of(region), AccessMode::read, offset, bytes);
}

Access PlanSketch::writes(RegionKind region, std::uint64_t offset, std::uint64_t bytes) const {
  return access(plan.memory.region(region).id, space_of(region), AccessMode::write, offset, bytes);
}

Access PlanSketch::updates(RegionKind region, std::uint64_t offset, std::uint64_t bytes) const {
  return access(plan.memory.region(region).id, space_of(region), AccessMode::update, offset, bytes);
}

Access PlanSketch::scratch(StreamKind stream, std::uint64_t bytes) const {
  return access(plan.memory.workspace(stream).id, MemorySpace::device, AccessMode::scratch, 0,
                bytes);
}

TaskId PlanSketch::task(std::string name, GraphId graph, StreamKind stream,
                        std::vector<Access> accesses) {
  Task task;
  task.op = OpId(plan.tasks.empty() ? 0 : plan.tasks.back().op.value() + 1);
  task.layer = name.substr(0, name.find('/'));
  task.name = std::move(name);
  task.graph = graph;
  return add(std::move(task), stream, std::move(accesses));
}

TaskId PlanSketch::part(std::string name, TaskPart part, StreamKind stream,
                        std::vector<Access> accesses) {
  Task task = plan.tasks.back();
  plan.tasks.back().representative = false;
  task.name = std::move(name);
  task.part = part;
  return add(std::move(task), stream, std::move(accesses));
}

TaskId PlanSketch::add(Task task, StreamKind stream, std::vector<Access> accesses) {
  task.id = TaskId(static_cast<std::uint32_t>(plan.tasks.size()));
  const GraphKey key{task.graph};
  if (runs_on_host(task.graph)) {
    plan.host_tasks[key].push_back(task.id);
  } else {
    TaskGraph& graph = plan.graphs[key];
    graph.key = key;
    graph.tasks.push_back({task.id, stream, {}});
  }
  plan.tasks.push_back(std::move(task));
  plan.accesses.push_back(std::move(accesses));
  return plan.tasks.back().id;
}

void PlanSketch::edge(TaskId from, TaskId to, EdgeRule rule) {
  graph(plan.task(from).graph).edges.push_back({from, to, rule, {}});
}

void PlanSketch::program(StepVariant variant, std::vector<Command> commands) {
  plan.programs[variant] = {variant, StepMode::event_sync, std::move(commands), {}};
}

}  // namespace quintet::test
