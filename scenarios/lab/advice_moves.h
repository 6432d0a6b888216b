/// Single changes of a policy that could make its step shorter, each with the reason that speaks for
/// it: what an advisor tries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"
#include "profiler/whatif/cost_model.h"
#include "runtime/model/execution_plan.h"
#include "runtime/policy/stream_policy.h"

namespace quintet {

/// A changed policy, not yet planned.
struct AdviceMove {
  std::string title;  ///< "CONV_AMP_BWD/dW -> COMP_2"
  std::string why;    ///< one sentence: what stands still, or costs, today
  StreamPolicy policy;
};

/// A stream that stood still for a task of another, in one step of the median length.
struct StreamWait {
  std::string stream;
  std::string next;     ///< the task that waited
  std::string blocker;  ///< the task that it waited for
  double ns = 0;
};

/// The waits of the recording's median timed step, the longest first; none where it has no such
/// step with spans.
std::vector<StreamWait> longest_waits(const Trace& trace);

/// Knobs (gradients, step mode, waits), each stream before the others, each kind of task to each
/// other stream, and the tasks of the longest waits and of the largest losses beside others to
/// other streams or in another order. At most `most`, in this order. `plan`: the recorded one.
std::vector<AdviceMove> advice_moves(const Trace& trace, const ExecutionPlan& plan,
                                     const StreamPolicy& policy, const CostModel& costs,
                                     std::size_t most);

}  // namespace quintet
