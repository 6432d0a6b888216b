/// Where each sub-graph of a step lives: what it computes, in which shape, on which stream it is
/// launched.
#pragma once

#include <map>

#include "runtime/model/computation_graph.h"
#include "runtime/model/stream_kind.h"

namespace quintet {

/// A sub-graph that exists but has no work (communication on one rank, casts without AMP) is kept,
/// marked by `ops` being empty.
struct Slot {
  ComputationGraph graph;
  StreamKind stream_kind = StreamKind::COMP_1;  ///< set by the policy
  int captured_index = -1;  ///< index of the captured graph; -1 = empty or not captured yet
};

using GraphAtlas = std::map<GraphKey, Slot>;

}  // namespace quintet
