#include <cassert>
#include <fmt/format.h>
#include <utility>

#include "runtime/ops/fused_loss.h"
#include "runtime/ops/fused_relu_backward.h"
#include "runtime/ops/fused_update.h"
#include "runtime/ops/fusion.h"
#include "runtime/ops/op_catalog.h"
#include "runtime/ops/overwritten_gradients.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

Task named(Task task, const Op& op) {
  task.name = semantic_id(op, task.part);
  task.op = op.id;
  task.kind = op.kind;
  task.layer = op.layer;
  task.graph = op.graph;
  task.shape = op.shape;
  task.attributes = op.attributes;
  if (task.covers.empty()) task.covers = {task.name};
  return task;
}

/// The tasks of one op, as its own header has them.
Result<std::vector<Task>> parts_of(const Op& op, const TensorTable& tensors) {
  const Result<const OpDefinition*> definition = find_op(op.kind);
  if (!definition) return tl::unexpected<Error>(definition.error());
  std::vector<Task> parts = (*definition)->lower(op, tensors);
  if (parts.empty() != (*definition)->view) {
    return fail(fmt::format("op {} of layer {} became {} tasks and is {}", name_of(op.kind),
                            op.layer, parts.size(), parts.empty() ? "no view" : "a view"),
                "correct its entry in the op catalog");
  }
  for (Task& part : parts)
    part = named(std::move(part), op);
  return parts;
}

/// What a fused pair makes of the two ops: the producer's task becomes that of both.
Result<void> absorb(const FusedPair& pair, std::span<const Op> ops, const TensorTable& tensors,
                    std::vector<Task>& producer) {
  const Result<std::vector<Task>> consumer = parts_of(ops[pair.consumer], tensors);
  if (!consumer) return tl::unexpected<Error>(consumer.error());
  assert(producer.size() == 1 && consumer->size() == 1);
  const Task& absorbed = consumer->front();
  Task fused = pair.pattern->fuse(producer.front(), absorbed, tensors);
  fused.covers.insert(fused.covers.end(), absorbed.covers.begin(), absorbed.covers.end());
  producer.front() = std::move(fused);
  return {};
}

}  // namespace

Result<std::vector<Task>> lower(std::span<const Op> ops, const TensorTable& tensors,
                                Lowering lowering) {
  std::vector<FusedPair> pairs;
  if (lowering == Lowering::fused) pairs = find_fusions(ops, tensors);
  std::vector<bool> absorbed(ops.size());
  for (const FusedPair& pair : pairs)
    absorbed[pair.consumer] = true;
  std::vector<Task> tasks;
  auto pair = pairs.begin();
  for (std::size_t index = 0; index < ops.size(); ++index) {
    if (absorbed[index]) continue;
    Result<std::vector<Task>> parts = parts_of(ops[index], tensors);
    if (!parts) return tl::unexpected<Error>(parts.error());
    if (pair != pairs.end() && pair->producer == index) {
      const Result<void> both = absorb(*pair++, ops, tensors, *parts);
      if (!both) return tl::unexpected<Error>(both.error());
    }
    tasks.insert(tasks.end(), std::make_move_iterator(parts->begin()),
                 std::make_move_iterator(parts->end()));
  }
  if (lowering == Lowering::fused) {
    fuse_relu_backward(tasks, tensors);
    fuse_loss(tasks, tensors);
    overwrite_gradients(tasks, tensors);
    fuse_update(tasks, tensors);
  }
  for (std::size_t index = 0; index < tasks.size(); ++index)
    tasks[index].id = TaskId(static_cast<std::uint32_t>(index));
  return tasks;
}

}  // namespace quintet
