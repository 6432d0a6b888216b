#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/policy/order_graph.h"

namespace quintet {

namespace {

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

/// Where a batch stands in its update: `number` came before it, `more` training follows it.
MicroBatch place_of(int number, bool more, std::int32_t micro_batches) {
  const bool last = !more || number + 1 >= std::min(micro_batches, 3);
  if (number == 0) return last ? MicroBatch::single : MicroBatch::first;
  return last ? MicroBatch::last : MicroBatch::middle;
}

}  // namespace

StepSequence proof_sequence(const ExecutionPlan& plan) {
  // Three full steps, or two whole updates where several batches make one (a longer one repeats its middle).
  const int full_steps = plan.micro_batches == 1 ? 3 : 2 * std::min(plan.micro_batches, 3);
  std::vector<std::string_view> names;
  for (int step = 0; step < full_steps; ++step)
    names.emplace_back("train");
  for (const char* name : {"train_tail", "eval", "eval_tail", "train"})
    names.emplace_back(name);
  std::vector<const ShapeVariant*> shapes;
  for (const std::string_view name : names) {
    const auto shape = std::find_if(plan.shapes.begin(), plan.shapes.end(),
                                    [&](const ShapeVariant& s) { return s.name == name; });
    if (shape != plan.shapes.end()) shapes.push_back(&*shape);
  }
  StepSequence sequence;
  const ShapeId first = shapes.empty() ? kAnyShape : shapes.front()->id;
  if (const auto prologue = find_program(plan, StepPhase::prologue, -1, first)) {
    sequence.push_back(*prologue);
  }
  int batches = 0;  // of the update at hand
  for (std::size_t step = 0; step < shapes.size(); ++step) {
    const bool more = step + 1 < shapes.size() && shapes[step + 1]->training;
    const MicroBatch micro =
        shapes[step]->training ? place_of(batches++, more, plan.micro_batches) : MicroBatch::single;
    if (ends_update(micro)) batches = 0;
    sequence.push_back({.phase = shapes[step]->training ? StepPhase::train : StepPhase::evaluate,
                        .slot = slot_of_step(static_cast<std::int64_t>(step)),
                        .shape = shapes[step]->id,
                        .next_shape = step + 1 < shapes.size() ? shapes[step + 1]->id : kAnyShape,
                        .micro = micro});
  }
  const auto end = static_cast<std::int64_t>(shapes.size());
  const ShapeId last = shapes.empty() ? kAnyShape : shapes.back()->id;
  if (const auto epilogue = find_program(plan, StepPhase::epilogue, end, last)) {
    sequence.push_back(*epilogue);
  }
  return sequence;
}

}  // namespace quintet
