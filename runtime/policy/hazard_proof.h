/// The race proof: every pair of task runs whose accesses conflict must be ordered, the one earlier
/// in program order first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/model/execution_plan.h"
#include "runtime/policy/order_graph.h"

namespace quintet {

/// Two conflicting runs that are unordered, or ordered against program order.
struct Race {
  TaskId earlier;  ///< in program order: the one that must come first
  TaskId later;
  std::int64_t earlier_step = 0;
  std::int64_t later_step = 0;
  bool reversed = false;  ///< true: ordered, but the wrong way round
  ByteRange bytes;        ///< the first bytes in common
  AccessMode earlier_mode = AccessMode::read;
  AccessMode later_mode = AccessMode::write;
  std::string text;  ///< one sentence: who, which bytes of which region, what is missing
  std::string
      cure;  ///< the edge that would order them: "let X wait for Y", or the step-program wait
};

/// An edge of a task graph that orders only pairs that do not conflict: concurrency given away.
struct SurplusEdge {
  GraphKey graph;
  TaskId from;
  TaskId to;
  std::string text;
};

struct ProofReport {
  std::vector<Race> races;           ///< sorted; each (earlier, later, step distance) once
  std::vector<SurplusEdge> surplus;  ///< sorted
  std::uint64_t task_runs = 0;
  std::uint64_t conflicting_pairs = 0;
  std::uint64_t ordered_pairs = 0;
  std::uint64_t edges = 0;  ///< edges of task graphs examined
  std::int64_t elapsed_ns = 0;
  [[nodiscard]] bool race_free() const { return races.empty(); }
};

/// Proves the plan over `sequence`. Program order of runs = (step served, TaskId); scratch against
/// scratch needs some order, either. Time: bitset closure, about nodes^2/64 words. Errors: those of
/// unroll().
Result<ProofReport> prove(const ExecutionPlan& plan, const StepSequence& sequence);

/// prove() over proof_sequence().
Result<ProofReport> prove(const ExecutionPlan& plan);

}  // namespace quintet
