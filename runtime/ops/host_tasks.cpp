#include "runtime/ops/host_tasks.h"

#include "runtime/ops/task_parts.h"

namespace quintet {

std::vector<Task> lower_host_task(const Op& op, const TensorTable& tensors) {
  std::vector<Operand> operands;
  for (const TensorId input : op.inputs)
    operands.push_back(read_of(input));
  for (const TensorId output : op.outputs)
    operands.push_back(write_of(output));
  return {make_part(tensors, TaskPart::host, std::move(operands), 0)};
}

}  // namespace quintet
