#include "runtime/policy/opara_policy.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace quintet {

namespace {

constexpr std::array kOparaStreams = {StreamKind::COMP_1, StreamKind::COMP_2, StreamKind::COMP_3};

/// Kahn's algorithm over two queues.
class AlternatingOrder {
 public:
  explicit AlternatingOrder(const StepDag& dag) : dag_(dag), held_by_(dag.size()) {}

  std::vector<std::uint32_t> order() {
    for (std::uint32_t at = 0; at < dag_.size(); ++at) {
      held_by_[at] = dag_.before(at).size();
      if (held_by_[at] == 0) queue_of(at).push_back(at);
    }
    std::vector<std::uint32_t> order;
    bool memory_next = true;
    while (order.size() < dag_.size()) {
      auto& wanted = memory_next ? memory_bound_ : compute_bound_;
      auto& queue = wanted.empty() ? (memory_next ? compute_bound_ : memory_bound_) : wanted;
      memory_next = &queue == &compute_bound_;
      order.push_back(take_smallest(queue));
      for (const std::uint32_t next : dag_.after(order.back())) {
        if (--held_by_[next] == 0) queue_of(next).push_back(next);
      }
    }
    return order;
  }

 private:
  std::vector<std::uint32_t>& queue_of(std::uint32_t at) {
    return dag_.node(at).memory_bound ? memory_bound_ : compute_bound_;
  }

  std::uint32_t take_smallest(std::vector<std::uint32_t>& queue) const {
    const auto smallest =
        std::min_element(queue.begin(), queue.end(), [&](std::uint32_t a, std::uint32_t b) {
          return std::tuple(dag_.node(a).weight.sm_share, a) <
                 std::tuple(dag_.node(b).weight.sm_share, b);
        });
    const std::uint32_t at = *smallest;
    queue.erase(smallest);
    return at;
  }

  const StepDag& dag_;
  std::vector<std::size_t> held_by_;
  std::vector<std::uint32_t> memory_bound_;
  std::vector<std::uint32_t> compute_bound_;
};

}  // namespace

StepMapping opara_mapping(const StepDag& dag) {
  StepMapping mapping = one_stream(dag);
  mapping.reasons.assign(dag.size(), "fixed");
  std::vector<bool> followed(dag.size());
  std::array<double, kStreamCount> work_ns{};
  std::size_t opened = 0;
  for (std::uint32_t at = 0; at < dag.size(); ++at) {
    if (dag.node(at).fixed) continue;
    const auto before = dag.before(at);
    const auto free = std::find_if(before.begin(), before.end(), [&](std::uint32_t from) {
      return !followed[from] && !dag.node(from).fixed;
    });
    StreamKind& stream = mapping.streams[at];
    if (free != before.end()) {
      followed[*free] = true;
      stream = mapping.streams[*free];
      mapping.reasons[at] = "follows its first predecessor that nothing followed";
    } else if (opened < kOparaStreams.size()) {
      stream = kOparaStreams[opened++];
      mapping.reasons[at] = "opens a stream: others followed its predecessors";
    } else {
      stream = *std::min_element(
          kOparaStreams.begin(), kOparaStreams.end(),
          [&](StreamKind a, StreamKind b) { return work_ns[index_of(a)] < work_ns[index_of(b)]; });
      mapping.reasons[at] = "no fourth stream to open: this one had the least work";
    }
    work_ns[index_of(stream)] += dag.node(at).weight.alone_ns;
  }
  mapping.order = AlternatingOrder(dag).order();
  return mapping;
}

}  // namespace quintet
