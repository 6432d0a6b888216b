#include "runtime/policy/nimble_policy.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace quintet {

namespace {

constexpr std::array kNimbleStreams = {StreamKind::COMP_1, StreamKind::COMP_2, StreamKind::COMP_3};

struct Chain {
  std::vector<std::uint32_t> tasks;
  double work_ns = 0;
};

std::vector<Chain> chains_by_work(const StepDag& dag) {
  const ChainCover cover = nimble_cover(dag);
  std::vector<Chain> chains(cover.chains);
  for (std::uint32_t at = 0; at < dag.size(); ++at) {
    if (dag.node(at).fixed) continue;
    Chain& chain = chains[cover.chain_of[at]];
    chain.tasks.push_back(at);
    chain.work_ns += dag.node(at).weight.alone_ns;
  }
  std::stable_sort(chains.begin(), chains.end(),
                   [](const Chain& a, const Chain& b) { return a.work_ns > b.work_ns; });
  return chains;
}

/// Time that the two could have run beside each other at most.
double lost_overlap_ns(const StepDag& dag, const Chain& a, const Chain& b) {
  double lost = 0;
  for (const std::uint32_t left : a.tasks) {
    for (const std::uint32_t right : b.tasks) {
      if (dag.closure().ordered(left, right)) continue;
      lost += std::min(dag.node(left).weight.alone_ns, dag.node(right).weight.alone_ns);
    }
  }
  return lost;
}

}  // namespace

ChainCover nimble_cover(const StepDag& dag) {
  return joined(path_cover(dag.size(), dag.arcs()), dag.closure());
}

StepMapping nimble_mapping(const StepDag& dag) {
  StepMapping mapping = one_stream(dag);
  mapping.reasons.assign(dag.size(), "fixed");
  std::array<Chain, kNimbleStreams.size()> streams;
  std::size_t used = 0;
  for (const Chain& chain : chains_by_work(dag)) {
    std::size_t best = used;
    std::string reason = "a chain of its own";
    if (used < streams.size()) {
      ++used;
    } else {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t stream = 0; stream < streams.size(); ++stream) {
        const double lost = lost_overlap_ns(dag, chain, streams[stream]);
        if (lost >= least) continue;
        least = lost;
        best = stream;
      }
      reason = fmt::format("a chain beyond the third: least overlap is lost here, {:.1f} us",
                           least / 1e3);
    }
    Chain& stream = streams[best];
    stream.tasks.insert(stream.tasks.end(), chain.tasks.begin(), chain.tasks.end());
    for (const std::uint32_t at : chain.tasks) {
      mapping.streams[at] = kNimbleStreams[best];
      mapping.reasons[at] = reason;
    }
  }
  return mapping;
}

}  // namespace quintet
