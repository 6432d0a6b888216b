/// The ops of one sub-graph in one shape, in program order.
#pragma once

#include <vector>

#include "runtime/model/op.h"

namespace quintet {

/// Program order is the order of `ops`: of two conflicting ops the earlier is right to come first.
struct ComputationGraph {
  GraphKey key;
  std::vector<Op> ops;
};

}  // namespace quintet
