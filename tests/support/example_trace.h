/// A made-up but plausible trace of LeNet-5 training: what reports, viewers and stores are tested
/// with where no run is wanted. The same numbers on every machine.
#pragma once

#include <cstdint>
#include <string>

#include "profiler/trace/trace.h"

namespace quintet {

struct ExampleOptions {
  bool serial = false;   ///< every task on COMP_1
  int train_steps = 12;  ///< the last one is a short batch if there are more than three
  int evaluate_steps = 2;
  std::uint64_t seed = 42;    ///< of everything that looks like noise
  double task_noise = 0.125;  ///< a run takes up to this share longer, evenly
  double step_noise = 0;      ///< standard deviation of a factor that a step's tasks share
  double process_factor = 1;  ///< on every duration of the run
  std::string slow_layer;     ///< its first task takes `slow_ns` longer
  std::int64_t slow_ns = 0;
};

/// Two layers of convolutions and three fully connected ones, their updates and transfers, on five
/// streams and two host actors; with edges, launches, host waits, losses and findings.
Trace example_trace(const ExampleOptions& options = {});

}  // namespace quintet
