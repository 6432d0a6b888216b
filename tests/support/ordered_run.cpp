#include "tests/support/ordered_run.h"

namespace quintet::test {

Bits run_in_order(const TrainingSession& session, const OrderGraph& order,
                  const std::vector<std::uint32_t>& nodes) {
  StepIo io = session.make_io();
  const auto executor = make_host_executor(session.plan(), session.spec(), io, nullptr);
  for (const std::uint32_t node : nodes) {
    const OrderNode& run = order.nodes[node];
    if (run.task && run.step >= 0) executor->run_inline(*run.task, run.step);
  }
  Bits bits;
  for (std::size_t step = 0; step < session.schedule().size(); ++step) {
    bits.losses.push_back(io.result(static_cast<std::int64_t>(step)).loss);
  }
  bits.weights = session.weights(*executor);
  return bits;
}

}  // namespace quintet::test
