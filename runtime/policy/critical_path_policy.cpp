#include "runtime/policy/critical_path_policy.h"

#include <algorithm>
#include <array>

namespace quintet {

namespace {

/// Of CUDA's streams the lower number is the more urgent.
constexpr int kPathPriority = -1;

}  // namespace

std::vector<std::uint32_t> longest_path(const StepDag& dag) {
  if (dag.size() == 0) return {};
  const std::vector<double> ranks = upward_ranks(dag, 0);
  const auto longer = [&](std::uint32_t a, std::uint32_t b) { return ranks[a] < ranks[b]; };
  std::uint32_t at = 0;
  for (std::uint32_t other = 1; other < dag.size(); ++other)
    at = longer(at, other) ? other : at;
  std::vector<std::uint32_t> path{at};
  while (!dag.after(at).empty()) {
    at = *std::max_element(dag.after(at).begin(), dag.after(at).end(), longer);
    path.push_back(at);
  }
  return path;
}

StepMapping critical_path_mapping(const StepDag& dag) {
  StepMapping mapping = one_stream(dag);
  mapping.reasons.assign(dag.size(), "on the longest path of the step");
  std::vector<bool> on_path(dag.size());
  for (const std::uint32_t at : longest_path(dag))
    on_path[at] = true;
  std::array<double, kStreamCount> free_ns{};
  std::vector<double> end_ns(dag.size());
  for (std::uint32_t at = 0; at < dag.size(); ++at) {
    double ready = 0;
    for (const std::uint32_t before : dag.before(at))
      ready = std::max(ready, end_ns[before]);
    StreamKind& stream = mapping.streams[at];
    if (!on_path[at] && !dag.node(at).fixed) {
      const auto begin = [&](StreamKind side) { return std::max(ready, free_ns[index_of(side)]); };
      const bool third = begin(StreamKind::COMP_3) < begin(StreamKind::COMP_2);
      stream = third ? StreamKind::COMP_3 : StreamKind::COMP_2;
      mapping.reasons[at] = "off the longest path: begins first here";
    }
    double& free = free_ns[index_of(stream)];
    end_ns[at] = std::max(ready, free) + dag.node(at).weight.alone_ns;
    free = end_ns[at];
  }
  mapping.priorities[index_of(StreamKind::COMP_1)] = kPathPriority;
  return mapping;
}

}  // namespace quintet
