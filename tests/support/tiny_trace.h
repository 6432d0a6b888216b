/// A trace small enough to compute every metric of it by hand.
#pragma once

#include "profiler/trace/trace.h"

namespace quintet {

/// Five training steps of 1000 ns, step s in [1000 s, 1000 s + 1000), each with the same spans
/// (offsets within the step):
///
///     TRANS   copy [100, 300), serving the next step
///     COMP_1  fwd  [200, 500), dW [500, 650)
///     COMP_3  dX   [600, 800)
///     UPDATE  opt  [800, 900)
///
/// CPU time is half of the wall time. fwd -> dW -> opt and fwd -> dX -> opt conflict. The host
/// syncs in [0, 40), waits for a batch in [60, 80), and launches TRANSFER in [20, 60), DEEP in
/// [50, 150), OPTIMIZER in [560, 600).
Trace tiny_trace();

/// The same tasks one after the other on COMP_1; a step takes 1250 ns.
Trace tiny_serial_trace();

}  // namespace quintet
