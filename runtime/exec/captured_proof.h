/// The race proof on what was captured: a graph's own nodes and edges, read back, must order every
/// pair of its tasks that conflicts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/exec/graph_capture.h"
#include "runtime/model/execution_plan.h"

namespace quintet {

struct CapturedProof {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t conflicting_pairs = 0;
  /// Sentences: a pair without a path from all nodes of the earlier to all of the later; a node that
  /// no task has.
  std::vector<std::string> findings;
};

/// Nothing but the captured edges counts as order: stream order became edges, or was lost. Of tasks
/// that conflict only as scratch users either order is right.
CapturedProof prove_captured(const ExecutionPlan& plan, const CapturedTasks& captured);

}  // namespace quintet
