/// Local search over the mappings of a step: from given ones by small moves, in the model of the
/// simulator, until told to stop.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "scenarios/lab/mapped_step.h"

namespace quintet {

struct SearchOptions {
  /// Mappings to simulate, the last polish of the best aside; 0 = until told to stop.
  std::uint64_t candidates = 0;
  std::uint64_t seed = 1;
  std::vector<StreamKind> streams = {StreamKind::COMP_1, StreamKind::COMP_2, StreamKind::COMP_3};
  /// Tasks that may also move together: those of a kind, of a layer.
  std::vector<std::vector<std::uint32_t>> groups;
  std::uint64_t most_workspace_bytes = std::numeric_limits<std::uint64_t>::max();
};

struct FoundMapping {
  StepMapping mapping;
  double step_ns = 0;
  std::uint64_t workspace_bytes = 0;
};

struct SearchResult {
  std::vector<FoundMapping> best;  ///< by time; each next one takes fewer bytes: a Pareto front
  std::uint64_t candidates = 0;    ///< simulated
};

/// Asked every few hundred candidates with the best step time so far; false stops the search.
using KeepSearching = std::function<bool(std::uint64_t candidates, double best_ns)>;

/// Simulated annealing from the starts, the better ones for longer; each time cold it begins again
/// from the best, and in the end what does not help is taken back. Starts are linear extensions of
/// the arcs. Same starts, options and number of candidates, same result.
SearchResult search_mappings(MappedStep& step, std::span<const StepMapping> starts,
                             const SearchOptions& options, const KeepSearching& keep = {});

}  // namespace quintet
