// A program outside the tree: asks the built-in policy `renaissance` where a convolution's dX goes.

#include <cstdio>

#include "runtime/model/task.h"
#include "runtime/policy/policy_catalog.h"

int main() {
  const quintet::Result<quintet::StreamPolicy> policy = quintet::find_policy("renaissance");
  if (!policy) {
    std::fprintf(stderr, "%s\n", quintet::to_string(policy.error()).c_str());
    return 1;
  }
  quintet::Task task;
  task.kind = quintet::ComputeOp::CONV_FP32_BWD;
  task.part = quintet::TaskPart::dX;
  task.layer = "conv2";
  const quintet::Result<quintet::StreamChoice> choice = quintet::stream_of(*policy, task);
  return choice && choice->stream == quintet::StreamKind::COMP_3 ? 0 : 1;
}
