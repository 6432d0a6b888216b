#include "runtime/model/execution_plan.h"

#include <fmt/format.h>

namespace quintet {

std::string ExecutionPlan::name(const GraphKey& key) const {
  std::string text(name_of(key.graph));
  if (key.shape != kAnyShape) text += "@" + shape(key.shape).name;
  if (key.next_shape != kAnyShape) text += ">" + shape(key.next_shape).name;
  if (key.micro != MicroBatch::single) text += fmt::format(" {}", name_of(key.micro));
  return text;
}

}  // namespace quintet
