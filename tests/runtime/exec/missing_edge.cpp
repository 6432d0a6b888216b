// Runs a plan from which one needed edge was taken: the proof must name the race, and
// ThreadSanitizer must see it happen.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "runtime/policy/hazard_proof.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

constexpr const char* kReader = "conv2/CONV_FP32_BWD/dW";
constexpr const char* kWriter = "conv2/CONV_FP32_BWD/dX";

/// Takes the edge that holds dX back until dW has read X. Returns how many were taken.
std::size_t drop_edge(ExecutionPlan& plan) {
  std::size_t dropped = 0;
  for (auto& [key, graph] : plan.graphs) {
    dropped += std::erase_if(graph.edges, [&](const Edge& edge) {
      return plan.task(edge.from).name == kReader && plan.task(edge.to).name == kWriter;
    });
  }
  return dropped;
}

int run() {
  const auto session = prepare_tiny({.test_samples = 0, .train_steps = 4},
                                    policy_with("renaissance-dataflow", SyncRule::dataflow,
                                                GradientMode::in_place, StepMode::host_sync));
  ExecutionPlan plan = session->plan();
  if (drop_edge(plan) == 0) {
    fmt::print("the plan has no edge from {} to {}\n", kReader, kWriter);
    return 2;
  }
  const auto proof = prove(plan);
  if (!proof || proof->race_free()) {
    fmt::print("the proof did not see that the edge is missing\n");
    return 2;
  }
  fmt::print("proof: {}\n", proof->races.front().text);
  std::fflush(stdout);  // ThreadSanitizer ends the program at its first report
  StepIo io = session->make_io();
  const auto executor = make_host_executor(plan, session->spec(), io, nullptr);
  StepRunner(*executor, nullptr).run(session->schedule(), [](std::int64_t, StepRun&) {}, {});
  return 0;
}

}  // namespace
}  // namespace quintet::test

int main() {
  return quintet::test::run();
}
