/// What no mapping of a step in one graph can beat: its longest chain of tasks, the room they take on
/// the device, the bytes they move. Steps that are launched in pieces overlap and can be below it.
#pragma once

#include <vector>

#include "scenarios/lab/mapped_step.h"

namespace quintet {

/// In ns, the frame of the step (launch, correction) included.
struct StepBound {
  double path_ns = 0;   ///< longest chain of conflicts, with the least gap between two tasks
  double area_ns = 0;   ///< all work at full use of the device
  double bytes_ns = 0;  ///< all bytes at the memory's full rate; 0 = the rate is not known
  double issue_ns = 0;  ///< what the host needs to issue it
  /// The greatest of them.
  [[nodiscard]] double ns() const;
};

StepBound step_bound(const MappedStep& step, double memory_bytes);

/// Longest way from the begin of each task to the end of the step, in ns, without the frame.
std::vector<double> least_ranks(const MappedStep& step);
/// Work times share of all tasks over what the device does at most at a time, without the frame.
double area_bound_ns(const MappedStep& step);
/// A time between the first begin and the last end, as a step time.
double framed_ns(const MappedStep& step, double makespan_ns);

}  // namespace quintet
