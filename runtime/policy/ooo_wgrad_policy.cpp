#include "runtime/policy/ooo_wgrad_policy.h"

#include <algorithm>
#include <numeric>

namespace quintet {

namespace {

constexpr int kTrunkPriority = -2;
constexpr int kUpdatePriority = -1;

bool is_weight_gradient(const DagNode& node) {
  return node.part == TaskPart::dW || node.part == TaskPart::dB;
}

}  // namespace

StepMapping ooo_wgrad_mapping(const StepDag& dag) {
  StepMapping mapping = one_stream(dag);
  mapping.reasons.assign(dag.size(), "the trunk");
  for (std::uint32_t at = 0; at < dag.size(); ++at) {
    const DagNode& node = dag.node(at);
    if (node.fixed) continue;
    if (is_weight_gradient(node)) {
      mapping.streams[at] = StreamKind::COMP_2;
      mapping.reasons[at] = "only the optimizer reads it: beside the trunk, at low priority";
    } else if (node.optimizer) {
      mapping.streams[at] = StreamKind::UPDATE;
      mapping.reasons[at] = "from gradients to weights";
    }
  }
  mapping.priorities[index_of(StreamKind::COMP_1)] = kTrunkPriority;
  mapping.priorities[index_of(StreamKind::UPDATE)] = kUpdatePriority;
  return mapping;
}

}  // namespace quintet
