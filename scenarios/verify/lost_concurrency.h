/// What waits that order nothing cost: pairs of tasks that could run beside each other and may not,
/// and the time that was waited.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"
#include "runtime/policy/hazard_proof.h"

namespace quintet {

struct SurplusCost {
  SurplusEdge edge;
  std::uint64_t pairs = 0;  ///< of tasks that only this edge keeps apart
  /// How much later the waiting task was ready for its sake, a mean over timed steps; nothing where
  /// no recording of the plan tells.
  std::optional<double> waited_ns;
};

/// One captured graph, as wide as it could be and as it is.
struct GraphConcurrency {
  GraphKey graph;
  std::size_t tasks = 0;
  std::size_t edges = 0;
  std::size_t width_of_data = 0;  ///< the most tasks that the data alone would let run at once
  std::size_t width = 0;          ///< the same with streams and edges
  std::size_t surplus = 0;        ///< edges
  std::uint64_t lost_pairs = 0;   ///< that all surplus edges together keep apart
};

/// A cost for each surplus edge of the proof, in its order. `recorded` (may be null): the recording
/// whose plan it is.
std::vector<SurplusCost> surplus_costs(const ExecutionPlan& plan, const ProofReport& proof,
                                       const Trace* recorded);

/// The captured graphs of the usual training step that hold at least two tasks; of twins the one of
/// slot A.
std::vector<GraphConcurrency> graph_concurrency(const ExecutionPlan& plan,
                                                const ProofReport& proof);

}  // namespace quintet
