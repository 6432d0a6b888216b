#include <fmt/format.h>
#include <utility>

#include "runtime/ops/op_catalog.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

Task named(Task task, const Op& op, std::size_t index) {
  task.id = TaskId(static_cast<std::uint32_t>(index));
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

}  // namespace

Result<std::vector<Task>> lower(std::span<const Op> ops, const TensorTable& tensors,
                                Lowering lowering) {
  if (lowering != Lowering::article) {
    return fail(fmt::format("lowering {} is not implemented for any op", name_of(lowering)),
                fmt::format("use {}", name_of(Lowering::article)));
  }
  std::vector<Task> tasks;
  for (const Op& op : ops) {
    const Result<const OpDefinition*> definition = find_op(op.kind);
    if (!definition) return tl::unexpected<Error>(definition.error());
    std::vector<Task> parts = (*definition)->lower(op, tensors);
    if (parts.empty() != (*definition)->view) {
      return fail(fmt::format("op {} of layer {} became {} tasks and is {}", name_of(op.kind),
                              op.layer, parts.size(), parts.empty() ? "no view" : "a view"),
                  "correct its entry in the op catalog");
    }
    for (Task& part : parts)
      tasks.push_back(named(std::move(part), op, tasks.size()));
  }
  return tasks;
}

}  // namespace quintet
