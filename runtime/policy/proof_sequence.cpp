#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/policy/order_graph.h"

namespace quintet {

namespace {

std::optional<BufferSlot> slot_of(GraphId graph) {
  const std::string_view name = name_of(graph);
  if (name.ends_with("_A")) return BufferSlot::A;
  if (name.ends_with("_B")) return BufferSlot::B;
  return std::nullopt;
}

constexpr BufferSlot slot_of_step(std::int64_t step) {
  return step % 2 == 0 ? BufferSlot::A : BufferSlot::B;
}

/// True where every A/B sub-graph of the program serves a step of its own slot, were the program
/// that of `step`.
bool fits(const StepProgram& program, std::int64_t step) {
  return std::all_of(program.commands.begin(), program.commands.end(), [&](const Command& command) {
    if (command.kind != CommandKind::launch && command.kind != CommandKind::host_task) return true;
    const std::optional<BufferSlot> slot = slot_of(command.graph.graph);
    return !slot || *slot == slot_of_step(step + command.steps);
  });
}

/// The program of that phase that fits at `step`; where several do, one that names `next`.
std::optional<StepVariant> find_program(const ExecutionPlan& plan, StepPhase phase,
                                        std::int64_t step, ShapeId next) {
  std::optional<StepVariant> found;
  for (const auto& [variant, program] : plan.programs) {
    if (variant.phase != phase || !fits(program, step)) continue;
    if (variant.next_shape == next || variant.shape == next) return variant;
    if (!found) found = variant;
  }
  return found;
}

}  // namespace

StepSequence proof_sequence(const ExecutionPlan& plan) {
  std::vector<const ShapeVariant*> shapes;
  for (const std::string_view name :
       {"train", "train", "train", "train_tail", "eval", "eval_tail", "train"}) {
    const auto shape = std::find_if(plan.shapes.begin(), plan.shapes.end(),
                                    [&](const ShapeVariant& s) { return s.name == name; });
    if (shape != plan.shapes.end()) shapes.push_back(&*shape);
  }
  StepSequence sequence;
  const ShapeId first = shapes.empty() ? kAnyShape : shapes.front()->id;
  if (const auto prologue = find_program(plan, StepPhase::prologue, -1, first)) {
    sequence.push_back(*prologue);
  }
  for (std::size_t step = 0; step < shapes.size(); ++step) {
    sequence.push_back({.phase = shapes[step]->training ? StepPhase::train : StepPhase::evaluate,
                        .slot = slot_of_step(static_cast<std::int64_t>(step)),
                        .shape = shapes[step]->id,
                        .next_shape = step + 1 < shapes.size() ? shapes[step + 1]->id : kAnyShape});
  }
  const auto end = static_cast<std::int64_t>(shapes.size());
  const ShapeId last = shapes.empty() ? kAnyShape : shapes.back()->id;
  if (const auto epilogue = find_program(plan, StepPhase::epilogue, end, last)) {
    sequence.push_back(*epilogue);
  }
  return sequence;
}

}  // namespace quintet
