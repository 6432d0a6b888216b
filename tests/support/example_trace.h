/// A made-up but plausible trace of LeNet-5 training: what reports, viewers and stores are tested
/// with where no run is wanted. The same numbers on every machine.
#pragma once

#include "profiler/trace/trace.h"

namespace quintet {

struct ExampleOptions {
  bool serial = false;   ///< every task on COMP_1
  int train_steps = 12;  ///< the last one is a short batch if there are more than three
  int evaluate_steps = 2;
};

/// Two layers of convolutions and three fully connected ones, their updates and transfers, on five
/// streams and two host actors; with edges, launches, host waits, losses and findings.
Trace example_trace(const ExampleOptions& options = {});

}  // namespace quintet
