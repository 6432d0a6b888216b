#include "scenarios/verify/recorded_plan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace quintet {

namespace {

/// A name that nothing is called by: caught where the plan is handed out.
class UnknownName : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class Values>
auto named(const Values& values, std::string_view name, const char* what) {
  for (const auto value : values) {
    if (name_of(value) == name) return value;
  }
  throw UnknownName(fmt::format("unknown {} \"{}\"", what, name));
}

constexpr std::array kStepModes = {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step};
constexpr std::array kGradientModes = {GradientMode::in_place, GradientMode::separate};
constexpr std::array kPhases = {StepPhase::prologue, StepPhase::train, StepPhase::evaluate,
                                StepPhase::epilogue};
constexpr std::array kMicro = {MicroBatch::single, MicroBatch::first, MicroBatch::middle,
                               MicroBatch::last};
constexpr std::array kActors = {HostActor::MAIN, HostActor::LOADER};
constexpr std::array kRules = {EdgeRule::adjacent, EdgeRule::op_internal, EdgeRule::conflict,
                               EdgeRule::manual};
constexpr std::array kSlots = {BufferSlot::A, BufferSlot::B};
constexpr std::array kCommands = {
    CommandKind::launch,    CommandKind::record,    CommandKind::wait,     CommandKind::host_record,
    CommandKind::host_wait, CommandKind::host_sync, CommandKind::host_task};

std::vector<StepEvent> step_events() {
  std::vector<StepEvent> events;
  for (std::uint8_t event = 0; event <= static_cast<std::uint8_t>(StepEvent::step_done); ++event)
    events.push_back(static_cast<StepEvent>(event));
  return events;
}

std::vector<TaskPart> task_parts() {
  std::vector<TaskPart> parts;
  for (std::size_t part = 0; part < kTaskPartCount; ++part)
    parts.push_back(static_cast<TaskPart>(part));
  return parts;
}

/// The text up to `mark`, which is taken off with it; all of it where there is no mark.
std::string_view cut(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return head;
}

std::string_view said(const Provenance& provenance, const char* key) {
  const auto found = provenance.find(key);
  return found == provenance.end() ? std::string_view{} : std::string_view(found->second);
}

class PlanReader {
 public:
  explicit PlanReader(const Trace& trace) : trace_(trace) {}

  ExecutionPlan read() {
    plan_.policy = said(trace_.provenance, "policy");
    plan_.mode = named(kStepModes, said(trace_.provenance, "step_mode"), "step mode");
    plan_.lowering = named(std::array{Lowering::article, Lowering::fused},
                           said(trace_.provenance, "lowering"), "lowering");
    plan_.lanes = trace_.lanes;
    shape_of("any");
    for (const char* name : {"train", "train_tail", "eval", "eval_tail"}) {
      const auto has = [&](const TraceTask& task) { return task.shape == name; };
      if (std::any_of(trace_.tasks.begin(), trace_.tasks.end(), has)) shape_of(name);
    }
    read_tasks();
    read_memory();
    for (const TraceGraph& graph : trace_.graphs)
      read_graph(graph);
    read_programs();
    return std::move(plan_);
  }

 private:
  ShapeId shape_of(std::string_view name) {
    for (const ShapeVariant& shape : plan_.shapes) {
      if (shape.name == name) return shape.id;
    }
    const ShapeId id(static_cast<std::uint32_t>(plan_.shapes.size()));
    plan_.shapes.push_back({id, std::string(name), 0, false});
    return id;
  }

  /// "WHOLE_STEP_A@train>train_tail last".
  GraphKey key_of(std::string_view text) {
    std::string_view name = cut(text, ' ');
    GraphKey key;
    if (!text.empty()) key.micro = named(kMicro, text, "place of a batch");
    const std::string_view graph = cut(name, '@');
    key.graph = named(all_graph_ids(), graph, "sub-graph");
    if (!name.empty()) key.shape = shape_of(cut(name, '>'));
    if (!name.empty()) key.next_shape = shape_of(name);
    return key;
  }

  /// "train A train>train_tail".
  StepVariant variant_of(std::string_view text) {
    StepVariant variant;
    variant.phase = named(kPhases, cut(text, ' '), "phase");
    variant.slot = named(kSlots, cut(text, ' '), "slot");
    variant.shape = shape_of(cut(text, '>'));
    if (!text.empty()) variant.next_shape = shape_of(text);
    if (variant.phase == StepPhase::train) {
      plan_.shapes[variant.shape.value()].training = true;
    }
    return variant;
  }

  void read_tasks() {
    for (const TraceTask& row : trace_.tasks) {
      if (row.graph.empty()) break;  // not the plan's: what the driver did for itself
      Task task;
      task.id = TaskId(static_cast<std::uint32_t>(plan_.tasks.size()));
      task.name = row.name;
      task.layer = row.layer;
      const auto kind = op_kind_from_name(row.op_kind);
      if (!kind) throw UnknownName(fmt::format("unknown op kind \"{}\"", row.op_kind));
      task.kind = *kind;
      task.part = named(task_parts(), row.part, "part of an op");
      task.representative = row.representative;
      task.graph = named(all_graph_ids(), row.graph, "sub-graph");
      task.shape = shape_of(row.shape);
      task.covers = row.covers;
      task.workspace_bytes = row.workspace_bytes;
      task.flops = row.flops;
      task.bytes = row.bytes;
      if (quintet::runs_on_host(task.graph)) {
        plan_.host_tasks[{task.graph, task.shape}].push_back(task.id);
      }
      plan_.accesses.push_back(row.accesses);
      plan_.tasks.push_back(std::move(task));
    }
  }

  void read_memory() {
    std::vector<Placement> placements;
    for (const TraceTensor& tensor : trace_.tensors)
      placements.push_back({tensor.region, tensor.offset, tensor.bytes});
    plan_.memory =
        MemoryPlan(named(kGradientModes, said(trace_.provenance, "gradients"), "gradient mode"),
                   trace_.regions, std::move(placements));
    for (const std::vector<Access>& accesses : plan_.accesses) {
      for (const Access& access : accesses) {
        if (access.region.value() >= trace_.regions.size()) {
          throw UnknownName(fmt::format("no region {}", access.region.value()));
        }
      }
    }
  }

  [[nodiscard]] StreamKind stream_of(LaneId lane) const {
    const std::string_view name =
        lane.value() < trace_.lanes.size() ? trace_.lanes[lane.value()].name : std::string_view{};
    return named(kStreamKinds, name, "stream");
  }

  void read_graph(const TraceGraph& row) {
    const GraphKey key = key_of(row.name);
    Slot& slot = plan_.atlas[key];
    slot.graph.key = key;
    slot.stream_kind = stream_of(row.primary);
    if (row.empty || row.tasks.empty()) return;
    TaskGraph graph;
    graph.key = key;
    graph.primary = slot.stream_kind;
    for (const std::uint32_t index : row.tasks) {
      const TraceTask& task = trace_.tasks.at(index);
      if (!task.policy_lane) throw UnknownName(fmt::format("no stream of {}", task.name));
      graph.tasks.push_back({TaskId(index), stream_of(*task.policy_lane), task.placement_reason});
    }
    for (const TraceEdge& edge : row.edges) {
      graph.edges.push_back(
          {TaskId(edge.from), TaskId(edge.to), named(kRules, edge.rule, "rule"), edge.reason});
    }
    slot.captured_index = static_cast<int>(plan_.graphs.size());
    plan_.graphs.emplace(key, std::move(graph));
  }

  Command command_of(const TraceCommand& row) {
    static const std::vector<StepEvent> kEvents = step_events();
    Command command;
    command.kind = named(kCommands, row.kind, "command");
    command.actor = named(kActors, row.actor, "host thread");
    if (!row.stream.empty()) command.stream = named(kStreamKinds, row.stream, "stream");
    if (!row.graph.empty()) {
      command.graph = key_of(row.graph);
      command.steps = row.steps;
    }
    if (!row.event.empty()) {
      command.event = {named(kEvents, row.event, "event"), row.steps};
    }
    command.why = row.why;
    return command;
  }

  /// Programs of one variant text differ in the batch's place in its update, in the order of
  /// MicroBatch: each begins at position 0 again.
  void read_programs() {
    std::map<std::string, std::vector<StepProgram>> programs;
    for (const TraceCommand& row : trace_.commands) {
      std::vector<StepProgram>& blocks = programs[row.variant];
      if (row.position == 0 || blocks.empty()) {
        blocks.push_back({variant_of(row.variant), plan_.mode, {}, {}});
      }
      blocks.back().commands.push_back(command_of(row));
    }
    for (auto& [text, blocks] : programs) {
      // single; single, first, last; or all four.
      if (blocks.size() == 2 || blocks.size() > kMicro.size()) {
        throw UnknownName(fmt::format("{} step programs for {}", blocks.size(), text));
      }
      if (blocks.size() > 1) {
        plan_.micro_batches =
            std::max(plan_.micro_batches, static_cast<std::int32_t>(blocks.size()) - 1);
      }
      for (std::size_t block = 0; block < blocks.size(); ++block) {
        const bool last_of_three = blocks.size() == 3 && block == 2;
        blocks[block].variant.micro = last_of_three ? MicroBatch::last : kMicro[block];
        plan_.programs.emplace(blocks[block].variant, std::move(blocks[block]));
      }
    }
  }

  const Trace& trace_;
  ExecutionPlan plan_;
};

}  // namespace

Result<ExecutionPlan> recorded_plan(const Trace& trace) {
  if (trace.commands.empty() || trace.graphs.empty()) {
    return fail("the recording holds no step programs and graphs to prove",
                "verify one that `quintet run` made");
  }
  try {
    return PlanReader(trace).read();
  } catch (const UnknownName& error) {
    return fail(fmt::format("the recording cannot be proved: {}", error.what()),
                "record it again with this version");
  }
}

}  // namespace quintet
