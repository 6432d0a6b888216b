#include "scenarios/lab/step_bound.h"

#include <algorithm>

namespace quintet {

double StepBound::ns() const {
  return std::max({path_ns, area_ns, bytes_ns, issue_ns});
}

std::vector<double> least_ranks(const MappedStep& step) {
  std::vector<double> ranks(step.dag().size());
  for (std::uint32_t node = step.dag().size(); node-- > 0;) {
    double longest = 0;
    for (const std::uint32_t after : step.dag().after(node))
      longest = std::max(longest, step.device().node_gap_ns + ranks[after]);
    ranks[node] = step.tasks()[node].work_ns + longest;
  }
  return ranks;
}

double area_bound_ns(const MappedStep& step) {
  const ContentionModel& contention = step.device().contention;
  // A task alone runs at its full speed, whatever the capacity of several is.
  const double most = std::max(1.0, contention.capacity + contention.mixed_gain);
  double area = 0;
  for (const MappedTask& task : step.tasks())
    area += task.work_ns * static_cast<double>(task.sm_share);
  return area / most;
}

double framed_ns(const MappedStep& step, double makespan_ns) {
  const StepFrame& frame = step.frame();
  return std::max(makespan_ns + frame.between_steps_ns, frame.least_step_ns) * frame.correction;
}

StepBound step_bound(const MappedStep& step, double memory_bytes) {
  StepBound bound;
  const std::vector<double> ranks = least_ranks(step);
  if (!ranks.empty()) {
    bound.path_ns = framed_ns(step, *std::max_element(ranks.begin(), ranks.end()));
  }
  bound.area_ns = framed_ns(step, area_bound_ns(step));
  if (step.device().memory_bytes_per_ns > 0)
    bound.bytes_ns = memory_bytes / step.device().memory_bytes_per_ns;
  bound.issue_ns = step.frame().least_step_ns * step.frame().correction;
  return bound;
}

}  // namespace quintet
