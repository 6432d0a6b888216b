#include "tests/support/random_dag.h"

namespace quintet::test {

StepDag random_dag(TestRandom& random, std::uint32_t nodes, std::int64_t arc_percent) {
  std::vector<DagNode> list;
  std::vector<Arc> arcs;
  for (std::uint32_t at = 0; at < nodes; ++at) {
    DagNode node;
    node.task = TaskId{at};
    node.weight = {random.real(1e3, 1e5), random.real(0.05, 1), random.real(0, 1)};
    node.memory_bound = random.integer(0, 1) == 0;
    node.part = random.integer(0, 3) == 0 ? TaskPart::dW : TaskPart::Y;
    list.push_back(node);
    for (std::uint32_t from = 0; from < at; ++from) {
      if (random.integer(1, 100) <= arc_percent) arcs.push_back({from, at});
    }
  }
  return {std::move(list), std::move(arcs)};
}

}  // namespace quintet::test
